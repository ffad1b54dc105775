//! Positions that no game comes to and moves that no rules allow: whether any of them stops the program.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Instant,
};

use pgn_audit::{
    examine::{Options, examine},
    finding::Finding,
    fix::{self, AgainstRules},
    repair::Limits,
    rules,
    sheet::{Source, game},
};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen, san::SanPlus};

use super::Dice;

/// Runs for so many seconds, prints each text that the program fails on and what it says, and how many there were.
pub fn run(seconds: u64, dice: &mut Dice) {
    // A narrow search passes through the same doors, many times as often.
    let mut limits = Limits { content: 0.0, ..Limits::default() };
    limits.search.width /= 4;
    let options = Options { repair: true, limits, ..Options::default() };
    let begin = Instant::now();
    let (mut runs, mut failures) = (0u64, 0u64);
    while begin.elapsed().as_secs() < seconds && failures < 20 {
        let text = text(dice);
        if let Some(said) = failure(&text, &options) {
            failures += 1;
            println!("--- failed: {said}\n{text}");
        }
        runs += 1;
    }
    println!("{runs} texts, {failures} failures in {} s", begin.elapsed().as_secs());
}

/// What a panic says that the text leads to, caught by the program or not.
fn failure(text: &str, options: &Options) -> Option<String> {
    let source = Source::read(text.as_bytes().to_vec());
    let Ok(games) = catch_unwind(AssertUnwindSafe(|| game::games(&source))) else {
        return Some("the reader panicked".to_owned());
    };
    for game in &games {
        // Mended without the guard as well, which says where it fails.
        let examined = examine(&source, game, options);
        let fault = |f: &&Finding| f.rule.code == rules::INTERNAL_ERROR.code;
        if let Some(finding) = examined.findings.iter().find(fault) {
            return Some(finding.message.clone());
        }
        for against in [AgainstRules::Kept, AgainstRules::Cut, AgainstRules::Split] {
            let mend = || drop(fix::mend(&source, game, &examined.replay, examined.repair.as_ref(), against));
            if catch_unwind(AssertUnwindSafe(mend)).is_err() {
                return Some(format!("mending panicked, moves against the rules {against:?}"));
            }
        }
    }
    None
}

/// A game from an odd position with odd moves.
fn text(dice: &mut Dice) -> String {
    let fen = fen(dice);
    let mut out = String::from("[Event \"x\"]\n");
    if dice.below(3) > 0 {
        out += "[Variant \"Chess960\"]\n";
    }
    if dice.below(8) > 0 {
        out += &format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
    }
    out += ["", "[Result \"1-0\"]\n", "[Result \"0-1\"]\n", "[Result \"*\"]\n"][dice.below(4)];
    out += "\n";
    let start = fen.parse::<Fen>().ok().and_then(|fen| fen.into_position(CastlingMode::Chess960).ok());
    out + &movetext(dice, start) + ["*", "1-0", "0-1", ""][dice.below(4)] + "\n"
}

/// The FEN of a Chess960 game some moves on, then spoilt: other letters of castling, kings away or moved, rights that
/// nothing bears out.
fn fen(dice: &mut Dice) -> String {
    let mut pos = shuffled(dice);
    for _ in 0..dice.below(40) {
        let legal = pos.legal_moves();
        if legal.is_empty() {
            break;
        }
        let castles: Vec<_> = legal.iter().filter(|m| m.is_castle()).collect();
        // Mostly the rights to castle are kept: they are what is tried here.
        let tried = [0; 4].map(|_| legal[dice.below(legal.len())]);
        let calm = tried.iter().find(|m| !matches!(m.role(), shakmaty::Role::King | shakmaty::Role::Rook));
        let mv = match castles.first() {
            Some(castle) if dice.below(12) == 0 => **castle,
            _ => *calm.unwrap_or(&tried[0]),
        };
        pos.play_unchecked(mv);
    }
    let whole = Fen::from_position(&pos, EnPassantMode::Always).to_string();
    let mut parts: Vec<String> = whole.split(' ').map(str::to_owned).collect();
    match dice.below(4) {
        0 => {}
        1 => parts[2] = ["KQkq", "KQ", "kq", "Kk", "Qq", "-"][dice.below(6)].to_owned(),
        2 => {
            let letters: Vec<char> = "AHahBGbgCFcfDEdeKQkq".chars().collect();
            parts[2] = (0..=dice.below(4)).map(|_| letters[dice.below(letters.len())]).collect();
        }
        _ => parts[3] = ["-", "e3", "d6", "e6", "a3", "h6", "e4"][dice.below(7)].to_owned(),
    }
    for _ in 0..[0, 0, 0, 1, 1, 2, 4][dice.below(7)] {
        // One character of the board for another: kings vanish, double, stand in check.
        let mut board: Vec<char> = parts[0].chars().collect();
        let at = dice.below(board.len());
        let men: Vec<char> = "KkQqRrPpNnBb1".chars().collect();
        if board[at] != '/' && (board[at].is_alphabetic() || board[at] == '1') {
            board[at] = men[dice.below(men.len())];
        }
        parts[0] = board.into_iter().collect();
    }
    if dice.below(6) == 0 {
        parts[1] = if parts[1] == "w" { "b" } else { "w" }.to_owned();
    }
    if dice.below(10) == 0 {
        parts.truncate(1 + dice.below(5));
    }
    parts.join(" ")
}

/// The start of one of the 960 games, or of one that is none of them.
fn shuffled(dice: &mut Dice) -> Chess {
    loop {
        let mut men: Vec<char> = "rnbqkbnr".chars().collect();
        for i in (1..men.len()).rev() {
            men.swap(i, dice.below(i + 1));
        }
        let row: String = men.iter().collect();
        let upper = row.to_uppercase();
        let fen = format!("{row}/pppppppp/8/8/8/8/PPPPPPPP/{upper} w KQkq - 0 1");
        let parsed = fen.parse::<Fen>().ok().and_then(|fen| fen.into_position(CastlingMode::Chess960).ok());
        if let Some(pos) = parsed {
            return pos;
        }
    }
}

/// Moves that can be played where one is known, among castlings, null moves, moves in long notation and promotions.
fn movetext(dice: &mut Dice, start: Option<Chess>) -> String {
    let mut pos = start;
    let mut out = String::new();
    let numbered = dice.below(4) > 0;
    let odd = [0, 2, 4, 12][dice.below(4)];
    for ply in 0..1 + dice.below(24) {
        if numbered && ply % 2 == 0 {
            out += &format!("{}. ", ply / 2 + 1);
        }
        if dice.below(16) == 0 {
            out += &format!("({} {}) ", any(dice), any(dice));
        }
        let legal = pos.as_ref().map(|pos| pos.legal_moves()).unwrap_or_default();
        let known = pos.as_mut().filter(|_| !legal.is_empty() && dice.below(12) >= odd);
        if let Some(pos) = known {
            let mv = legal[dice.below(legal.len())];
            let long = dice.below(5) == 0;
            let squares = mv.to_uci(CastlingMode::Chess960).to_string();
            let san = SanPlus::from_move_and_play_unchecked(pos, mv).to_string();
            out += if long { &squares } else { &san };
        } else {
            out += &any(dice);
        }
        out.push(' ');
    }
    out
}

/// An entry that says whatever it likes.
fn any(dice: &mut Dice) -> String {
    let square = |dice: &mut Dice| {
        let (file, rank) = (dice.below(8) as u8, dice.below(8) as u8);
        format!("{}{}", char::from(b'a' + file), rank + 1)
    };
    let letter = ["", "", "N", "B", "R", "Q", "K"][dice.below(7)];
    let becomes = ["", "", "=Q", "=K", "=P", "N"][dice.below(6)];
    let sign = ["", "", "+", "#"][dice.below(4)];
    match dice.below(8) {
        0 => "O-O".to_owned() + sign,
        1 => "O-O-O".to_owned() + sign,
        2 => ["--", "Z0", "<>", "@@@@", "null", "pass", "0000", "...", "?"][dice.below(9)].to_owned(),
        3 => format!("{letter}{}{}{}{sign}", square(dice), ["-", "x", ""][dice.below(3)], square(dice)),
        4 => {
            let file = char::from(b'a' + dice.below(8) as u8);
            format!("{file}{}{becomes}", [1, 8][dice.below(2)])
        }
        5 => format!("{}{}{becomes}", square(dice), square(dice)),
        6 => format!("{letter}x{}{sign}", square(dice)),
        _ => format!("{letter}{}{sign}", square(dice)),
    }
}

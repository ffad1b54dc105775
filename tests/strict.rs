//! What `fix` writes is read by python-chess and pgn-extract, the strictest common readers, and by the witness that
//! knows their ways.

#![allow(clippy::unwrap_used)] // a test that cannot set its stage fails

#[path = "../examples/games/broken.rs"]
#[allow(dead_code, reason = "what was done is of no interest here")]
mod broken;

use std::{
    ffi::{OsStr, OsString},
    io::Write,
    path::Path,
    process::{Command, Stdio},
    thread,
};

use broken::{Dice, broken};
use pgn_audit::{
    check::{
        mending::{self, Part, Threshold},
        stream::Batch,
    },
    examine::Options,
    fix::AgainstRules,
    replay,
    sheet::{Source, game, strict},
};
use proptest::prelude::*;
use shakmaty::{Chess, Move, Position, san::SanPlus};

/// A text as `fix` writes it.
fn fixed(text: &[u8]) -> Vec<u8> {
    // No reader plays what was played against the rules: the game is parted there.
    let options = Options { repair: true, against: AgainstRules::Split, ..Options::default() };
    let all = Threshold { at_least: Some(0.0) };
    let parts = mending::mend(&Batch::whole(text.to_vec()), &options, all).parts;
    let bytes = |part: &Part| match part {
        Part::Kept(bytes) | Part::Changed { after: bytes, .. } => bytes.clone(),
    };
    parts.iter().flat_map(bytes).collect()
}

/// The main line of each game as read here, check signs left out; and the first thing that the witness refuses.
fn ours(text: &[u8]) -> (Vec<Vec<String>>, Option<String>) {
    let source = Source::read(text.to_vec());
    let (mut lines, mut refused) = (Vec::new(), None);
    for game in game::games(&source) {
        let replay = replay::replay(&source, &game);
        let moves: Vec<Move> = replay.plies.iter().map(|played| played.mv).collect();
        let stumble = strict::stumble(&source, &game, &replay.start, &moves, false).map(|s| s.why);
        refused = refused.or(stumble);
        let bare = |san: &str| san.trim_end_matches(['+', '#']).to_owned();
        lines.push(replay.plies.iter().map(|played| bare(&played.san)).collect());
    }
    (lines, refused)
}

/// Spellings and faults, to be put in for a move or between moves of a game.
const SCRAPS: [&str; 40] = [
    "Nf9",
    "0-0",
    "Sf3",
    "♘f3",
    "exd",
    "ed5",
    "xd5",
    "--",
    "?",
    "e2e4",
    "{x}",
    "(1. a3)",
    "(a3)",
    "$5",
    "!?",
    "+-",
    "1-0",
    "\n\n",
    "\r",
    "(0:12)",
    "hello",
    "}",
    ")",
    "{",
    "(",
    "N f3",
    "4.",
    "4...",
    "...",
    "3. 3.",
    "{a} 5.",
    "[Annotator \"y\"]",
    "\n[Annotator \"y\"]\n",
    "; rest",
    "(1. a3 {x)",
    "({a} 3. $1 b3)",
    "]",
    "*",
    "\n%x\n",
    "12.",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever `fix` makes of a score that can be played to its end is read by a strict reader, and stays as it is.
    #[test]
    fn a_strict_reader_reads_whatever_was_wrong(
        at in prop::collection::vec((0..12usize, 0..SCRAPS.len(), any::<bool>()), 0..4),
        tagged in any::<bool>(),
    ) {
        let moves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5";
        let mut words: Vec<String> = moves.split(' ').enumerate().map(|(i, m)| {
            if i % 2 == 0 { format!("{}. {m}", i / 2 + 1) } else { m.to_owned() }
        }).collect();
        for (place, scrap, replace) in at {
            let number = if place % 2 == 0 { format!("{}. ", place / 2 + 1) } else { String::new() };
            words[place] = if replace {
                format!("{number}{}", SCRAPS[scrap])
            } else {
                // Behind the move, or between its number and itself.
                match words[place].strip_prefix(&number).filter(|_| scrap % 2 == 0) {
                    Some(bare) => format!("{number}{} {bare}", SCRAPS[scrap]),
                    None => format!("{} {}", words[place], SCRAPS[scrap]),
                }
            };
        }
        let head = if tagged { "[Event \"x\"]\n[Result \"*\"]\n\n" } else { "" };
        let text = format!("{head}{} *\n", words.join(" "));
        let after = fixed(text.as_bytes());
        let shown = String::from_utf8_lossy(&after);
        prop_assert_eq!(ours(&after).1, None, "{}\n->\n{}", text, shown);
        let again = fixed(&after);
        prop_assert_eq!(String::from_utf8_lossy(&again), shown, "{}", text);
    }
}

/// How many texts the property is tried on.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}

/// A game of random legal moves, all of them drawn by lot but that captures are somewhat liked.
fn playout(dice: &mut Dice) -> (Vec<String>, &'static str) {
    let mut position = Chess::default();
    let mut sans = Vec::new();
    let wanted = 24 + dice.below(16);
    while sans.len() < wanted {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let captures: Vec<Move> = legal.iter().copied().filter(|mv| mv.is_capture()).collect();
        let mv = if !captures.is_empty() && dice.below(4) == 0 {
            captures[dice.below(captures.len())]
        } else {
            legal[dice.below(legal.len())]
        };
        sans.push(SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string());
    }
    let result = if position.is_checkmate() {
        if position.turn().is_white() { "0-1" } else { "1-0" }
    } else {
        ["1-0", "0-1", "1/2-1/2"][dice.below(3)]
    };
    (sans, result)
}

/// Broken scores, one after the other.
fn scores(seed: u64, count: usize) -> String {
    let mut dice = Dice::new(seed);
    let mut text = String::new();
    let mut made = 0;
    while made < count {
        let (sans, result) = playout(&mut dice);
        if sans.len() < 20 {
            continue;
        }
        let Some(score) = broken(&sans, &mut dice) else { continue };
        // Every seventh game has no blank line before the next one.
        let gap = if made % 7 == 0 { "" } else { "\n" };
        text += &format!("[Event \"{made}\"]\n[Result \"{result}\"]\n\n{}{result}\n{gap}", score.movetext);
        made += 1;
    }
    text
}

/// What a program says of a text: its output, and its complaints.
fn said(program: &OsStr, args: &[&str], text: &[u8]) -> (String, String) {
    let child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.unwrap_or_else(|e| panic!("{}: {e}", program.display()));
    let mut stdin = child.stdin.take().unwrap();
    let text = text.to_vec();
    let feeder = thread::spawn(move || stdin.write_all(&text));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap().unwrap();
    assert!(output.status.success(), "{}: {}", program.display(), String::from_utf8_lossy(&output.stderr));
    (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).trim().to_owned(),
    )
}

/// Prints one game a line, its moves without check signs; errors go to the other stream.
const BY_PYTHON: &str = "import chess.pgn, io, logging, sys
logging.getLogger('chess.pgn').setLevel(logging.CRITICAL)
stream = io.StringIO(sys.stdin.buffer.read().decode('utf-8'))
while (game := chess.pgn.read_game(stream)) is not None:
    board, sans = game.board(), []
    for error in game.errors:
        print(game.headers['Event'], error, file=sys.stderr)
    for move in game.mainline_moves():
        sans.append(board.san(move).rstrip('+#'))
        board.push(move)
    print(' '.join(sans))
";

fn read_by_python(text: &[u8]) -> (Vec<Vec<String>>, String) {
    let python: OsString = std::env::var_os("PGN_AUDIT_PYTHON")
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target/venv/bin/python").into());
    let (lines, errors) = said(&python, &["-c", BY_PYTHON], text);
    (lines.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect(), errors)
}

fn read_by_extract(text: &[u8]) -> (Vec<Vec<String>>, String) {
    let args =
        ["-s", "-C", "-N", "-V", "--nomovenumbers", "--nochecks", "--noresults", "--notags", "-w100000"];
    let (lines, said) = said("/usr/games/pgn-extract".as_ref(), &args, text);
    // It counts thousands of games there too.
    let complaints =
        said.split(['\n', '\r']).filter(|line| !line.trim().is_empty() && !line.starts_with("Games: "));
    let errors = complaints.collect::<Vec<_>>().join("\n");
    let lines = lines.lines().filter(|line| !line.trim().is_empty());
    (lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect(), errors)
}

/// How many scores are broken, repaired and read: `PGN_AUDIT_SCORES`, or as many as take about a minute.
fn wanted() -> usize {
    std::env::var("PGN_AUDIT_SCORES").ok().and_then(|n| n.parse().ok()).unwrap_or(320)
}

#[test]
fn other_programs_read_repaired_scores() {
    let count = wanted();
    let parts: Vec<(String, Vec<u8>)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|part| {
                scope.spawn(move || {
                    let text = scores(20 + part, count / 4);
                    let after = fixed(text.as_bytes());
                    (text, after)
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    let after: Vec<u8> = parts.into_iter().flat_map(|(_, after)| [after, b"\n".to_vec()].concat()).collect();
    let (want, refused) = ours(&after);
    assert_eq!(refused, None);
    assert!(want.len() >= count / 4 * 4, "{} games", want.len());
    let source = String::from_utf8(after.clone()).unwrap();
    let place = |game: usize| source.split("[Event ").nth(game + 1).unwrap_or_default().to_owned();
    for (name, (got, errors)) in
        [("python-chess", read_by_python(&after)), ("pgn-extract", read_by_extract(&after))]
    {
        assert_eq!(errors, "", "{name}");
        // pgn-extract writes nothing for a game of which no move is left.
        let want: Vec<&Vec<String>> = want.iter().filter(|line| !line.is_empty()).collect();
        let got: Vec<&Vec<String>> = got.iter().filter(|line| !line.is_empty()).collect();
        let differs = want.iter().zip(&got).position(|(one, other)| one != other);
        assert!(differs.is_none(), "{name}: {}", place(differs.unwrap_or(0)));
        assert_eq!(got.len(), want.len(), "{name}");
    }
}

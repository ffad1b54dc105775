//! One UCI line to one value and back; unknown lines are data; knows nothing of processes.
//!
//! [vampirc-uci](vampirc_uci) reads the lines. It trusts numbers to fit their fields, which a broken engine's
//! do not; such lines are set aside as [`Answer::Other`] before it sees them.

use shakmaty::{
    CastlingMode, Chess, EnPassantMode, Move, Position,
    fen::Fen,
    uci::{IllegalUciMoveError, UciMove},
};
use vampirc_uci::{UciFen, UciInfoAttribute, UciMessage, UciOptionConfig, UciSearchControl, parse_one};

use super::{Identity, MoverScore};

/// Lines longer than this many bytes are no UCI (a principal variation takes 5 bytes a ply).
pub const LONGEST_LINE: usize = 8192;

/// What an engine said in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// `id name ...`.
    Name(String),
    /// `option name ...`: something that can be set.
    Option(Setting),
    /// `uciok`.
    UciOk,
    /// `readyok`.
    ReadyOk,
    /// `info` with a score in it.
    Info(Info),
    /// `bestmove e2e4`; the text of the move.
    BestMove(String),
    /// Anything else: banners, strings, empty and garbled lines.
    Other,
}

/// An option that the engine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name as the engine spells it.
    pub name: String,
    /// The range of a number, lowest first.
    pub range: Option<(i64, i64)>,
}

/// One line of a search with a score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Depth in plies.
    pub depth: u32,
    /// The score from the view of the side to move.
    pub score: MoverScore,
    /// Whether the score is only a bound (`lowerbound`, `upperbound`): never to be recorded as a score.
    pub bound: bool,
    /// The principal variation as the engine writes it.
    pub pv: Vec<String>,
}

/// Reads one line, without its line end.
pub fn read(line: &str) -> Answer {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        Some("bestmove") => Answer::BestMove(words.next().unwrap_or_default().to_owned()),
        Some("info") if tame(line) => info(line),
        Some("id" | "option" | "uciok" | "readyok") if line.len() <= LONGEST_LINE => match parse_one(line) {
            UciMessage::Id { name: Some(name), .. } => Answer::Name(name),
            UciMessage::Option(option) => Answer::Option(setting(&option)),
            UciMessage::UciOk => Answer::UciOk,
            UciMessage::ReadyOk => Answer::ReadyOk,
            _ => Answer::Other,
        },
        _ => Answer::Other,
    }
}

/// Whether the numbers of an `info` line fit the fields that vampirc-uci reads them into, and a score is there.
fn tame(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace().skip(1).peekable();
    let mut scored = false;
    while let Some(word) = words.next() {
        let next = words.peek().copied().unwrap_or_default();
        let fits = match word.to_ascii_lowercase().as_str() {
            "string" => break,
            "depth" | "seldepth" => next.parse::<u8>().is_ok(),
            "mate" => next.parse::<i8>().is_ok(),
            "cp" => next.parse::<i32>().is_ok(),
            "score" => {
                scored = true;
                true
            }
            _ => true,
        };
        if !fits {
            return false;
        }
    }
    scored && line.len() <= LONGEST_LINE
}

fn info(line: &str) -> Answer {
    let UciMessage::Info(attributes) = parse_one(line) else { return Answer::Other };
    let (mut depth, mut score, mut pv, mut first) = (None, None, Vec::new(), true);
    for attribute in attributes {
        match attribute {
            UciInfoAttribute::Depth(d) => depth = Some(u32::from(d)),
            UciInfoAttribute::Score { cp, mate, lower_bound, upper_bound } => {
                let value = match (cp, mate) {
                    (_, Some(n)) if n > 0 => Some(MoverScore::Mates(n.unsigned_abs().into())),
                    (_, Some(n)) if n < 0 => Some(MoverScore::Mated(n.unsigned_abs().into())),
                    (Some(cp), None) => Some(MoverScore::Cp(cp)),
                    _ => None,
                };
                score = value.map(|v| (v, lower_bound == Some(true) || upper_bound == Some(true)));
            }
            UciInfoAttribute::Pv(moves) => pv = moves.iter().map(ToString::to_string).collect(),
            UciInfoAttribute::MultiPv(n) => first = n == 1,
            _ => {}
        }
    }
    match (depth, score) {
        (Some(depth), Some((score, bound))) if first => Answer::Info(Info { depth, score, bound, pv }),
        _ => Answer::Other,
    }
}

fn setting(option: &UciOptionConfig) -> Setting {
    let range = match option {
        UciOptionConfig::Spin { min: Some(min), max: Some(max), .. } if min <= max => Some((*min, *max)),
        _ => None,
    };
    Setting { name: option.get_name().to_owned(), range }
}

/// The commands that are sent, as text.
pub mod command {
    use super::*;

    /// `setoption name NAME value VALUE`.
    pub fn set(name: &str, value: &str) -> String {
        UciMessage::SetOption { name: name.to_owned(), value: Some(value.to_owned()) }.to_string()
    }

    /// `position fen FEN`.
    pub fn position(fen: &str) -> String {
        let fen = Some(UciFen(fen.to_owned()));
        UciMessage::Position { startpos: false, fen, moves: Vec::new() }.to_string()
    }

    /// `go depth N`: the one limit that every engine keeps and that gives the same answer twice.
    pub fn search(depth: u32) -> String {
        let control = UciSearchControl::depth(u8::try_from(depth).unwrap_or(u8::MAX));
        UciMessage::Go { time_control: None, search_control: Some(control) }.to_string()
    }
}

/// Up to this half-move clock a position is searched as if the last capture or pawn move were just played.
///
/// So a position that comes back later in the game is the same position, and no search of usual depth
/// sees the fifty-move rule from there.
const CLOCK_THAT_MATTERS: u32 = 60;

/// The position as it is put to an engine and as it stands in the cache: the move number is 1, and the half-move
/// clock is 0 as long as it cannot matter.
pub fn canonical_fen(position: &Chess) -> String {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.fullmoves = std::num::NonZeroU32::MIN;
    if setup.halfmoves < CLOCK_THAT_MATTERS {
        setup.halfmoves = 0;
    }
    Fen::try_from_setup(setup).unwrap_or_else(|lossy| lossy.ignore()).to_string()
}

/// The legal move that an engine's `e2e4` means here.
///
/// # Errors
/// Where the text is no move or the move is not legal.
pub fn legal_move(text: &str, position: &Chess) -> Result<Move, NoSuchMove> {
    Ok(text.parse::<UciMove>().map_err(|_| NoSuchMove)?.to_move(position)?)
}

/// The principal variation as far as it is legal.
pub fn legal_line(pv: &[String], position: &Chess) -> Vec<Move> {
    let mut position = position.clone();
    let mut line = Vec::new();
    for text in pv {
        let Ok(mv) = legal_move(text, &position) else { break };
        position.play_unchecked(mv);
        line.push(mv);
    }
    line
}

/// A move as engines write it.
pub fn written(mv: Move) -> String {
    UciMove::from_move(mv, CastlingMode::Standard).to_string()
}

/// An engine's move that is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no legal move")]
pub struct NoSuchMove;

impl From<IllegalUciMoveError> for NoSuchMove {
    fn from(_: IllegalUciMoveError) -> NoSuchMove {
        NoSuchMove
    }
}

/// Name and version out of `id name`: `GNU Chess 6.2.7` is `gnuchess` `6.2.7`.
///
/// The version starts at the first word with a digit in front (or behind a `v`); without one it is "unknown".
pub fn identity(id_name: &str) -> Identity {
    let is_version =
        |word: &str| word.trim_start_matches(['v', 'V']).starts_with(|c: char| c.is_ascii_digit());
    let words: Vec<&str> = id_name.split_whitespace().collect();
    let cut = words.iter().skip(1).position(|w| is_version(w)).map_or(words.len(), |i| i + 1);
    let name: String = words[..cut].concat().to_lowercase();
    let version = match words.get(cut) {
        Some(word) => word.trim_start_matches(['v', 'V']).to_owned(),
        None => "unknown".to_owned(),
    };
    Identity { name, version }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    fn info(line: &str) -> Option<Info> {
        match read(line) {
            Answer::Info(info) => Some(info),
            _ => None,
        }
    }

    #[test]
    fn reads_what_gnu_chess_and_stockfish_say() {
        assert_eq!(read("id name GNU Chess 6.2.7"), Answer::Name("GNU Chess 6.2.7".to_owned()));
        assert_eq!(read("GNU Chess 6.2.7"), Answer::Other);
        assert_eq!(read(""), Answer::Other);
        assert_eq!(read("info depth 3"), Answer::Other);
        assert_eq!(read("info depth 8 seldepth 20 time 51 nodes 72286 nps 0"), Answer::Other);
        assert_eq!(
            read("option name Hash type spin default 16 min 4 max 1024"),
            Answer::Option(Setting { name: "Hash".to_owned(), range: Some((4, 1024)) })
        );
        let Answer::Option(book) = read("option name OwnBook type check default true") else { panic!() };
        assert_eq!((book.name.as_str(), book.range), ("OwnBook", None));
        let line = info("info depth 8 seldepth 17 score cp -31 time 27 nodes 35078 pv b1c3 g8f6").unwrap();
        assert_eq!((line.depth, line.score, line.bound), (8, MoverScore::Cp(-31), false));
        assert_eq!(line.pv, ["b1c3", "g8f6"]);
        let line = info("info depth 5 seldepth 4 multipv 1 score mate -2 nodes 9 pv a7a8q h2h1n").unwrap();
        assert_eq!((line.score, line.pv.len()), (MoverScore::Mated(2), 2));
        assert_eq!(read("bestmove e7e8q ponder a1a2"), Answer::BestMove("e7e8q".to_owned()));
        assert_eq!(read("bestmove (none)"), Answer::BestMove("(none)".to_owned()));
    }

    #[test]
    fn a_bound_is_marked_and_a_second_line_of_play_is_not_taken_for_the_first() {
        assert!(info("info depth 9 score cp 55 lowerbound pv e2e4").unwrap().bound);
        assert!(info("info depth 9 score cp 55 upperbound").unwrap().bound);
        assert_eq!(info("info depth 9 multipv 2 score cp 55 pv e2e4"), None);
        assert_eq!(info("info string depth 9 score cp 55"), None);
    }

    #[test]
    fn numbers_that_fit_no_field_are_set_aside() {
        for line in [
            "info depth 300 score cp 5",
            "info depth 4 seldepth 999 score cp 5",
            "info depth 4 score mate 128",
            "info depth 4 score mate 0",
            "info depth 4 score cp 99999999999",
            "info depth 99999999999999999999 score cp 5",
        ] {
            assert_eq!(read(line), Answer::Other, "{line}");
        }
    }

    #[test]
    fn commands_are_plain_uci() {
        assert_eq!(command::set("OwnBook", "false"), "setoption name OwnBook value false");
        assert_eq!(command::search(9).trim_end(), "go depth 9");
        let fen = canonical_fen(&Chess::default());
        assert_eq!(
            command::position(&fen),
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        );
    }

    #[test]
    fn a_position_that_comes_back_is_the_same_until_the_clock_matters() {
        let early = position("4k3/8/8/8/8/8/8/R3K3 w Q - 12 40");
        let later = position("4k3/8/8/8/8/8/8/R3K3 w Q - 16 42");
        let late = position("4k3/8/8/8/8/8/8/R3K3 w Q - 90 80");
        assert_eq!(canonical_fen(&early), canonical_fen(&later));
        assert_eq!(canonical_fen(&late), "4k3/8/8/8/8/8/8/R3K3 w Q - 90 1");
    }

    #[test]
    fn names_and_versions_are_told_apart() {
        let both = |id_name: &str| {
            let identity = identity(id_name);
            (identity.name, identity.version)
        };
        let pair = |name: &str, version: &str| (name.to_owned(), version.to_owned());
        assert_eq!(both("GNU Chess 6.2.7"), pair("gnuchess", "6.2.7"));
        assert_eq!(both("Stockfish 15.1"), pair("stockfish", "15.1"));
        assert_eq!(both("Stockfish dev-20230101-abcdef"), pair("stockfishdev-20230101-abcdef", "unknown"));
        assert_eq!(both("Crafty v23.4 x64"), pair("crafty", "23.4"));
        assert_eq!(both("3Check"), pair("3check", "unknown"));
    }

    #[test]
    fn moves_are_legal_or_refused_and_lines_end_where_they_stop_being_legal() {
        let start = Chess::default();
        assert!(legal_move("e2e4", &start).is_ok());
        for text in ["e2e5", "a1a1", "(none)", "0000", "", "e2e4q"] {
            assert_eq!(legal_move(text, &start), Err(NoSuchMove), "{text}");
        }
        let pv = ["e2e4", "e7e5", "e4e5", "a7a6"].map(str::to_owned);
        assert_eq!(legal_line(&pv, &start).len(), 2);
        let castles = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert_eq!(written(legal_move("e1g1", &castles).unwrap()), "e1g1");
    }

    proptest! {
        #[test]
        fn no_line_can_hurt(line in "(info|option|id|bestmove|uciok|readyok)?[ -~\\x00\\t\u{e9}]{0,80}") {
            read(&line);
        }

        #[test]
        fn no_order_of_words_can_hurt(words in prop::collection::vec(
            prop::sample::select(vec![
                "info", "depth", "seldepth", "score", "cp", "mate", "lowerbound", "upperbound", "pv", "e2e4", "a7a8q",
                "string", "multipv", "currline", "currmove", "refutation", "nodes", "time", "-", "-5", "0", "127",
                "255", "256", "999", "99999999999999", "option", "name", "type", "spin", "default", "min", "max",
                "var", "combo", "id", "author",
            ]), 0..14), first in prop::sample::select(vec!["info", "option", "id"])) {
            read(&format!("{first} {}", words.join(" ")));
        }
    }
}

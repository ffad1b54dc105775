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
    Fen::try_from_setup(setup).map_or_else(|e| e.ignore(), |f| f).to_string()
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

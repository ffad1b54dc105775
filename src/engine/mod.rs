//! Engines behind one trait: what they are asked, what they answer, whose view a score is.

pub mod cache;
pub mod client;
pub mod locate;
pub mod plan;
pub mod pool;
pub mod process;
pub mod uci;

use std::io;

use shakmaty::{Chess, Color, Move, Position};
use thiserror::Error;

/// A score from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoverScore {
    /// Centipawns.
    Cp(i32),
    /// The side to move mates in so many moves (from 1).
    Mates(u32),
    /// The side to move is mated in so many moves (0: it is mate).
    Mated(u32),
}

/// A score from White's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WhiteScore {
    /// Centipawns; mate in N is `10000 - N` for the side that mates, mate on the board 10000, negated for Black.
    pub cp: i32,
}

impl MoverScore {
    /// The one conversion to White's view; `turn` is the side to move.
    pub fn to_white(self, turn: Color) -> WhiteScore {
        let own = match self {
            MoverScore::Cp(cp) => cp.clamp(-9000, 9000),
            MoverScore::Mates(n) => 10_000 - n.min(999) as i32,
            MoverScore::Mated(n) => n.min(999) as i32 - 10_000,
        };
        WhiteScore { cp: if turn.is_white() { own } else { -own } }
    }
}

/// What one iteration of a deepening search said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Depth in plies.
    pub depth: u32,
    /// The score from White's view.
    pub score: WhiteScore,
    /// The best move at that depth.
    pub best: Move,
}

/// An engine's word on one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The score from White's view.
    pub score: WhiteScore,
    /// The best move; `None` only where the game is over.
    pub best: Option<Move>,
    /// Depth reached, plies; 0 where the rules decided.
    pub depth: u32,
    /// The principal variation as far as it is legal, `best` first.
    pub pv: Vec<Move>,
    /// The last iterations before the final one, shallowest first, at most [`STEPS`]; none where they are unknown.
    pub steps: Vec<Step>,
}

/// How many earlier iterations an [`Evaluation`] remembers.
pub const STEPS: usize = 2;

/// Who says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Lower-case short name: `gnuchess`, `stockfish`, `builtin`.
    pub name: String,
    /// Version as the engine tells it: `6.2.7`.
    pub version: String,
}

/// One position to be searched.
#[derive(Clone, Debug)]
pub struct Request {
    /// The position.
    pub position: Chess,
    /// Depth in plies.
    pub depth: u32,
}

/// Why an engine gave no evaluation.
#[derive(Debug, Error)]
pub enum EngineError {
    /// No such program.
    #[error("no engine {name:?} found ({searched})")]
    NotFound {
        /// As asked for.
        name: String,
        /// Where it was looked for, in words.
        searched: String,
    },
    /// The program is there, but does not start.
    #[error("the engine {name} cannot be started: {source}")]
    Start {
        /// Name of the engine.
        name: String,
        /// What the system said.
        source: io::Error,
    },
    /// It did not answer in time.
    #[error("the engine {name} did not answer {request:?} within {seconds} s")]
    Silent {
        /// Name of the engine.
        name: String,
        /// The command it owes an answer to.
        request: String,
        /// The time it was given.
        seconds: u64,
    },
    /// It ended by itself.
    #[error("the engine {name} died ({how})")]
    Died {
        /// Name of the engine.
        name: String,
        /// Exit status and last words.
        how: String,
    },
    /// It answered, but not what can be used.
    #[error("the engine {name} answered nonsense: {what}")]
    Nonsense {
        /// Name of the engine.
        name: String,
        /// What it answered.
        what: String,
    },
    /// Ctrl-C or SIGTERM while it was searching.
    #[error("interrupted")]
    Interrupted,
}

/// Something that gives its opinion on positions.
///
/// The same request is answered with the same evaluation whatever was asked before.
pub trait Evaluator: Send {
    /// Whose opinion it is.
    fn identity(&self) -> &Identity;

    /// The settings that its answers depend on, in a fixed order.
    fn options(&self) -> String {
        String::new()
    }

    /// How often it had to be started again.
    fn restarts(&self) -> u32 {
        0
    }

    /// Searches one position; finished games are the caller's business ([`finished`] decides them).
    ///
    /// # Errors
    /// Where the engine cannot be brought to a usable answer.
    fn evaluate(&mut self, request: &Request) -> Result<Evaluation, EngineError>;
}

/// The rules' word on a position where the game is over: mate, stalemate, or neither side can mate.
pub fn finished(position: &Chess) -> Option<Evaluation> {
    let cp = if position.is_checkmate() {
        MoverScore::Mated(0).to_white(position.turn()).cp
    } else if position.is_stalemate() || position.is_insufficient_material() {
        0
    } else {
        return None;
    };
    Some(Evaluation { score: WhiteScore { cp }, best: None, depth: 0, pv: Vec::new(), steps: Vec::new() })
}

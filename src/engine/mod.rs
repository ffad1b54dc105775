//! Engines behind one trait: what they are asked, what they answer, whose view a score is.

pub mod cache;
pub mod pool;
pub mod process;
pub mod uci;

use shakmaty::{Chess, Color, Move};

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

/// An engine's word on one position.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The score from White's view.
    pub score: WhiteScore,
    /// The best move; `None` only where the game is over.
    pub best: Option<Move>,
    /// Depth reached, plies; 0 where the rules decided.
    pub depth: u32,
    /// The principal variation as far as it is legal, `best` first.
    pub pv: Vec<Move>,
}

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

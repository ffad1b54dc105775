//! Swings, winning chances and the result; knows nothing of files.

use shakmaty::Color;

/// A move that cost its player 180 centipawns or more.
#[derive(Clone, Debug)]
pub struct Blunder {
    /// Ply of the repaired game, from 1.
    pub ply: u32,
    /// Who moved.
    pub side: Color,
    /// The move.
    pub san: String,
    /// The engine's choice instead.
    pub best_san: String,
    /// The opponent's centipawns before the move, capped at ±1000.
    pub cp_before: i32,
    /// The opponent's centipawns after the move, capped at ±1000.
    pub cp_after: i32,
    /// `cp_after - cp_before`.
    pub swing: i32,
}

/// The Result tag against the last position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultCheck {
    /// The tag's text in the input, "" where there is none.
    pub declared: String,
    /// What the rules or the engine say of the last position; `None` where nobody could say.
    pub engine_suggests: Option<String>,
    /// Whether the two are equal.
    pub matches: Option<bool>,
}

//! Swings, winning chances and the result; knows nothing of files.

mod doubt;
mod loss;
mod result;

pub use doubt::{doubtful, undecided};
pub use loss::{BAND, Blunder, Grade, Judgement, Loss, MateChange, judge, swing, win_chance};
pub use result::{Decision, ResultCheck, ResultMode, WIN, check, decide, suggest};

/// Centipawns that a move must lose to be a blunder of the list.
pub const BLUNDER: i32 = 180;

/// Scores beyond this many centipawns count as this many: from there on the game is won.
pub const CAP: i32 = 1000;

/// Blunders in the list at most; the others stand in [`Judgement::all_blunders`].
pub const LISTED: usize = 4;

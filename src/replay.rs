//! The only place that plays written moves; a refusal is data with a reason in chess terms.

use shakmaty::{Chess, Move};

/// A written move that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Index of its slot.
    pub slot: usize,
    /// The move.
    pub mv: Move,
    /// Canonical SAN with the true check sign.
    pub san: String,
}

/// Why a written move could not be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// Understood, but against the rules in this position.
    Illegal,
    /// More than one legal move answers to it.
    Ambiguous,
    /// Not a move in any spelling known.
    Unreadable,
    /// An empty box.
    Missing,
    /// The game was over already, or the entry is no part of it.
    Extra,
}

/// The first written move that cannot be played.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Index of its slot.
    pub slot: usize,
    /// What kind of failure.
    pub kind: RefusalKind,
    /// The reason in chess terms: "no white knight can reach f3".
    pub reason: String,
}

/// A game played as far as its written moves allow.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The position that the game starts from.
    pub start: Chess,
    /// The moves played, in order.
    pub plies: Vec<Played>,
    /// Where and why the replay stopped before the last slot, if it did.
    pub refusal: Option<Refusal>,
}

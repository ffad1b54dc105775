//! Finds the game that was really played: chooses, ranks and weighs repairs, or says that it cannot tell.

pub mod channel;
pub mod lattice;
pub mod prior;

use shakmaty::{Chess, Color, Move};

use crate::sheet::Span;

/// One written entry as the decoder sees it: spelling habits and language already taken away.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The entry in ASCII English SAN letters as far as it can be read (`Nf9`, `exd`, `0-0` as `O-O`); empty for a blank box.
    pub text: String,
    /// The move number written right before it.
    pub number: Option<u32>,
    /// The column it is written in, where number or dots say so.
    pub side: Option<Color>,
    /// Where it stands in the text.
    pub span: Span,
}

/// What is to be explained.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The position that the game starts from.
    pub start: Chess,
    /// The number of the first move (1, or what a FEN tag says).
    pub first_number: u32,
    /// The written entries, in order.
    pub cells: Vec<Cell>,
    /// The result as read off the sheet (`1-0`, `0-1`, `1/2-1/2`), if it is known.
    pub result: Option<String>,
}

/// What an edit does to the written sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Another move was played than the one written.
    Substitute,
    /// A move was played that is not written.
    Insert,
    /// An entry is no move of the game.
    Delete,
    /// Two entries stand in each other's place.
    Swap,
    /// A tag is changed (FEN side to move, result).
    Tag,
}

/// One change of which move is played.
#[derive(Clone, Debug)]
pub struct Edit {
    /// What is done.
    pub op: Op,
    /// Written ply (from 1); for an insertion the slot that it precedes, for a swap the smaller one.
    pub written_ply: u32,
    /// Ply in the repaired game (from 1); for a deletion that of the next kept move, for a tag 0.
    pub ply: u32,
    /// For a swap the other written ply.
    pub other_ply: Option<u32>,
    /// The entry as the decoder saw it; empty for an insertion.
    pub written: String,
    /// Canonical SAN of the move played; empty for a deletion.
    pub san: String,
    /// Where it was written; an empty span for an insertion.
    pub span: Span,
    /// Cost in nats.
    pub cost: f64,
    /// Why, in one sentence.
    pub reason: String,
}

/// How sure the best repair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Probability at least 0.99.
    Certain,
    /// The best by a margin.
    Likely,
    /// Several repairs cannot be told apart.
    Ambiguous,
    /// From some ply on nothing plausible was found.
    Unexplained,
}

/// One game that explains the sheet.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Probability, 0 to 1; those of one sheet sum to at most 1.
    pub probability: f64,
    /// The moves from the start position.
    pub moves: Vec<Move>,
    /// Canonical SAN of `moves`, check signs included.
    pub sans: Vec<String>,
    /// The changes, by ply.
    pub edits: Vec<Edit>,
}

/// The answer for one sheet.
#[derive(Clone, Debug)]
pub struct Repair {
    /// How sure.
    pub verdict: Verdict,
    /// The best reading.
    pub best: Reading,
    /// At most nine others, the likeliest first.
    pub alternatives: Vec<Reading>,
    /// The first written ply (from 1) that `best` does not explain; from there on nothing is kept.
    pub unexplained_from: Option<u32>,
    /// Written plies (from 1) that are illegal but were probably played as written, with the reason.
    pub probably_played: Vec<(u32, String)>,
}

//! The written sheet: bytes, tokens, games and what one written move may mean.

mod assemble;
pub mod clocks;
pub mod cut;
pub mod game;
mod items;
pub mod letters;
pub mod lexer;
mod lists;
pub mod notation;
pub mod outcome;
pub mod source;
mod spacing;
pub mod strict;
mod tags;
pub mod witness;
mod word;

pub use game::{Game, Slot, Tag, Terminator, Variation};
pub use letters::Letters;
pub use source::{Encoding, Location, Origin, Source, Span};

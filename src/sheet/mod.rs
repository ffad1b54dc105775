//! The written sheet: bytes, tokens, games and what one written move may mean.

pub mod game;
pub mod lexer;
pub mod notation;
pub mod source;

pub use game::{Game, Slot, Tag, Terminator};
pub use source::{Encoding, Location, Source, Span};

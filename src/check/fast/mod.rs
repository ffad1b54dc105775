//! Proves the usual game clean in one pass, without building anything.
//!
//! [`clean_game`] knows only what a well-kept file has: one tag pair a line, one blank line, moves in canonical
//! SAN under their right numbers with true check signs, comments, glyphs, and a terminator that agrees with
//! the Result tag and the board. At the first thing out of that order it gives up, and the full reader, which
//! knows everything else, has the last word. So a verdict of "clean" is all that this module can say.

pub mod follow;
mod movetext;
mod tags;

use shakmaty::Chess;

use crate::sheet::Span;

/// Zero bytes that must follow the text handed to [`clean_game`], so that a token is always read whole.
pub const PADDING: usize = 16;

/// What a clean game holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clean {
    /// One past its last byte: the start of the next game or the end of the text.
    pub end: usize,
    /// Moves of its main line.
    pub plies: u32,
    /// Its result, in the tag and at the end.
    pub result: &'static str,
    /// What the rules say of its last position.
    pub board: Option<&'static str>,
}

/// The game that begins at byte `from` of `text`, if it is clean; `text` must end in [`PADDING`] zero bytes,
/// which are not part of it. Where `moves` is given, the span of each move (check sign included, glyphs not)
/// is added to it; they are the game's canonical SAN.
pub fn clean_game(text: &[u8], from: usize, moves: Option<&mut Vec<Span>>) -> Option<Clean> {
    let end = text.len().checked_sub(PADDING)?;
    let tags = tags::read(&text[..end], from)?;
    movetext::read(text, &tags, Chess::default(), moves)
}

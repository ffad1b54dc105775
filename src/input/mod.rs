//! Files as they come: unpacked, told from what is no text, cut into games.

pub mod open;

use sha2::{Digest, Sha256};

use open::Packing;

use crate::sheet::{Encoding, Game, Source, Span, game};

/// A file of scores as it came.
#[derive(Clone, Debug)]
pub struct Input {
    /// The file's own name without folders; `-` for standard input.
    pub name: String,
    /// SHA-256 of its bytes (unpacked), hexadecimal.
    pub sha256: String,
    /// How it was packed.
    pub packing: Packing,
    /// Its encoding.
    pub encoding: Encoding,
    /// The games in it, at least one.
    pub games: Vec<Score>,
}

/// One game of the file.
#[derive(Clone, Debug)]
pub struct Score {
    /// Its bytes as they came.
    pub raw: Vec<u8>,
    /// Its text; knows its place in the file.
    pub source: Source,
    /// The game; its spans count in `source`.
    pub game: Game,
}

/// A file of which more than one byte in so many is a control character is no text.
const CONTROLS: usize = 50;

/// The file holds nothing to be audited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    /// Not a byte.
    #[error("is empty")]
    Empty,
    /// Bytes, but not of a text.
    #[error("is no text: {0} of its {1} bytes are control characters")]
    Binary(usize, usize),
    /// A text without a move or a tag.
    #[error("holds no game")]
    NoGame,
}

impl Input {
    /// Reads a file's bytes, unpacked; `name` is its own name without folders, `packing` how it was packed.
    ///
    /// The games' bytes tile the file: text before the first game goes with the first, any other with the game
    /// before it.
    ///
    /// # Errors
    /// Where there is no game in it.
    pub fn read(name: &str, packing: Packing, bytes: Vec<u8>) -> Result<Input, InputError> {
        if bytes.is_empty() {
            return Err(InputError::Empty);
        }
        let sha256 = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
        let source = Source::read(bytes.clone());
        text(&source.text)?;
        let starts: Vec<usize> =
            game::games(&source).iter().filter(|g| !g.is_empty()).map(|g| g.span.start).collect();
        if starts.is_empty() {
            return Err(InputError::NoGame);
        }
        let mut games = Vec::with_capacity(starts.len());
        for (i, start) in starts.iter().enumerate() {
            let start = if i == 0 { 0 } else { *start };
            let span = Span::new(start, starts.get(i + 1).copied().unwrap_or(source.text.len()));
            let mut raw = if starts.len() == 1 { bytes.clone() } else { raw(&source, span) };
            if starts.len() > 1 && i == 0 && matches!(bytes[..], [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
                raw.splice(..0, bytes[..2].iter().copied()); // the mark of UTF-16 is no part of its text
            }
            let source = source.slice(span);
            let game = game::games(&source).into_iter().find(|g| !g.is_empty());
            games.extend(game.map(|game| Score { raw, source, game }));
        }
        if games.is_empty() {
            return Err(InputError::NoGame);
        }
        Ok(Input { name: name.to_owned(), sha256, packing, encoding: source.encoding, games })
    }
}

/// Whether these bytes, in UTF-8 or one byte a character, are those of a text at all.
///
/// # Errors
/// [`InputError::Binary`] where it is not.
pub fn text(bytes: &[u8]) -> Result<(), InputError> {
    let control = |b: &&u8| b.is_ascii_control() && !b"\t\n\r\x0c\x1a".contains(*b);
    let controls = bytes.iter().filter(control).count();
    if controls * CONTROLS > bytes.len() {
        return Err(InputError::Binary(controls, bytes.len()));
    }
    Ok(())
}

/// The bytes of the file that the text under `span` was read from.
fn raw(source: &Source, span: Span) -> Vec<u8> {
    let text = source.bytes(span);
    let units = || String::from_utf8_lossy(text).encode_utf16().collect::<Vec<u16>>();
    match source.encoding {
        Encoding::Utf8 | Encoding::Utf8Bom | Encoding::Windows1252 => text.to_vec(),
        Encoding::Utf16Le => units().iter().flat_map(|u| u.to_le_bytes()).collect(),
        Encoding::Utf16Be => units().iter().flat_map(|u| u.to_be_bytes()).collect(),
    }
}

/// The encoding's name as the report writes it.
pub fn encoding_name(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Utf8 => "UTF-8",
        Encoding::Utf8Bom => "UTF-8 with BOM",
        Encoding::Utf16Le => "UTF-16LE",
        Encoding::Utf16Be => "UTF-16BE",
        Encoding::Windows1252 => "Windows-1252",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_of_a_file_in_utf_16_tile_it() {
        let text = "[Event \"\u{fc}\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n";
        for mark in [&[0xff, 0xfe][..], &[]] {
            let mut bytes = mark.to_vec();
            bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
            let input = Input::read("x.pgn", Packing::Plain, bytes.clone()).unwrap();
            assert_eq!((input.games.len(), input.encoding), (2, Encoding::Utf16Le));
            assert_eq!(input.games.iter().flat_map(|g| g.raw.clone()).collect::<Vec<_>>(), bytes);
        }
    }
}

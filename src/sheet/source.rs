//! The bytes of a score, their encoding, and places in them; knows nothing of chess.

/// A half-open range of bytes of a [`Source`]'s text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span from `start` up to, not including, `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// Length in bytes.
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the span holds no byte; an insertion point is such a span.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// How the input's bytes stand for characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8 (pure ASCII included) without a byte order mark.
    Utf8,
    /// UTF-8 behind a byte order mark.
    Utf8Bom,
    /// UTF-16, little endian. The text is its UTF-8 transcription.
    Utf16Le,
    /// UTF-16, big endian. The text is its UTF-8 transcription.
    Utf16Be,
    /// Not valid UTF-8; read as Windows-1252.
    Windows1252,
}

/// A place as people count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// Line in the whole file, from 1; CR, LF and CRLF each end one line.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// Where a piece of text begins in the file that it was cut from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Bytes before it in the (transcribed) file.
    pub offset: usize,
    /// Lines before it.
    pub line: usize,
}

/// The text of a score (a whole file or one game cut out of it): every byte is kept as it came.
#[derive(Clone, Debug)]
pub struct Source {
    /// The bytes that spans count in: the input as it is, UTF-16 as its UTF-8 transcription.
    pub text: Vec<u8>,
    /// How the input was encoded.
    pub encoding: Encoding,
    /// Where `text` begins in its file.
    pub origin: Origin,
    /// Start of each line in `text`.
    line_starts: Vec<usize>,
}

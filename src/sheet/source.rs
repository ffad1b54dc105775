//! The bytes of a score, their encoding, and places in them; knows nothing of chess.

use std::{borrow::Cow, sync::OnceLock};

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
    /// Not valid UTF-8; what is not UTF-8 in it is read as Windows-1252.
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
    /// Whether the tags of another game follow right behind `text` in its file.
    pub followed: bool,
    /// Start of each line in `text`.
    line_starts: Vec<usize>,
    /// Places in long lines and the characters before them, for finding columns without reading a line twice.
    milestones: OnceLock<Vec<Milestone>>,
}

/// A place inside a long line.
#[derive(Clone, Copy, Debug)]
struct Milestone {
    offset: usize,
    /// Characters of the line before it.
    characters: usize,
}

/// Bytes between two milestones, about.
const STRIDE: usize = 256;

/// The UTF-8 byte order mark.
pub const BOM: &[u8] = b"\xEF\xBB\xBF";

impl Source {
    /// Reads a whole file: finds its encoding and transcribes UTF-16 to UTF-8; nothing else is changed.
    pub fn read(bytes: Vec<u8>) -> Source {
        let encoding = encoding(&bytes);
        let text = match encoding {
            Encoding::Utf16Le => {
                encoding_rs::UTF_16LE.decode_with_bom_removal(&bytes).0.into_owned().into_bytes()
            }
            Encoding::Utf16Be => {
                encoding_rs::UTF_16BE.decode_with_bom_removal(&bytes).0.into_owned().into_bytes()
            }
            _ => bytes,
        };
        Source::part(text, encoding, Origin::default())
    }

    /// A piece of a file whose encoding is known, `origin` telling where it begins there.
    pub fn part(text: Vec<u8>, encoding: Encoding, origin: Origin) -> Source {
        let line_starts = line_starts(&text);
        Source { text, encoding, origin, followed: false, line_starts, milestones: OnceLock::new() }
    }

    /// The same piece, told whether the tags of another game follow right behind it.
    #[must_use]
    pub fn followed(self, followed: bool) -> Source {
        Source { followed, ..self }
    }

    /// The piece under `span` as a source of its own that still knows its place in the file.
    pub fn slice(&self, span: Span) -> Source {
        let line = self.line_index(span.start);
        let origin = Origin { offset: self.origin.offset + span.start, line: self.origin.line + line };
        Source::part(self.text[span.start..span.end].to_vec(), self.encoding, origin)
    }

    /// The bytes under `span`.
    pub fn bytes(&self, span: Span) -> &[u8] {
        &self.text[span.start..span.end]
    }

    /// The text under `span` as Unicode: UTF-8 where it is that, each other byte as Windows-1252.
    pub fn decode(&self, span: Span) -> Cow<'_, str> {
        decode(self.bytes(span))
    }

    /// Line and column of the byte at `offset` of `text` (or of its end).
    pub fn locate(&self, offset: usize) -> Location {
        let offset = offset.min(self.text.len());
        let index = self.line_index(offset);
        let mut at = self.line_starts[index];
        if at == 0 && self.text.starts_with(BOM) {
            at = BOM.len().min(offset);
        }
        let mut column = 1;
        if offset - at > 2 * STRIDE {
            let milestones = self.milestones.get_or_init(|| self.milestones());
            let passed = milestones.partition_point(|m| m.offset <= offset);
            if let Some(last) = milestones[..passed].last().filter(|m| m.offset > at) {
                (at, column) = (last.offset, last.characters + 1);
            }
        }
        while at < offset {
            at += char_at(&self.text, at).1;
            column += 1;
        }
        Location { line: self.origin.line + index + 1, column }
    }

    /// The span of the line that holds `offset`, without its line end.
    pub fn line_at(&self, offset: usize) -> Span {
        let index = self.line_index(offset.min(self.text.len()));
        let start = self.line_starts[index];
        let next = self.line_starts.get(index + 1).copied().unwrap_or(self.text.len());
        let mut end = next;
        while end > start && matches!(self.text[end - 1], b'\n' | b'\r') {
            end -= 1;
        }
        Span::new(start, end)
    }

    /// `text` in the encoding of this source, for an edit; characters that it lacks are kept as UTF-8.
    pub fn encode(&self, text: &str) -> Vec<u8> {
        if self.encoding == Encoding::Windows1252 {
            let (bytes, _, lossy) = encoding_rs::WINDOWS_1252.encode(text);
            if !lossy {
                return bytes.into_owned();
            }
        }
        text.as_bytes().to_vec()
    }

    fn milestones(&self) -> Vec<Milestone> {
        let mut milestones = Vec::new();
        for (i, &start) in self.line_starts.iter().enumerate() {
            let end = self.line_starts.get(i + 1).copied().unwrap_or(self.text.len());
            let mut at = if start == 0 && self.text.starts_with(BOM) { BOM.len() } else { start };
            let (mut characters, mut due) = (0, at + STRIDE);
            while end > due {
                at += char_at(&self.text, at).1;
                characters += 1;
                if at >= due {
                    milestones.push(Milestone { offset: at, characters });
                    due = at + STRIDE;
                }
            }
        }
        milestones
    }

    fn line_index(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|&s| s <= offset).saturating_sub(1)
    }
}

/// What encoding the bytes of a whole file are in.
pub fn encoding(bytes: &[u8]) -> Encoding {
    if bytes.starts_with(BOM) {
        return match std::str::from_utf8(bytes) {
            Ok(_) => Encoding::Utf8Bom,
            Err(_) => Encoding::Windows1252,
        };
    }
    utf16(bytes).unwrap_or_else(|| match std::str::from_utf8(bytes) {
        Ok(_) => Encoding::Utf8,
        Err(_) => Encoding::Windows1252,
    })
}

/// Bytes at the beginning of a file that tell whether it is in UTF-16.
pub const UTF_16_HEAD: usize = 512;

/// The UTF-16 that a file begins in, if it does: by its mark, or by the zeros that ASCII has in every second byte.
pub fn utf16(file: &[u8]) -> Option<Encoding> {
    match file {
        [0xff, 0xfe, ..] => return Some(Encoding::Utf16Le),
        [0xfe, 0xff, ..] => return Some(Encoding::Utf16Be),
        _ => {}
    }
    let head = &file[..file.len().min(UTF_16_HEAD) & !1];
    let zeros = |parity: usize| head.iter().skip(parity).step_by(2).filter(|&&b| b == 0).count();
    let (even, odd, half) = (zeros(0), zeros(1), head.len() / 2);
    // Four characters at least: in fewer a zero or two say nothing.
    match () {
        () if half < 4 => None,
        () if odd * 4 > half * 3 && even * 4 < half => Some(Encoding::Utf16Le),
        () if even * 4 > half * 3 && odd * 4 < half => Some(Encoding::Utf16Be),
        () => None,
    }
}

/// Whether a text opens with tags, spaces before them passed over.
pub fn tag_follows(text: &[u8]) -> bool {
    text.iter().find(|b| !matches!(b, b' ' | b'\t')) == Some(&b'[')
}

/// The character at byte `at` and its length in bytes: UTF-8 where it is that, else one Windows-1252 byte.
///
/// # Panics
/// If `at` is not inside `bytes`.
#[inline]
pub fn char_at(bytes: &[u8], at: usize) -> (char, usize) {
    let first = bytes[at];
    if first < 0x80 {
        return (char::from(first), 1);
    }
    let len = match first {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return (windows_1252(first), 1),
    };
    match bytes.get(at..at + len).and_then(|b| std::str::from_utf8(b).ok()).and_then(|s| s.chars().next()) {
        Some(c) => (c, len),
        None => (windows_1252(first), 1),
    }
}

/// Bytes as Unicode: UTF-8 where they are that, each other byte as Windows-1252.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(s) => Cow::Borrowed(s),
        Err(_) => {
            let (mut out, mut at) = (String::with_capacity(bytes.len() + 8), 0);
            while at < bytes.len() {
                let (c, len) = char_at(bytes, at);
                out.push(c);
                at += len;
            }
            Cow::Owned(out)
        }
    }
}

fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9F => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

fn line_starts(text: &[u8]) -> Vec<usize> {
    let mut starts = vec![0];
    for at in memchr::memchr2_iter(b'\n', b'\r', text) {
        if text[at] == b'\r' && text.get(at + 1) == Some(&b'\n') {
            continue;
        }
        starts.push(at + 1);
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_end_ends_one_line() {
        let source = Source::read(b"a\rb\nc\r\nd".to_vec());
        assert_eq!(source.locate(2), Location { line: 2, column: 1 });
        assert_eq!(source.locate(4), Location { line: 3, column: 1 });
        assert_eq!(source.locate(7), Location { line: 4, column: 1 });
    }

    #[test]
    fn columns_of_long_lines_are_those_that_counting_gives() {
        let mut bytes = "short\n".as_bytes().to_vec();
        for i in 0..3000 {
            bytes.extend_from_slice(["ä", "x", "½", "♘"][i % 4].as_bytes());
        }
        bytes.extend_from_slice(b"\xE4\nend");
        let source = Source::read(bytes);
        let (mut at, mut column) = (6, 1);
        while at < source.text.len() - 4 {
            assert_eq!(source.locate(at), Location { line: 2, column });
            at += char_at(&source.text, at).1;
            column += 1;
        }
        assert_eq!(source.locate(source.text.len() - 2), Location { line: 3, column: 2 });
    }

    #[test]
    fn columns_count_characters_in_any_encoding() {
        let utf8 = Source::read("äö1".as_bytes().to_vec());
        assert_eq!(utf8.locate(4).column, 3);
        let latin = Source::read(b"\xE4\xF61".to_vec());
        assert_eq!((latin.encoding, latin.locate(2).column), (Encoding::Windows1252, 3));
        assert_eq!(latin.decode(Span::new(0, 3)), "äö1");
    }

    #[test]
    fn utf_16_is_transcribed_with_and_without_a_mark() {
        for mark in [true, false] {
            let mut bytes = if mark { vec![0xFF, 0xFE] } else { vec![] };
            bytes.extend("1. e4 e5 2. ♘f3".encode_utf16().flat_map(u16::to_le_bytes));
            let source = Source::read(bytes);
            assert_eq!(source.encoding, Encoding::Utf16Le);
            assert_eq!(source.text, "1. e4 e5 2. ♘f3".as_bytes());
        }
    }

    #[test]
    fn a_slice_knows_its_line_in_the_file() {
        let source = Source::read(b"one\ntwo\nthree".to_vec());
        let slice = source.slice(Span::new(8, 13));
        assert_eq!(slice.locate(2), Location { line: 3, column: 3 });
        assert_eq!(slice.origin.offset, 8);
    }

    #[test]
    fn the_byte_order_mark_takes_no_column() {
        let source = Source::read(b"\xEF\xBB\xBF[A \"b\"]".to_vec());
        assert_eq!(source.locate(3).column, 1);
    }
}

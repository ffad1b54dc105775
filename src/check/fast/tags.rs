//! The tag section of a well-kept game.

use memchr::{memchr, memchr2};

/// The results that a finished or unfinished game can have.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// What a tag section tells of the rest of the game.
pub struct Tags {
    /// Where the movetext begins.
    pub movetext: usize,
    /// What the Result tag says.
    pub result: &'static str,
    /// Whether lines end with CRLF, here and so in the whole game.
    pub crlf: bool,
}

/// The tag section at `from`.
pub fn read(text: &[u8], from: usize) -> Option<Tags> {
    let mut at = from;
    let mut result = None;
    let mut seen = [0u64; 32];
    let mut count = 0;
    let mut crlf = None;
    while text.get(at) == Some(&b'[') {
        let length = memchr(b'\n', &text[at..])?;
        let line = &text[at + 1..at + length];
        at += length + 1;
        let returns = line.ends_with(b"\r");
        if *crlf.get_or_insert(returns) != returns {
            return None;
        }
        let line = &line[..line.len() - usize::from(returns)];
        let line = line.strip_suffix(b"\"]")?;
        let space = line.iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_')?;
        let (name, value) = line.split_at(space);
        let value = value.strip_prefix(b" \"")?;
        if !(printable(value) && escaped(value)) {
            return None;
        }
        match name {
            b"Result" => result = Some(RESULTS.into_iter().find(|r| r.as_bytes() == value)?),
            // Another start or other rules: the full reader's business.
            b"FEN" | b"SetUp" | b"Variant" => return None,
            // What does not begin with a letter is no tag to the reader.
            [first, ..] if first.is_ascii_alphabetic() => {}
            _ => return None,
        }
        let key = fingerprint(name);
        if count == seen.len() || seen[..count].contains(&key) {
            return None;
        }
        seen[count] = key;
        count += 1;
    }
    let crlf = crlf?;
    let movetext = at + line_end(&text[at..], crlf)?;
    // One blank line and no more.
    if matches!(text.get(movetext), Some(b'\n' | b'\r')) {
        return None;
    }
    Some(Tags { movetext, result: result?, crlf })
}

/// The length of the line end that begins `text`, if it is of the right kind.
#[inline(always)]
pub fn line_end(text: &[u8], crlf: bool) -> Option<usize> {
    if crlf { text.starts_with(b"\r\n").then_some(2) } else { text.starts_with(b"\n").then_some(1) }
}

/// Text without control characters and invisible signs, in valid UTF-8.
pub fn printable(text: &[u8]) -> bool {
    if text.is_ascii() {
        return text.iter().all(|b| (b' '..0x7f).contains(b));
    }
    std::str::from_utf8(text).is_ok_and(|text| {
        text.chars().all(|c| match c {
            '\u{feff}' | '\u{a0}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202f}' => false,
            _ => c >= '\u{80}' || (' '..'\x7f').contains(&c),
        })
    })
}

/// Whether every quote in a tag value has its backslash, and every backslash something to stand for.
fn escaped(value: &[u8]) -> bool {
    let mut left = value;
    while let Some(at) = memchr2(b'"', b'\\', left) {
        match left[at..] {
            [b'\\', b'"' | b'\\', ..] => left = &left[at + 2..],
            _ => return false,
        }
    }
    true
}

/// Different for names that differ in length or in their first seven letters; two names alike are given up.
fn fingerprint(name: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let length = name.len().min(7);
    bytes[..length].copy_from_slice(&name[..length]);
    bytes[7] = name.len().min(255) as u8;
    u64::from_le_bytes(bytes)
}

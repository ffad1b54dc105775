//! The tag section of a well-kept game.

use memchr::memchr;

/// The results that a finished or unfinished game can have.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The tag section at `from`: where the movetext begins and what the Result tag says.
pub fn read(text: &[u8], from: usize) -> Option<(usize, &'static str)> {
    let mut at = from;
    let mut result = None;
    let mut seen = [0u64; 32];
    let mut count = 0;
    while text.get(at) == Some(&b'[') {
        let length = memchr(b'\n', &text[at..])?;
        let line = &text[at + 1..at + length];
        at += length + 1;
        let line = line.strip_suffix(b"\r").unwrap_or(line).strip_suffix(b"\"]")?;
        let space = line.iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_')?;
        let (name, value) = line.split_at(space);
        let value = value.strip_prefix(b" \"")?;
        if !plain(value) {
            return None;
        }
        match name {
            b"Result" => result = Some(RESULTS.into_iter().find(|r| r.as_bytes() == value)?),
            // Another start or other rules: the full reader's business.
            b"FEN" | b"SetUp" | b"Variant" => return None,
            [] => return None,
            _ => {}
        }
        let key = fingerprint(name);
        if count == seen.len() || seen[..count].contains(&key) {
            return None;
        }
        seen[count] = key;
        count += 1;
    }
    let at = match text.get(at..) {
        Some([b'\n', ..]) => at + 1,
        Some([b'\r', b'\n', ..]) => at + 2,
        _ => return None,
    };
    Some((at, result?))
}

/// A tag value or comment that holds letters, digits and common signs only, in valid UTF-8.
pub fn plain(value: &[u8]) -> bool {
    if value.is_ascii() {
        return value.iter().all(|b| (b' '..0x7f).contains(b) && !matches!(b, b'"' | b'\\'));
    }
    std::str::from_utf8(value).is_ok_and(|text| {
        text.chars().all(|c| {
            c.is_alphanumeric() || (c.is_ascii() && !c.is_ascii_control() && !matches!(c, '"' | '\\'))
        })
    })
}

/// Different for names that differ in length or in their first seven letters; two names alike are given up.
fn fingerprint(name: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let length = name.len().min(7);
    bytes[..length].copy_from_slice(&name[..length]);
    bytes[7] = name.len().min(255) as u8;
    u64::from_le_bytes(bytes)
}

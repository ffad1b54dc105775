//! Text from a file as a terminal may safely show it.

use std::borrow::Cow;

/// `text` with control characters (C0, C1, line and paragraph separators, direction overrides) shown as
/// escapes.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if hidden(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// JSON that says the same with nothing in it that a terminal obeys: what serde leaves raw in strings is escaped.
pub fn harmless_json(json: Vec<u8>) -> Vec<u8> {
    // Outside strings JSON is ASCII without a control character but white space; inside them, those below the
    // space are escaped already.
    if json.is_ascii() && !json.contains(&0x7f) {
        return json;
    }
    let Ok(text) = std::str::from_utf8(&json) else { return json };
    let raw = |c: char| c >= '\u{7f}' && hidden(c);
    if !text.contains(raw) {
        return json;
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if raw(c) {
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out.into_bytes()
}

fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::{harmless_json, hidden, visible};

    #[test]
    fn json_means_what_it_meant() {
        let text = "a\u{9b}2J\u{202e}\u{7f}\u{1b}ä";
        let json = harmless_json(serde_json::to_vec(text).unwrap());
        assert_eq!(serde_json::from_slice::<String>(&json).unwrap(), text);
        assert!(!String::from_utf8(json).unwrap().contains(hidden));
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        assert_eq!(visible("\u{1b}[31mN\u{9b}2J\r\u{202e}"), "\\u{1b}[31mN\\u{9b}2J\\r\\u{202e}");
        assert_eq!(visible("Sf3 Läufer ½-½"), "Sf3 Läufer ½-½");
    }
}

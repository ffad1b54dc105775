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

fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        assert_eq!(visible("\u{1b}[31mN\u{9b}2J\r\u{202e}"), "\\u{1b}[31mN\\u{9b}2J\\r\\u{202e}");
        assert_eq!(visible("Sf3 Läufer ½-½"), "Sf3 Läufer ½-½");
    }
}

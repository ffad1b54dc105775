//! A place near the end of a text where one game certainly ends and the next begins.
//!
//! The reader's own rule goes forward from the start of a game. To cut a stream into batches it is enough to
//! find, going backwards, one place that this rule is sure to name as well: a whole tag line below a blank line,
//! with no tag line above it and no brace open.

use memchr::{memchr_iter, memrchr_iter, memrchr2};

/// Whether a game certainly begins at byte `at` of a text that begins with a game, as far as the lines around
/// it tell: braces are not looked at.
pub fn looks_like_start(text: &[u8], at: usize) -> bool {
    if at == 0 || !matches!(text[at - 1], b'\n' | b'\r') || !tag_line(&text[at..]) {
        return false;
    }
    let mut lines = 0;
    let mut end = at;
    while let Some(&byte) = text[..end].last() {
        match byte {
            b'\n' => lines += 1,
            b'\r' => lines += usize::from(text.get(end) != Some(&b'\n')),
            b' ' | b'\t' => {}
            _ => break,
        }
        end -= 1;
    }
    if lines < 2 || end == 0 {
        return false;
    }
    let before = memrchr2(b'\n', b'\r', &text[..end]).map_or(0, |i| i + 1);
    text[before..end].trim_ascii_start().first() != Some(&b'[')
}

/// The first place behind the beginning where a game begins, whatever braces are open: of a text that nobody reads.
pub fn first_start(text: &[u8]) -> Option<usize> {
    memchr_iter(b'[', text).find(|&at| looks_like_start(text, at))
}

/// The last place at or behind `from` where a game certainly begins.
pub fn last_start(text: &[u8], from: usize) -> Option<usize> {
    let at = memrchr_iter(b'[', &text[from..]).map(|i| from + i).find(|&at| looks_like_start(text, at))?;
    // An opening brace as the last one before it: this may be the inside of a comment.
    memrchr2(b'{', b'}', &text[..at]).is_none_or(|brace| text[brace] == b'}').then_some(at)
}

/// Whether the first line of `text` is one tag pair and nothing else.
fn tag_line(text: &[u8]) -> bool {
    let line = &text[..memchr::memchr2(b'\n', b'\r', text).unwrap_or(text.len())];
    let Some(rest) = line.strip_prefix(b"[") else { return false };
    let name = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    (1..=64).contains(&name)
        && rest[0].is_ascii_alphabetic()
        && rest[name..].starts_with(b" \"")
        && rest[name + 2..].ends_with(b"\"]")
        && !rest.contains(&b'{')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "[Event \"A\"]\n[Site \"x\"]\n\n1. e4 *\n\n[Event \"B\"]\n[Site \"y\"]\n\n1. d4 *\n";

    fn last(text: &str) -> Option<&str> {
        last_start(text.as_bytes(), 0).map(|at| &text[at..text.len().min(at + 10)])
    }

    #[test]
    fn the_last_game_is_found_whatever_the_line_ends() {
        for text in [TWO.to_owned(), TWO.replace('\n', "\r\n"), TWO.replace('\n', "\r")] {
            assert_eq!(last(&text), Some("[Event \"B\""));
        }
    }

    #[test]
    fn tags_below_a_blank_line_among_tags_are_no_start() {
        assert_eq!(last("[Event \"A\"]\n\n[Site \"x\"]\n\n1. e4 *\n"), None);
    }

    #[test]
    fn nothing_begins_where_a_brace_may_be_open() {
        assert_eq!(last("[White \"A\"]\n\n1. e4 {open\n\n[White \"B\"]\n\n1. d4 *\n"), None);
        assert_eq!(last("1. e4 {1-0\n[%cal Gd1h5]\n[Event \"no\"]} e5 *\n"), None);
    }
}

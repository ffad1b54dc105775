//! The result as changes of text: the tag, and the end of the movetext.

use crate::{
    finding::TextEdit,
    sheet::{Game, Span},
};

/// The changes that make tag and terminator say `value` (`1-0`, `0-1`, `1/2-1/2`).
///
/// `text` is what the game's spans count in. Every Result tag is set, a missing one is put behind the last tag;
/// a missing terminator is put where the movetext ends.
pub fn result(text: &[u8], game: &Game, value: &str) -> Vec<TextEdit> {
    let mut edits = Vec::new();
    let line_end = line_end(text);
    let mut tags = game.tags.iter().filter(|t| t.name == "Result").peekable();
    if tags.peek().is_none() {
        let tag = format!("[Result \"{value}\"]");
        edits.push(match game.tags.last() {
            Some(last) => insert(last.span.end, format!("{line_end}{tag}")),
            None => insert(first_byte(text, game.span), format!("{tag}{line_end}{line_end}")),
        });
    }
    for tag in tags.filter(|t| text[t.value_span.start..t.value_span.end] != *value.as_bytes()) {
        edits.push(TextEdit { span: tag.value_span, text: value.as_bytes().to_vec() });
    }
    match &game.terminator {
        Some(end) if text[end.span.start..end.span.end] == *value.as_bytes() => {}
        Some(end) => edits.push(TextEdit { span: end.span, text: value.as_bytes().to_vec() }),
        None => {
            let at = game.movetext_end;
            let last_line = text[..at].rsplit(|b| matches!(b, b'\n' | b'\r')).next().unwrap_or_default();
            // Behind a tag, a comment to the end of the line or an escaped line, it needs a line of its own.
            let own_line = last_line.contains(&b';') || matches!(last_line.first(), Some(b'%' | b'['));
            let gap = match (at == game.span.start, own_line) {
                (true, _) => "",
                (false, true) => line_end,
                (false, false) => " ",
            };
            let blank = if last_line.first() == Some(&b'[') { line_end } else { "" };
            edits.push(insert(at, format!("{blank}{gap}{value}")));
        }
    }
    edits
}

/// The line end that the text uses first; a line feed where it has none.
pub(super) fn line_end(text: &[u8]) -> &'static str {
    match text.iter().position(|b| matches!(b, b'\n' | b'\r')) {
        Some(at) if text[at] == b'\r' && text.get(at + 1) == Some(&b'\n') => "\r\n",
        Some(at) if text[at] == b'\r' => "\r",
        _ => "\n",
    }
}

/// The first byte of a game behind a byte order mark and blank space.
fn first_byte(text: &[u8], span: Span) -> usize {
    let body = &text[span.start..span.end];
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    span.end - body.trim_ascii_start().len()
}

fn insert(at: usize, text: String) -> TextEdit {
    TextEdit { span: Span::new(at, at), text: text.into_bytes() }
}

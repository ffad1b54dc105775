//! The result as changes of text: the tag, and the end of the movetext.

use crate::{
    finding::TextEdit,
    sheet::{Game, Span, outcome},
};

/// The changes that make tag and terminator say `value` (`1-0`, `0-1`, `1/2-1/2`).
///
/// `text` is what the game's spans count in. Every Result tag is set, a missing one is put behind the last tag;
/// a missing terminator is put where the movetext ends.
pub fn result(text: &[u8], game: &Game, value: &str) -> Vec<TextEdit> {
    let mut edits = Vec::new();
    let line_end = outcome::line_end(text);
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
        None => edits.push(outcome::at_the_end(text, game, value)),
    }
    edits
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

//! What stands between the moves and is none: comments, signs, prose.

use super::Builder;
use crate::{
    finding::{Finding, Severity, TextEdit},
    rules,
    sheet::{Span, items::Item, lexer::Closing, word::PieceKind},
};

impl Builder<'_> {
    pub(super) fn comment(&mut self, item: &Item, closing: Option<Closing>) {
        match closing {
            Some(Closing::Paren) => {
                let at = Span::new(item.span.end - 1, item.span.end);
                let message = "a comment that opens with { is closed with )";
                let finding = Finding::new(&rules::BRACE_CLOSED_BY_PARENTHESIS, at, message);
                self.note(finding.cured_by(TextEdit::replace(at, "}")));
            }
            Some(Closing::Missing) => {
                let message = "this comment is never closed: it is taken to end where the move numbers go on";
                self.unclosed_comment(item, item.span.end, Severity::Warning, message);
            }
            Some(Closing::Never) => {
                let bytes = self.source.bytes(item.span);
                let end = item.span.start + bytes.trim_ascii_end().len();
                let message = "this comment is never closed: what stands behind it in this game is lost";
                self.unclosed_comment(item, end, rules::UNCLOSED_COMMENT.severity, message);
            }
            None if self.source.bytes(item.span).starts_with(b";") => self.line_comment(item),
            _ => {}
        }
    }

    /// A comment that has no end of its own and is closed at byte `end`.
    fn unclosed_comment(&mut self, item: &Item, end: usize, severity: Severity, message: &str) {
        let open = Span::new(item.span.start, item.span.start + 1);
        let finding = Finding { severity, ..Finding::new(&rules::UNCLOSED_COMMENT, open, message) };
        self.note(finding.cured_by(TextEdit::insert(end, "}")));
    }

    fn line_comment(&mut self, item: &Item) {
        let message = "a ; comment, which pgn-extract does not know";
        let finding = Finding::new(&rules::LINE_COMMENT, item.span, message);
        let text = Span::new(item.span.start + 1, item.span.end);
        self.note(if self.holds_braces(text) {
            finding
        } else {
            finding.cured_by(TextEdit { span: item.span, ..self.braces(text) })
        });
    }

    pub(super) fn glyph(&mut self, at: usize, nag: Option<u8>) {
        let item = &self.items[at];
        if item.text.starts_with('?') && item.text.chars().all(|c| c == '?') && self.box_is_empty(at) {
            self.blank(at);
            return;
        }
        if matches!(item.text.as_str(), "!" | "?" | "!!" | "??" | "!?" | "?!") {
            return;
        }
        match nag {
            Some(nag) => {
                let before = at > 0 && self.items[at - 1].glued;
                let text =
                    format!("{}${nag}{}", if before { " " } else { "" }, if item.glued { " " } else { "" });
                self.told.glyphs.add(item.span, Some(TextEdit::replace(item.span, text)));
            }
            None => self.remark(at),
        }
    }

    pub(super) fn remark(&mut self, at: usize) {
        let item = &self.items[at];
        self.prose(item.span, &item.text);
    }

    pub(super) fn prose(&mut self, span: Span, text: &str) {
        let shown: String = text.chars().take(40).collect();
        let message = format!("text between the moves: {shown:?}");
        self.note(Finding::new(&rules::TEXT_IN_MOVETEXT, span, message).cured_by(self.braces(span)));
    }

    /// Prose of several words; where it ends.
    pub(super) fn prose_run(&mut self, at: usize) -> usize {
        if !self.in_movetext() {
            self.outside(at);
            return at + 1;
        }
        let mut end = at + 1;
        while end < self.items.len() {
            let more = match self.items[end].piece() {
                Some(PieceKind::Other) => !self.is_unreadable_move(end),
                Some(PieceKind::Punctuation | PieceKind::Suffix) => true,
                _ => false,
            };
            if !more {
                break;
            }
            end += 1;
        }
        let span = Span::new(self.items[at].span.start, self.items[end - 1].span.end);
        self.prose(span, &self.source.decode(span));
        end
    }

    pub(super) fn unmark(&mut self, at: usize) {
        let span = self.items[at].span;
        self.told.markup.add(span, Some(TextEdit::replace(span, self.space_for(at))));
    }

    pub(super) fn holds_braces(&self, span: Span) -> bool {
        let from = self.brace_marks.partition_point(|b| *b < span.start);
        self.brace_marks.get(from).is_some_and(|b| *b < span.end)
    }

    /// What stands there, in braces.
    pub(super) fn braces(&self, span: Span) -> TextEdit {
        let mut text = b"{".to_vec();
        text.extend_from_slice(self.source.bytes(span));
        text.push(b'}');
        TextEdit { span, text }
    }

    /// A space where taking the item away would glue its neighbours, nothing where a space stands there already.
    pub(super) fn space_for(&self, at: usize) -> Vec<u8> {
        let before = at > 0 && self.items[at - 1].glued;
        if before && self.items[at].glued { b" ".to_vec() } else { Vec::new() }
    }
}

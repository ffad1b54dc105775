//! Results in the movetext: which of them ends the game, and what it means.

use super::Builder;
use crate::{
    finding::{Finding, TextEdit},
    rules,
    sheet::{
        Span, Terminator,
        items::{Item, ItemKind},
        outcome,
        word::{PieceKind, plain},
    },
};

impl Builder<'_> {
    /// `(1-0)` at the end of the game.
    pub(super) fn enclosed_result(&mut self, at: usize) -> bool {
        let [open, result, close, ..] = &self.items[at..] else { return false };
        let Some(PieceKind::Result(value)) = result.piece() else { return false };
        let ends = self.items.get(at + 3).is_none_or(|i| i.kind == ItemKind::Tag);
        if close.kind != ItemKind::Close || !ends || self.lines.len() > 1 {
            return false;
        }
        let span = Span::new(open.span.start, close.span.end);
        let whole = Item { span, text: format!("({})", result.text), glued: close.glued, ..result.clone() };
        self.terminator(&whole, value);
        true
    }

    pub(super) fn is_double_forfeit(&mut self, at: usize) -> bool {
        let text: String = self.items[at].text.chars().map(plain).collect();
        if text != "0-0" || self.lines.len() > 1 {
            return false;
        }
        let last = !self.items[at + 1..].iter().any(|i| {
            matches!(i.piece(), Some(PieceKind::Move | PieceKind::Result(_) | PieceKind::Number(..)))
        });
        let line = self.line();
        if line.pending.is_some() {
            return false;
        }
        let empty = line.slots.is_empty();
        let tagged = self.game.tag("Result").and_then(outcome::parse) == Some("0-0");
        last && (empty || tagged)
    }

    pub(super) fn result(&mut self, at: usize, value: &'static str) {
        let item = &self.items[at];
        if self.lines.len() > 1 {
            let last = !self.items[at + 1..]
                .iter()
                .any(|i| matches!(i.piece(), Some(PieceKind::Result(_))) || i.kind == ItemKind::Close);
            if !last || !self.lines.iter().any(|l| l.unclosed) {
                return;
            }
            self.close_lines(at, 1);
        }
        let goes_on = match (self.piece_after(at), self.lines[0].next) {
            (Some(PieceKind::Number(n, dots)), Some((m, _))) => dots > 0 && n > 1 && (n == m || n == m + 1),
            _ => false,
        };
        if goes_on {
            self.remark(at);
        } else {
            self.terminator(item, value);
        }
    }

    pub(super) fn terminator(&mut self, item: &Item, value: &str) {
        self.glue_before_terminator(item);
        if item.joined || !outcome::is_standard(&item.text) {
            let (rule, text, what) = if value == "0-0" {
                let what = "is a loss for both, which the standard cannot write".to_string();
                (&rules::DOUBLE_FORFEIT, "*", what)
            } else {
                (&rules::RESULT_SPELLING, value, format!("is read as {value}"))
            };
            let finding = Finding::new(rule, item.span, format!("{:?} {what}", item.text));
            self.note(finding.cured_by(TextEdit::replace(item.span, text)));
        }
        self.game.terminator =
            Some(Terminator { span: item.span, written: item.text.clone(), value: value.to_string() });
        self.game.movetext_end = item.span.end;
        self.ended = true;
    }

    fn glue_before_terminator(&mut self, item: &Item) {
        let start = item.span.start;
        let before =
            self.items.partition_point(|i| i.span.start < start).checked_sub(1).map(|i| &self.items[i]);
        let sticks = before.is_some_and(|i| {
            i.span.end == start
                && i.glued
                && matches!(i.piece(), Some(PieceKind::Move | PieceKind::Other | PieceKind::Suffix))
        });
        if sticks {
            self.glue(start);
        }
    }
}

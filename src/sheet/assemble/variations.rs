//! Parentheses: where variations begin and end, also those that nothing closes.

use shakmaty::Color;

use super::{Builder, line::Line};
use crate::{
    finding::{Finding, TextEdit},
    rules,
    sheet::{Span, Variation, items::Item, word::PieceKind},
};

impl Builder<'_> {
    pub(super) fn open(&mut self, at: usize) {
        let span = self.items[at].span;
        let outer = self.line();
        if outer.variation.is_none() && outer.slots.is_empty() && !self.ahead.closed[at] {
            // All that follows would stand in it, and the game would have no move.
            self.strike(span, "a ( before any move that nothing closes");
            return;
        }
        let outer = self.line();
        let (after, parent, next) = (outer.slots.len(), outer.variation, outer.next);
        let index = self.game.variations.len();
        self.game.variations.push(Variation { span, parent, after, slots: Vec::new() });
        let mut line = Line::new(Some(index), !self.ahead.closed[at]);
        // A variation replaces the last move of its parent.
        line.next = match next {
            Some((n, Color::Black)) => Some((n, Color::White)),
            Some((n, Color::White)) => Some((n.saturating_sub(1), Color::Black)),
            None => None,
        };
        self.lines.push(line);
    }

    pub(super) fn close(&mut self, at: usize) {
        let item = &self.items[at];
        if self.lines.len() > 1 {
            self.pop(item.span.end);
            return;
        }
        let numbered = at > 0
            && matches!(self.items[at - 1].piece(), Some(PieceKind::Number(..)))
            && self.items[at - 1].glued;
        if !numbered {
            self.strike(item.span, "a ) that closes nothing");
        }
    }

    pub(super) fn stray(&mut self, item: &Item) {
        if self.lines.len() > 1 && self.source.bytes(item.span) == b"}" {
            let message = "a variation that opens with ( is closed with }";
            let finding = Finding::new(&rules::STRAY_BRACKET, item.span, message);
            self.note(finding.cured_by(TextEdit::replace(item.span, ")")));
            self.pop(item.span.end);
            return;
        }
        let what = format!("a {} that belongs to nothing", self.source.decode(item.span));
        self.strike(item.span, &what);
    }

    fn strike(&mut self, span: Span, what: &str) {
        let finding = Finding::new(&rules::STRAY_BRACKET, span, what);
        self.told.strays.add(finding.cured_by(TextEdit::replace(span, "")), &mut self.game.findings);
    }

    /// Ends the innermost variation at byte `end`.
    fn pop(&mut self, end: usize) {
        let Some(line) = self.lines.pop() else { return };
        let Some(index) = line.variation else { return };
        let last = index + 1 == self.game.variations.len();
        let variation = &mut self.game.variations[index];
        variation.span.end = end;
        let span = variation.span;
        if line.slots.is_empty() && line.remarks > 0 && !line.unclosed && last {
            // A remark or a clock time in parentheses is no variation.
            self.game.variations.pop();
            if self.holds_braces(span) {
                return;
            }
            while self.remarks.pop_if(|r| r.start >= span.start).is_some() {}
            self.told.times.add(span, None);
            self.remarks.push(span);
            return;
        }
        variation.slots = line.slots;
    }

    /// Where a variation that nothing closes must have ended: a number that goes on with the line outside it.
    pub(super) fn close_unclosed(&mut self, at: usize, n: u32, dots: u8) {
        let color = if dots >= 2 { Color::Black } else { Color::White };
        let Some(own) = self.lines.last().filter(|l| l.unclosed).and_then(|l| l.next) else { return };
        if own == (n, color) || self.line().slots.is_empty() {
            return;
        }
        // Deep stacks of unclosed variations are looked through a little way only.
        let lowest = self.lines.len().saturating_sub(16);
        for depth in (lowest..self.lines.len() - 1).rev() {
            if self.lines[depth].next == Some((n, color)) && self.lines[depth + 1].unclosed {
                self.close_lines(at, depth + 1);
                return;
            }
        }
    }

    /// Closes all lines down to `depth` before the item `at`.
    pub(super) fn close_lines(&mut self, at: usize, depth: usize) {
        // A number at its end belongs to a move outside of it; `4)` would be another way of writing `4.`.
        let number = |i: &Item| matches!(i.piece(), Some(PieceKind::Number(..) | PieceKind::Dots));
        let last = self.items[..at].iter().rposition(|i| !number(i));
        let end = last.map_or(self.items[at.saturating_sub(1)].span.start, |last| self.items[last].span.end);
        while self.lines.len() > depth {
            let unclosed = self.lines.last().filter(|l| l.unclosed).and_then(|l| l.variation);
            if let Some(index) = unclosed {
                let open = self.game.variations[index].span.start;
                let message = "this variation is never closed";
                let finding = Finding::new(&rules::UNCLOSED_VARIATION, Span::new(open, open + 1), message);
                self.told.unclosed.add(finding.cured_by(TextEdit::insert(end, ")")), &mut self.game.findings);
            }
            self.pop(end);
        }
    }
}

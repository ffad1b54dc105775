//! Entries of a line: moves, blank boxes, and the numbers and dots that place them.

use shakmaty::Color;

use super::{Builder, ahead::is_dash};
use crate::{
    finding::{Finding, TextEdit},
    rules,
    sheet::{Slot, Span, items::ItemKind, word::PieceKind},
};

impl Builder<'_> {
    /// A number: that of the next move, a clock time in minutes, or what is left of a move, `6` for `b6`.
    pub(super) fn number(&mut self, at: usize, n: u32, dots: u8) {
        let item = &self.items[at];
        self.close_unclosed(at, n, dots);
        let dotted = self.numbers > self.bare_numbers;
        if dots > 0 || !dotted || !self.is_out_of_place(at, n) {
            self.move_number(at, n, dots);
        } else if self.ahead.minutes {
            self.told.times.add(item.span, Some(self.braces(item.span)));
        } else {
            self.unglue(at);
            self.entry(at);
        }
    }

    /// A move, readable or not.
    pub(super) fn entry(&mut self, at: usize) {
        let slot = self.slot(at, false);
        self.line().push(slot);
    }

    /// An empty box.
    pub(super) fn blank(&mut self, at: usize) {
        let slot = self.slot(at, true);
        self.line().push(slot);
    }

    /// A check word or `e.p.` joined to the move that was read last, if there is one.
    pub(super) fn suffix(&mut self, at: usize, was: Option<usize>) {
        let item = &self.items[at];
        let line = self.line();
        match line.slots.last_mut().filter(|s| was.is_some() && s.written.len() < 32) {
            Some(slot) => {
                slot.span.end = item.span.end;
                slot.written = format!("{} {}", slot.written, item.text);
                line.last_item = was;
            }
            None => self.remark(at),
        }
    }

    /// A comma, a bar or a dash, which may stand for a move.
    pub(super) fn punctuation(&mut self, at: usize) {
        let item = &self.items[at];
        let number = at
            .checked_sub(1)
            .map(|i| &self.items[i])
            .filter(|before| matches!(before.piece(), Some(PieceKind::Number(..))))
            .filter(|_| self.ahead.dashed && is_dash(item));
        if let Some(number) = number {
            let dot = if number.text.ends_with('.') { "" } else { "." };
            let sign = Span::new(number.span.end, item.span.end);
            self.told.styled.add(item.span, Some(TextEdit::replace(sign, dot)));
        } else if is_dash(item) && self.box_is_empty(at) {
            self.blank(at);
        } else {
            self.told.punctuation.add(item.span, Some(TextEdit::replace(item.span, self.space_for(at))));
        }
    }

    fn move_number(&mut self, at: usize, n: u32, dots: u8) {
        let item = &self.items[at];
        self.unglue(at);
        self.numbers += 1;
        self.bare_numbers += usize::from(dots == 0);
        let followed_by_paren =
            self.items.get(at + 1).is_some_and(|i| i.kind == ItemKind::Close && item.glued);
        let styled = item.text.bytes().any(|b| !b.is_ascii_digit() && b != b'.');
        let sticks = dots == 0 && item.glued && !followed_by_paren;
        if styled || sticks {
            let text =
                format!("{n}{}{}", if dots >= 2 { "..." } else { "." }, if item.glued { " " } else { "" });
            self.told.styled.add(item.span, Some(TextEdit::replace(item.span, text)));
        } else if followed_by_paren {
            let span = self.items[at + 1].span;
            self.told.styled.add(span, Some(TextEdit::replace(span, ".")));
        }
        let side = match dots {
            0 if !followed_by_paren => None,
            0 | 1 => Some(Color::White),
            _ => Some(Color::Black),
        };
        self.doubled_number(at);
        let line = self.line();
        line.pending = Some((n, side));
        line.numbered_at = at;
        line.since = 0;
        let column = side.unwrap_or(match line.next {
            Some((m, color)) if m == n => color,
            _ => Color::White,
        });
        line.next = Some((n, column));
    }

    /// Takes out the number before this one that has no move: pgn-extract begins another game at the second of
    /// `18. 18. Rd1`.
    fn doubled_number(&mut self, at: usize) {
        let line = &self.lines[self.lines.len() - 1];
        if line.pending.is_some() && line.numbered_at < at {
            let number = line.numbered_at;
            let gone = self.number_with_dots(number, at);
            self.told.doubled.add(self.items[number].span, Some(TextEdit::replace(gone, "")));
        }
    }

    /// Puts a number that something stands behind right before its move, the entry at `at`: pgn-extract begins another
    /// game at the move of `18. {sure} Rd1`.
    fn displaced_number(&mut self, at: usize, n: u32, side: Option<Color>) {
        let number = self.lines[self.lines.len() - 1].numbered_at;
        let is_dots = |i: &usize| self.items[*i].piece() == Some(PieceKind::Dots);
        // The parenthesis of `18)` is a part of the number.
        let styled = self.items[number].glued && self.items[number + 1].kind == ItemKind::Close;
        if styled || (number + 1..at).all(|i| is_dots(&i)) {
            return;
        }
        let gone = self.number_with_dots(number, at);
        let dots = (number + 1..at).rev().take_while(is_dots).last().unwrap_or(at);
        let place = Span::new(self.items[dots].span.start, self.items[at].span.start);
        let text = if side == Some(Color::Black) { format!("{n}... ") } else { format!("{n}. ") };
        self.told.displaced.add(self.items[number].span, Some(TextEdit::replace(gone, "")));
        self.told.displaced.fix.push(TextEdit::replace(place, text));
    }

    /// From the number at `number` with its dots to the item behind them, at most `at`. An escaped line keeps the line end
    /// before it.
    fn number_with_dots(&self, number: usize, at: usize) -> Span {
        let is_dots = |i: &usize| self.items[*i].piece() == Some(PieceKind::Dots);
        let next = (number + 1..at).find(|i| !is_dots(i)).unwrap_or(at);
        let whole = Span::new(self.items[number].span.start, self.items[next].span.start);
        let escaped = self.source.bytes(self.items[next].span).starts_with(b"%");
        let line = self.source.bytes(whole).iter().position(|b| matches!(b, b'\n' | b'\r'));
        let len = line.filter(|_| escaped).unwrap_or(whole.end - whole.start);
        Span::new(whole.start, whole.start + len)
    }

    pub(super) fn dots(&mut self, at: usize) {
        let item = &self.items[at];
        let many = item.text.chars().count() > 1 || item.text.contains('…');
        let next_is_move =
            self.items[at + 1..].iter().find(|i| i.piece().is_some()).is_some_and(|i| match i.piece() {
                Some(PieceKind::Move | PieceKind::Blank) => true,
                Some(PieceKind::Other) => i.text.len() <= 7,
                _ => false,
            });
        let line = self.line();
        match line.pending {
            Some((n, _)) if next_is_move || !many => {
                let color = if many { Color::Black } else { Color::White };
                line.pending = Some((n, Some(color)));
                line.next = Some((n, color));
            }
            _ if !many => {}
            _ if next_is_move && line.since == 1 => {
                // `12. e4 ... Nf6`: dots that say where Black's column begins.
                if let Some((n, _)) = line.next {
                    line.next = Some((n, Color::Black));
                }
            }
            _ if !next_is_move && (line.pending.is_some() || line.since == 1) => self.blank(at),
            _ => self.told.punctuation.add(item.span, Some(TextEdit::replace(item.span, self.space_for(at)))),
        }
    }

    fn slot(&mut self, at: usize, blank: bool) -> Slot {
        let item = &self.items[at];
        let (number, side) = match self.line().pending {
            Some((n, side)) => {
                self.displaced_number(at, n, side);
                (Some(n), side)
            }
            None => (None, None),
        };
        if item.joined {
            self.torn(item.span, &item.text);
        }
        Slot { span: item.span, written: item.text.clone(), number, side, blank }
    }

    pub(super) fn torn(&mut self, span: Span, text: &str) {
        let message = format!("{text:?} is torn apart: read as one");
        let whole = TextEdit::replace(span, self.source.encode(text));
        self.note(Finding::new(&rules::SPLIT_MOVE, span, message).cured_by(whole));
    }

    /// Whether a number or the count says that a move is due here and none is written.
    pub(super) fn box_is_empty(&mut self, at: usize) -> bool {
        let next_number = self.items.get(self.ahead.next_entry[at]).map(|i| match i.piece() {
            Some(PieceKind::Number(n, _)) => n,
            _ => 0,
        });
        let glued_before = at > 0 && self.items[at - 1].glued;
        let line = self.line();
        if line.pending.is_some() {
            return true;
        }
        !glued_before
            && line.since == 1
            && matches!((line.next, next_number), (Some((m, Color::Black)), Some(n)) if n == m + 1)
    }

    fn is_out_of_place(&self, at: usize, n: u32) -> bool {
        let line = &self.lines[self.lines.len() - 1];
        let dotted_next = self.items.get(at + 1).is_some_and(|i| i.piece() == Some(PieceKind::Dots));
        !dotted_next && line.next != Some((n, Color::White))
    }

    /// Notes a move that sticks to the move or number before it.
    pub(super) fn unglue(&mut self, at: usize) {
        let Some(before) = at.checked_sub(1).map(|i| &self.items[i]) else { return };
        let sticks = before.glued
            && matches!(before.piece(), Some(PieceKind::Move | PieceKind::Other | PieceKind::Blank));
        if sticks {
            self.glue(self.items[at].span.start);
        }
    }

    /// Puts a space where two entries stick together.
    pub(super) fn glue(&mut self, at: usize) {
        self.told.glued.add(Span::new(at, at), Some(TextEdit::insert(at, " ")));
    }
}

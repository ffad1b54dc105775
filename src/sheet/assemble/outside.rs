//! Text outside the movetext: before and among the tags, or behind the end.

use super::Builder;
use crate::{
    finding::TextEdit,
    sheet::{
        Span,
        items::{Item, ItemKind},
        source::BOM,
        word::PieceKind,
    },
};

impl Builder<'_> {
    /// Text outside the movetext: before the first tag, or behind the end.
    pub(super) fn outside(&mut self, at: usize) {
        let item = &self.items[at];
        if matches!(item.kind, ItemKind::Comment(_)) {
            return;
        }
        let line = self.source.line_at(item.span.start);
        if self.chatter.fix.last().is_some_and(|f| f.span.start >= line.start || f.span.end > item.span.start)
        {
            return;
        }
        let beside_tag = self.game.tags.last().is_some_and(|t| t.span.end > line.start);
        if beside_tag && self.ahead.before_tag[at] && !self.ended {
            // The rule on tag lines gives it a line of its own.
            if self.litter_line.replace(line.start) != Some(line.start) {
                self.chatter.add(Span::new(item.span.start, line.end.max(item.span.end)), None);
            }
            return;
        }
        let fix = self.set_aside(at, line);
        self.chatter.add(Span::new(item.span.start, line.end.max(item.span.end)), Some(fix));
    }

    /// The change that lets readers skip what stands on `line` from the item `at` on: an escaped line or a comment.
    fn set_aside(&self, at: usize, line: Span) -> TextEdit {
        let item = &self.items[at];
        let own_line = self.game.terminator.as_ref().is_none_or(|t| t.span.end <= line.start)
            && self.game.tags.last().is_none_or(|t| t.span.end <= line.start);
        let mut on_line = self.items[at..].iter().take_while(|i| i.span.start < line.end);
        let begins = |i: &Item| {
            let kinds = matches!(
                i.piece(),
                Some(PieceKind::Number(..) | PieceKind::Move | PieceKind::Blank | PieceKind::Result(_))
            );
            kinds && !self.ended && !self.ahead.before_tag[at]
        };
        // Where the moves begin on this line, if they do.
        let moves = on_line.clone().skip(1).position(begins).map(|i| self.items[at + i].span.end);
        if own_line && moves.is_none() {
            let bom = line.start == 0 && self.source.text.starts_with(BOM);
            return TextEdit::insert(if bom { BOM.len() } else { line.start }, "%");
        }
        let reach = |reach: usize, i: &Item| reach.max(i.span.end);
        let end = moves.unwrap_or_else(|| on_line.by_ref().fold(line.end, reach));
        let mut comment = self.braces(Span::new(item.span.start, end));
        let last = comment.text.len() - 1;
        comment.text[1..last].iter_mut().for_each(|b| match *b {
            b'{' => *b = b'(',
            b'}' => *b = b')',
            _ => {}
        });
        comment
    }

    /// Whether a game without tags begins behind the end of the one before.
    pub(super) fn begins_game(&self, at: usize) -> bool {
        let start = self.items[at].span.start;
        let line = self.source.line_at(start).start;
        let one = matches!(self.items[at].piece(), Some(PieceKind::Number(1, dots)) if dots <= 1);
        let first = || self.source.text[line..start].iter().all(|b| matches!(b, b' ' | b'\t' | b'>'));
        one && first() && self.items[at + 1..].iter().take(2).any(|i| i.piece() == Some(PieceKind::Move))
    }

    /// What stands behind the result; the next item to look at.
    pub(super) fn after_end(&mut self, at: usize) -> usize {
        let item = &self.items[at];
        match item.kind {
            ItemKind::Tag => self.tag(item),
            ItemKind::Comment(closing) => self.comment(item, closing),
            ItemKind::Nag => {}
            ItemKind::Piece(PieceKind::Result(value))
                if self.game.terminator.as_ref().is_some_and(|t| t.value == value) => {}
            _ => self.outside(at),
        }
        at + 1
    }
}

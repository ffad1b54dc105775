//! The piece that a pawn becomes, written as words of its own behind the move.

use super::Builder;
use crate::sheet::{items::ItemKind, word::is_piece};

impl Builder<'_> {
    /// `a8 = Q` in three words.
    pub(super) fn spaced_promotion(&mut self, at: usize, was: Option<usize>) -> bool {
        let [sign, piece] = &self.items[at..self.items.len().min(at + 2)] else { return false };
        let one = piece.text.chars().count() == 1 && piece.text.chars().all(is_piece);
        let last_rank = was.is_some_and(|w| self.items[w].text.ends_with(['1', '8']));
        if sign.text != "=" || !one || !last_rank {
            return false;
        }
        self.promote(piece.span.end, &piece.text);
        true
    }

    /// `a8 Q` in two words.
    pub(super) fn bare_promotion(&mut self, at: usize, was: Option<usize>) -> bool {
        let piece = &self.items[at];
        let promotes = self.wants_promotion(was) && is_promotion_letter(&piece.text);
        if promotes {
            self.promote(piece.span.end, &piece.text);
        }
        promotes
    }

    /// `a8 (Q)` or `a8 (=Q)` in two words: how many items that takes.
    pub(super) fn enclosed_promotion(&mut self, at: usize, was: Option<usize>) -> Option<usize> {
        let signed = usize::from(self.items.get(at + 1)?.text == "=");
        let (piece, close) = (self.items.get(at + 1 + signed)?, self.items.get(at + 2 + signed)?);
        let fits =
            close.kind == ItemKind::Close && is_promotion_letter(&piece.text) && self.wants_promotion(was);
        fits.then(|| {
            self.promote(close.span.end, &piece.text);
            self.game.movetext_end = close.span.end;
            3 + signed
        })
    }

    /// Whether the item that was read last is a pawn on the last rank that has not become anything yet.
    fn wants_promotion(&self, was: Option<usize>) -> bool {
        was.is_some_and(|w| {
            let text = &self.items[w].text;
            text.ends_with(['1', '8']) && text.starts_with(|c: char| ('a'..='h').contains(&c))
        })
    }

    /// Adds the piece that stands up to byte `end` to the move before it.
    fn promote(&mut self, end: usize, piece: &str) {
        let Some(slot) = self.line().slots.last_mut() else { return };
        slot.span.end = end;
        slot.written.push('=');
        slot.written.push_str(piece);
        let (span, written) = (slot.span, slot.written.clone());
        self.torn(span, &written);
    }
}

/// Whether a word is one letter or figurine that a pawn can become.
fn is_promotion_letter(text: &str) -> bool {
    let mut chars = text.chars();
    let piece =
        |c: char| matches!(c, 'Q' | 'R' | 'B' | 'N' | 'D' | 'T' | 'L' | 'S') || ('♔'..='♟').contains(&c);
    chars.next().is_some_and(piece) && chars.next().is_none()
}

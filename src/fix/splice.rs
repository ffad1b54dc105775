//! Changes of text applied to bytes, and two rounds of changes made into one.

use std::ops::Range;

use crate::{finding::TextEdit, sheet::Span};

/// A stretch of an edited text: bytes of the input, or new ones.
#[derive(Clone, Debug)]
enum Piece {
    Kept(Range<usize>),
    New(Vec<u8>),
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Piece::Kept(range) => range.len(),
            Piece::New(bytes) => bytes.len(),
        }
    }

    fn part(&self, range: Range<usize>) -> Piece {
        match self {
            Piece::Kept(kept) => Piece::Kept(kept.start + range.start..kept.start + range.end),
            Piece::New(bytes) => Piece::New(bytes[range].to_vec()),
        }
    }
}

/// `text` with `edits` carried out; every byte outside their spans stays.
///
/// Edits may come in any order; insertions at one place keep theirs. Where two overlap, the later one is left out.
pub fn splice(text: &[u8], edits: &[TextEdit]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 64);
    for piece in apply(vec![Piece::Kept(0..text.len())], edits) {
        match piece {
            Piece::Kept(range) => out.extend_from_slice(&text[range]),
            Piece::New(bytes) => out.extend_from_slice(&bytes),
        }
    }
    out
}

/// The one round of edits on a text of `len` bytes that does what `first`, and then `second` on its outcome, do.
pub fn compose(len: usize, first: &[TextEdit], second: &[TextEdit]) -> Vec<TextEdit> {
    let pieces = apply(apply(vec![Piece::Kept(0..len)], first), second);
    let (mut edits, mut at, mut fresh) = (Vec::new(), 0, Vec::new());
    for piece in pieces.into_iter().chain([Piece::Kept(len..len)]) {
        match piece {
            Piece::New(bytes) => fresh.extend(bytes),
            Piece::Kept(range) => {
                if range.start > at || !fresh.is_empty() {
                    edits.push(TextEdit {
                        span: Span::new(at, range.start),
                        text: std::mem::take(&mut fresh),
                    });
                }
                at = range.end;
            }
        }
    }
    edits
}

/// Where the bytes of an edited text came from.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// Of each edit, by place: where its text begins and ends in the edited text, and its span.
    edits: Vec<(usize, usize, Span)>,
}

impl Origins {
    /// Those of the text that `edits` make.
    pub fn new(edits: &[TextEdit]) -> Origins {
        let (mut old, mut new) = (0, 0);
        let place = |edit: &TextEdit| {
            let begin = new + edit.span.start - old;
            new = begin + edit.text.len();
            old = edit.span.end;
            (begin, new, edit.span)
        };
        Origins { edits: ordered(edits).into_iter().map(place).collect() }
    }

    /// Where the bytes of a span came from, from the first to the last one.
    pub fn span(&self, span: Span) -> Span {
        Span::new(self.of(span.start), self.of(span.end))
    }

    /// Where the byte at `at` came from: itself, or the start of the edit that made it.
    pub fn of(&self, at: usize) -> usize {
        let passed = self.edits.partition_point(|(begin, _, _)| *begin <= at);
        // Of edits that begin at one place the last one alone can have text or what follows it.
        match self.edits[..passed].last() {
            None => at,
            Some(&(_, end, span)) if at < end => span.start,
            Some(&(_, end, span)) => span.end + (at - end),
        }
    }
}

/// The edits by place, without those that overlap an earlier one.
pub(super) fn ordered(edits: &[TextEdit]) -> Vec<&TextEdit> {
    let mut sorted: Vec<&TextEdit> = edits.iter().collect();
    sorted.sort_by_key(|e| (e.span.start, e.span.end));
    let mut end = 0;
    sorted.retain(|e| {
        let free = e.span.start >= end && e.span.start <= e.span.end;
        if free {
            end = e.span.end;
        }
        free
    });
    sorted
}

fn apply(pieces: Vec<Piece>, edits: &[TextEdit]) -> Vec<Piece> {
    let mut out = Vec::with_capacity(pieces.len() + 2 * edits.len());
    let mut rest = pieces.into_iter();
    let mut head: Option<Piece> = rest.next();
    let mut at = 0;
    // Hands on (or drops) the pieces up to byte `to` of the text that `pieces` make.
    let mut forward = |to: usize, keep: bool, out: &mut Vec<Piece>| {
        while at < to {
            let Some(piece) = head.take() else { return };
            let (len, take) = (piece.len(), (to - at).min(piece.len()));
            if keep && take > 0 {
                out.push(piece.part(0..take));
            }
            head = if take < len { Some(piece.part(take..len)) } else { rest.next() };
            at += take;
        }
    };
    for edit in ordered(edits) {
        forward(edit.span.start, true, &mut out);
        forward(edit.span.end, false, &mut out);
        if !edit.text.is_empty() {
            out.push(Piece::New(edit.text.clone()));
        }
    }
    forward(usize::MAX, true, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edit(start: usize, end: usize, text: &str) -> TextEdit {
        TextEdit { span: Span::new(start, end), text: text.as_bytes().to_vec() }
    }

    #[test]
    fn insertions_keep_their_order_and_come_before_a_replacement() {
        let edits = [edit(3, 6, "Nf3"), edit(3, 3, "a "), edit(3, 3, "b ")];
        assert_eq!(splice(b"1. Nf9 *", &edits), b"1. a b Nf3 *");
    }

    #[test]
    fn an_overlapping_edit_is_left_out() {
        assert_eq!(splice(b"abcdef", &[edit(1, 4, "X"), edit(2, 5, "Y")]), b"aXef");
    }

    #[test]
    fn a_place_is_found_again() {
        let edits = [edit(0, 2, "xyz"), edit(4, 4, "!!")];
        assert_eq!(splice(b"abcdef", &edits), b"xyzcd!!ef");
        let origins = Origins::new(&edits);
        let back: Vec<usize> = (0..9).map(|at| origins.of(at)).collect();
        assert_eq!(back, [0, 0, 0, 2, 3, 4, 4, 4, 5]);
    }

    fn some_edits(len: usize) -> impl Strategy<Value = Vec<TextEdit>> {
        prop::collection::vec((0..=len, 0..4usize, "[x-z]{0,3}"), 0..5).prop_map(move |raw| {
            raw.into_iter().map(|(start, n, text)| edit(start, (start + n).min(len), &text)).collect()
        })
    }

    proptest! {
        #[test]
        fn two_rounds_are_one(first in some_edits(12), seed in any::<u64>()) {
            let text = b"abcdefghijkl";
            let middle = splice(text, &first);
            let start = if middle.is_empty() { 0 } else { seed as usize % middle.len() };
            let second = [edit(start, (start + 3).min(middle.len()), "Q"), edit(0, 0, "P")];
            let both = compose(text.len(), &first, &second);
            prop_assert_eq!(splice(text, &both), splice(&middle, &second));
        }
    }
}

//! What the items further on say about an item, worked out once for all.

use crate::sheet::{
    items::{Item, ItemKind},
    word::{PieceKind, plain},
};

/// What lies ahead of each item.
pub(super) struct Ahead {
    /// For each parenthesis, whether it has a partner.
    pub closed: Vec<bool>,
    /// For each item the next one that is a number, an entry or a word.
    pub next_entry: Vec<usize>,
    /// For each item whether a tag comes before the next entry or result.
    pub before_tag: Vec<bool>,
    /// Minutes stand between the moves of this text, as bare numbers.
    pub minutes: bool,
    /// Move numbers are set off by dashes, `1 - e4 e5`: such a dash is no empty box.
    pub dashed: bool,
}

impl Ahead {
    pub fn of(items: &[Item]) -> Ahead {
        Ahead {
            closed: matched(items),
            next_entry: next_entries(items),
            before_tag: before_tags(items),
            minutes: has_minutes(items),
            dashed: has_dashed_numbers(items),
        }
    }
}

/// Whether bare numbers between dotted ones are too many for slips: one for every fourth move or more.
fn has_minutes(items: &[Item]) -> bool {
    let count = |f: fn(&PieceKind) -> bool| items.iter().filter_map(Item::piece).filter(f).count();
    let bare = count(|k| matches!(k, PieceKind::Number(_, 0)));
    let dotted = count(|k| matches!(k, PieceKind::Number(_, dots) if *dots > 0));
    let moves = count(|k| matches!(k, PieceKind::Move));
    dotted > 0 && bare >= 3 && bare * 4 >= moves
}

/// Whether dashes right behind move numbers leave room for no move: at least as often two moves follow as one.
fn has_dashed_numbers(items: &[Item]) -> bool {
    let (mut full, mut short) = (0, 0);
    for (at, pair) in items.windows(2).enumerate() {
        if !matches!(pair[0].piece(), Some(PieceKind::Number(..))) || !is_dash(&pair[1]) {
            continue;
        }
        let pair = items[at + 2..]
            .iter()
            .take(12)
            .take_while(|i| !matches!(i.piece(), Some(PieceKind::Number(..) | PieceKind::Result(_))));
        match pair.filter(|i| i.piece() == Some(PieceKind::Move)).count() {
            2 => full += 1,
            _ => short += 1,
        }
    }
    full > 0 && full >= short
}

/// Whether an item is a dash or several.
pub(super) fn is_dash(item: &Item) -> bool {
    item.piece() == Some(PieceKind::Punctuation) && item.text.chars().all(|c| plain(c) == '-')
}

/// For each item the next one that is a number, an entry or a word; the number of items where none follows.
fn next_entries(items: &[Item]) -> Vec<usize> {
    let mut next = vec![items.len(); items.len()];
    for at in (1..items.len()).rev() {
        let stops = matches!(
            items[at].piece(),
            Some(PieceKind::Number(..) | PieceKind::Move | PieceKind::Other | PieceKind::Blank)
        );
        next[at - 1] = if stops { at } else { next[at] };
    }
    next
}

/// For each item whether a tag comes before the next entry or result.
fn before_tags(items: &[Item]) -> Vec<bool> {
    let mut before = vec![false; items.len()];
    let mut tag = false;
    for (at, item) in items.iter().enumerate().rev() {
        tag = match item.kind {
            ItemKind::Tag => true,
            // A result in quotes is the value of a broken tag.
            ItemKind::Piece(PieceKind::Result(_)) if item.text.contains('"') => tag,
            ItemKind::Piece(PieceKind::Move | PieceKind::Blank | PieceKind::Result(_)) => false,
            _ => tag,
        };
        before[at] = tag;
    }
    before
}

/// Which parentheses find their partner.
fn matched(items: &[Item]) -> Vec<bool> {
    let mut closed = vec![false; items.len()];
    let mut open = Vec::new();
    for (i, item) in items.iter().enumerate() {
        match item.kind {
            ItemKind::Open => open.push(i),
            ItemKind::Close => {
                if let Some(o) = open.pop() {
                    closed[o] = true;
                    closed[i] = true;
                }
            }
            _ => {}
        }
    }
    closed
}

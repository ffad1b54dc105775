//! The moves of White and of Black in two lists, `White: e4 Nf3` and `Black: e5 Nc6`, told as one game.

use super::{
    Source, Span,
    items::{Item, ItemKind},
    word::PieceKind,
};
use crate::{
    finding::{Finding, TextEdit},
    rules,
};

/// What heads a player's list, White's and Black's, in small letters.
const HEADS: [&[&str]; 2] = [
    &["white", "weiß", "weiss", "blancs", "blancas", "brancas", "bianco", "wit", "vit", "hvid", "белые"],
    &["black", "schwarz", "noirs", "negras", "pretas", "nero", "zwart", "svart", "sort", "черные"],
];

/// So many entries may be lost from one of the lists for both to be those of one game.
const LOST: usize = 2;

/// Widest line of the one movetext, in characters, as PGN has it.
const WIDTH: usize = 79;

/// The items in the order of play, and what is to be told, where the moves stand in two lists.
pub(super) fn interleaved(source: &Source, items: Vec<Item>) -> (Vec<Item>, Option<Finding>) {
    let Some([white, black, end]) = places(&items) else { return (items, None) };
    let lists = [entries(&items[white + 2..black]), entries(&items[black + 2..end])];
    let sizes = lists.each_ref().map(Vec::len);
    if sizes.contains(&0) || sizes[0].abs_diff(sizes[1]) > LOST {
        return (items, None);
    }
    let whole = Span::new(items[white].span.start, items[end - 1].span.end);
    let text = movetext(source, &lists);
    let head = Span::new(items[white].span.start, items[white + 1].span.end);
    let message = "the moves of White and Black stand in two lists: read as one game";
    let finding = Finding::new(&rules::TWO_LISTS, head, message).cured_by(TextEdit { span: whole, text });
    let mut out = items[..white].to_vec();
    for turn in 0..sizes[0].max(sizes[1]) {
        let both = lists.iter().filter_map(|list| list.get(turn));
        out.extend(both.flatten().map(|item| Item { glued: false, ..(*item).clone() }));
    }
    out.extend_from_slice(&items[end..]);
    (out, Some(finding))
}

/// The items at which White's list, Black's list and what follows begin.
fn places(items: &[Item]) -> Option<[usize; 3]> {
    let heads = |names: &[&str], at: usize| {
        items[at].piece() == Some(PieceKind::Other)
            && names.contains(&items[at].text.to_lowercase().as_str())
            && items.get(at + 1).is_some_and(|i| i.piece() == Some(PieceKind::Punctuation) && i.text == ":")
    };
    let is_move = |i: &Item| i.piece() == Some(PieceKind::Move);
    let white = (0..items.len()).find(|&at| heads(HEADS[0], at))?;
    let black = (white + 2..items.len()).find(|&at| heads(HEADS[1], at))?;
    let ends = |i: &Item| !matches!(i.kind, ItemKind::Nag | ItemKind::Comment(_)) && !of_a_list(i);
    let end = (black + 2..items.len()).find(|&at| ends(&items[at])).unwrap_or(items.len());
    let begun = items[..white].iter().rev().take_while(|i| i.kind != ItemKind::Tag).any(is_move);
    let fits = |list: &[Item]| {
        let moves = list.iter().filter(|i| is_move(i)).count();
        let others = list.iter().filter(|i| i.piece() == Some(PieceKind::Other)).count();
        moves > 2 * others && !list.iter().any(ends)
    };
    (!begun && fits(&items[white + 2..black]) && fits(&items[black + 2..end])).then_some([white, black, end])
}

/// Whether a piece of a word may stand in a list of moves.
fn of_a_list(item: &Item) -> bool {
    matches!(item.piece(), Some(kind) if !matches!(kind, PieceKind::Result(_) | PieceKind::Time))
}

/// The entries of a list, each with the signs and comments behind it; numbers and commas are left out.
fn entries(list: &[Item]) -> Vec<Vec<&Item>> {
    let mut out: Vec<Vec<&Item>> = Vec::new();
    for item in list {
        match item.piece() {
            Some(PieceKind::Number(..) | PieceKind::Dots | PieceKind::Punctuation) => {}
            Some(PieceKind::Move | PieceKind::Blank | PieceKind::Other) => out.push(vec![item]),
            // What stands before the first move stays with it.
            _ => match out.last_mut() {
                Some(entry) => entry.push(item),
                None => out.push(vec![item]),
            },
        }
    }
    out
}

/// The moves of both lists as one movetext.
fn movetext(source: &Source, lists: &[Vec<Vec<&Item>>; 2]) -> Vec<u8> {
    let line_end: &[u8] = if memchr::memmem::find(&source.text, b"\r\n").is_some() { b"\r\n" } else { b"\n" };
    let (mut out, mut width) = (Vec::new(), 0);
    let mut put = |word: &[u8], ends_line: bool| {
        if width > 0 {
            let breaks = width + 1 + word.len() > WIDTH;
            out.extend_from_slice(if breaks { line_end } else { b" " });
            width = if breaks { 0 } else { width + 1 };
        }
        out.extend_from_slice(word);
        width += word.len();
        if ends_line {
            out.extend_from_slice(line_end);
            width = 0;
        }
    };
    for turn in 0..lists[0].len().max(lists[1].len()) {
        for (list, dots) in lists.iter().zip([".", "..."]) {
            let Some(entry) = list.get(turn) else { continue };
            if dots == "." || turn >= lists[0].len() {
                put(format!("{}{dots}", turn + 1).as_bytes(), false);
            }
            for item in entry {
                let bytes = source.bytes(item.span);
                put(bytes, matches!(bytes.first(), Some(b';' | b'%')));
            }
        }
    }
    out
}

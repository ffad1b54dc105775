//! The language of a game: the piece letters under which most of its moves can be played.

use shakmaty::{Chess, Role};

use super::{Line, play};
use crate::sheet::{
    Game, Letters,
    letters::{ALL, ENGLISH},
    notation::{self, Form, Written},
};

pub(super) struct Chosen {
    pub letters: &'static Letters,
    pub line: Line,
}

/// Tries English first; only where that fails, every language in which no fewer entries can be read. English wins ties.
pub(super) fn letters(game: &Game, start: &Chess) -> Chosen {
    let line = play(game, start, &ENGLISH);
    let mut best = Chosen { letters: &ENGLISH, line };
    let becomes_king = |slot: usize| {
        matches!(
            notation::parse(&game.slots[slot].written, &ENGLISH),
            Form::Move(Written { promotion: Some(Role::King | Role::Pawn), .. })
        )
    };
    // `a1=K` alone does not make a `K` the knight of another language.
    let wrongly_promoted = best.line.refusal.as_ref().is_some_and(|r| becomes_king(r.slot));
    if best.line.refusal.is_none() || wrongly_promoted || !has_letters(game) {
        return best;
    }
    let english = readable(game, &ENGLISH);
    let mut best_score = (best.line.plies.len(), english);
    for letters in ALL.iter().copied().filter(|l| **l != ENGLISH) {
        let readable = readable(game, letters);
        if readable < english {
            continue;
        }
        let line = play(game, start, letters);
        let score = (line.plies.len(), readable);
        if score > best_score {
            best_score = score;
            best = Chosen { letters, line };
        }
    }
    best
}

fn has_letters(game: &Game) -> bool {
    game.slots
        .iter()
        .any(|s| s.written.chars().any(|c| c.is_alphabetic() && !matches!(c, 'a'..='h' | 'x' | 'O' | 'o')))
}

fn readable(game: &Game, letters: &Letters) -> usize {
    game.slots.iter().filter(|s| !matches!(notation::parse(&s.written, letters), Form::Unreadable)).count()
}

//! The language of a game: the piece letters under which most of its moves can be played.

use shakmaty::Chess;

use super::{Line, play};
use crate::sheet::{
    Game, Letters,
    letters::{ALL, ENGLISH},
    notation::{self, Form},
};

pub(super) struct Chosen {
    pub letters: &'static Letters,
    pub line: Line,
}

/// Tries English first; only where that fails, every language in which no fewer entries can be read. English wins ties.
pub(super) fn letters(game: &Game, start: &Chess) -> Chosen {
    let line = play(game, start, &ENGLISH);
    let mut best = Chosen { letters: &ENGLISH, line };
    if best.line.refusal.is_none() || !has_letters(game) {
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

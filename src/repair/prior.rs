//! How likely a player plays this move here; knows nothing of text.
//!
//! A log-linear model over the features of a move: `P(m) = exp(w·f(m)) / Σ exp(w·f(m'))` over all legal moves.
//! The weights (`assets/prior.txt` in hundredths of a nat, `assets/pairs.bin` in 32nds) are fitted by
//! `examples/fit_prior.rs` on games over the board; `assets/book.bin` counts how often they reached an opening.

pub mod book;
mod context;
mod features;
mod layout;
mod scene;
mod worth;

use shakmaty::{Chess, Move, Position};

use book::Book;
pub use context::{Context, landing};
use layout::BOOK;
pub use layout::{DENSE, WEIGHTS};
use scene::Scene;

/// Share of moves that are as good as random.
const WILD: f32 = 0.03;

/// A legal move with what the search needs to know about it.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// `-ln P(mv)`, in nats.
    pub nats: f32,
    /// Whether it gives check.
    pub check: bool,
    /// Whether it gives mate.
    pub mate: bool,
}

/// The features of every legal move: for fitting. `counts` tells how often a position (by [`book::key`]) was reached in
/// other games.
pub fn features_of(pos: &Chess, context: Context, counts: impl Fn(u64) -> u32) -> Vec<(Move, Vec<u32>)> {
    let scene = Scene::new(pos, context);
    let reached = counts(book::key(pos));
    pos.legal_moves()
        .into_iter()
        .map(|m| {
            let mut list = Vec::with_capacity(32);
            scene.features(m, |f| list.push(f as u32));
            if reached >= book::LEAST {
                let mut after = pos.clone();
                after.play_unchecked(m);
                list.push((BOOK + book::share(reached, counts(book::key(&after)))) as u32);
            }
            (m, list)
        })
        .collect()
}

/// How many units of a weight of one byte make a nat.
pub const UNITS: f32 = 32.0;

/// The fitted model.
#[derive(Clone, Debug)]
pub struct Prior {
    dense: Vec<f32>,
    pairs: &'static [u8],
    book: Book,
}

impl Prior {
    /// The weights shipped with the program.
    pub fn embedded() -> Prior {
        let mut dense: Vec<f32> = include_str!("../../assets/prior.txt")
            .split_ascii_whitespace()
            .map(|w| w.parse::<f32>().unwrap_or(0.0) / 100.0)
            .collect();
        dense.resize(DENSE, 0.0);
        Prior { dense, pairs: include_bytes!("../../assets/pairs.bin"), book: Book::embedded() }
    }

    fn weight(&self, feature: usize) -> f32 {
        match self.dense.get(feature) {
            Some(w) => *w,
            None => self.pairs.get(feature - DENSE).map_or(0.0, |&b| f32::from(b as i8) / UNITS),
        }
    }

    /// All legal moves with `weight` times `-ln` of their probability, in the order of the move generator.
    pub fn menu(&self, pos: &Chess, context: Context, weight: f32, out: &mut Vec<Choice>) {
        out.clear();
        let scene = Scene::new(pos, context);
        let reached = self.book.reached(pos);
        let mut top = f32::NEG_INFINITY;
        for mv in pos.legal_moves() {
            let mut score = 0.0;
            let (check, mate) = scene.features(mv, |f| score += self.weight(f));
            if reached >= book::LEAST {
                let mut after = pos.clone();
                after.play_unchecked(mv);
                score += self.weight(BOOK + book::share(reached, self.book.reached(&after)));
            }
            top = top.max(score);
            out.push(Choice { mv, nats: score, check, mate });
        }
        let total: f32 = out.iter().map(|c| (c.nats - top).exp()).sum();
        // A few moves in a hundred follow no rule that the features know.
        let any = WILD / out.len().max(1) as f32;
        for c in out.iter_mut() {
            c.nats = -((1.0 - WILD) * (c.nats - top).exp() / total + any).ln() * weight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_those_of_the_features() {
        let prior = Prior::embedded();
        assert_eq!(prior.dense.len() + prior.pairs.len(), WEIGHTS);
        let words = include_str!("../../assets/prior.txt").split_ascii_whitespace();
        assert_eq!(words.filter(|w| w.parse::<f32>().is_ok()).count(), DENSE);
    }

    #[test]
    fn probabilities_of_all_moves_sum_to_one() {
        let mut menu = Vec::new();
        Prior::embedded().menu(&Chess::default(), Context::default(), 1.0, &mut menu);
        let sum: f32 = menu.iter().map(|c| (-c.nats).exp()).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
    }
}

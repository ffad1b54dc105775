//! A small search of our own: mate proofs, exchanges, the built-in engine; knows nothing of UCI.
//!
//! The built-in engine is a fixed-depth alpha-beta search without clock, book or randomness. Its answer depends on
//! the position and the depth alone: not on how moves are listed (see [`order`]), not on what was searched before
//! (the memory is emptied for each position), not on the colours (a position with Black to move is searched mirrored).

pub mod alphabeta;
pub mod builtin;
pub mod evaluate;
pub mod exchange;
pub mod mate;
pub mod order;
mod quiescence;
pub mod table;
pub mod terms;
pub mod weights;

use std::sync::{Arc, atomic::AtomicBool};

use shakmaty::{Chess, EnPassantMode, MoveList, Position, PositionError, Setup};

use crate::engine::{Evaluation, MoverScore, STEPS, Step, finished};
pub use builtin::Builtin;

use alphabeta::{Found, MATE, MATE_BOUND, Searcher};

/// Size of the transposition table: `2^TABLE_BITS` entries of 16 bytes.
pub const TABLE_BITS: u32 = 20;

/// The built-in engine's word on `position` at `depth` plies (at least 1).
///
/// Allocates its table anew; to ask about many positions keep an [`Engine`].
pub fn best(position: &Chess, depth: u32) -> Evaluation {
    Engine::default().best(position, depth)
}

/// The built-in engine with its memory, which is emptied before each search.
pub struct Engine<G = fn(&Chess) -> MoveList> {
    searcher: Searcher<G>,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new(Chess::legal_moves)
    }
}

impl<G: FnMut(&Chess) -> MoveList> Engine<G> {
    /// An engine that takes the legal moves of a position from `generate`, in whatever order they come.
    pub fn new(generate: G) -> Engine<G> {
        Engine { searcher: Searcher::new(TABLE_BITS, generate) }
    }

    /// The engine's word on `position` at `depth` plies (at least 1); where the game is over, the rules' word.
    pub fn best(&mut self, position: &Chess, depth: u32) -> Evaluation {
        if let Some(rules) = finished(position) {
            return rules;
        }
        let turn = position.turn();
        let found = self.search(position, depth);
        let mut steps: Vec<Step> = found
            .depths
            .iter()
            .enumerate()
            .map(|(index, &(score, best))| {
                let shallower = index.checked_sub(1).map_or(score, |i| found.depths[i].0);
                let score = mover_score(settled(shallower, score)).to_white(turn);
                Step { depth: index as u32 + 1, score, best }
            })
            .collect();
        let score = steps.pop().map_or(mover_score(found.score).to_white(turn), |last| last.score);
        steps.drain(..steps.len().saturating_sub(STEPS));
        Evaluation {
            score,
            best: found.line.first().copied(),
            depth: found.depths.len() as u32,
            pv: found.line,
            steps,
        }
    }

    /// Has every search end soon once `flag` is up; what it then says is worth nothing.
    pub fn heed(&mut self, flag: Arc<AtomicBool>) {
        self.searcher.heed(flag);
    }

    /// Positions visited by the last search.
    pub fn nodes(&self) -> u64 {
        self.searcher.nodes()
    }

    /// Searches `position` as White sees it, so that colours cannot change the answer.
    pub fn search(&mut self, position: &Chess, depth: u32) -> Found {
        match position.turn().is_black().then(|| mirrored(position)).flatten() {
            Some(mirror) => {
                let mut found = self.searcher.search(&mirror, depth);
                found.line.iter_mut().for_each(|mv| *mv = mv.to_mirrored());
                found.depths.iter_mut().for_each(|(_, mv)| *mv = mv.to_mirrored());
                found
            }
            None => self.searcher.search(position, depth),
        }
    }
}

/// The same position with colours exchanged and the board turned, the mover included.
///
/// `None` where shakmaty refuses the mirrored set-up.
pub fn mirrored(position: &Chess) -> Option<Chess> {
    let mode = position.castles().mode();
    let setup: Setup = position.to_setup(EnPassantMode::Legal).into_mirrored();
    setup
        .position::<Chess>(mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

/// The score of a depth, given that of the depth before: their mean.
///
/// A search flatters the side that moves last, so that scores swing between odd and even depths, and the swing of a move
/// compares a search with one that ends a ply later. A mate is a mate at whatever depth it is found.
fn settled(shallower: i32, score: i32) -> i32 {
    if shallower.abs() >= MATE_BOUND || score.abs() >= MATE_BOUND { score } else { (shallower + score) / 2 }
}

fn mover_score(score: i32) -> MoverScore {
    if score >= MATE_BOUND {
        MoverScore::Mates(((MATE - score + 1) / 2) as u32)
    } else if score <= -MATE_BOUND {
        MoverScore::Mated(((MATE + score) / 2) as u32)
    } else {
        MoverScore::Cp(centipawns(score))
    }
}

/// Scores of the search on the left, what they are reported as on the right; between them straight lines, beyond the last
/// one no change.
const SCALE: [(i32, i32); 3] = [(0, 0), (300, 390), (700, 700)];

/// Stretches scores to the scale that the weights were fitted to.
///
/// What least squares fits leans towards zero, the more so the less the terms explain: without this, moves that lose two
/// pawns by that scale would count as losing one and a half. Measured on 1,400 positions of games not fitted to.
fn centipawns(score: i32) -> i32 {
    let size = score.abs();
    let segment = SCALE.windows(2).find(|pair| size < pair[1].0);
    let stretched = segment.map_or(size, |pair| {
        let [(from, low), (to, high)] = [pair[0], pair[1]];
        low + (size - from) * (high - low) / (to - from)
    });
    stretched * score.signum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_turns_no_order_round_and_no_side() {
        for score in 0..1000 {
            assert!(centipawns(score) <= centipawns(score + 1), "{score}");
            assert_eq!(centipawns(-score), -centipawns(score));
        }
        assert_eq!([0, 100, 300, 500, 700, 9000].map(centipawns), [0, 130, 390, 545, 700, 9000]);
    }

    #[test]
    fn a_score_is_the_mean_of_two_depths_but_for_mates() {
        assert_eq!(settled(20, 60), 40);
        assert_eq!(settled(-20, -61), -settled(20, 61));
        assert_eq!(settled(150, MATE - 5), MATE - 5);
        assert_eq!(settled(5 - MATE, 150), 150);
    }
}

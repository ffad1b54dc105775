//! Where the engine should look again, deeper, because it could change the judgement.

use std::collections::BTreeSet;

use shakmaty::{Chess, Color, Position};

use super::{BLUNDER, loss::swing};
use crate::engine::Evaluation;

/// The positions of one game, by index, where a deeper search may change the blunder list or the scores in it.
///
/// `deep` is what was searched deep already. Asked until it answers with nothing new (see
/// [`plan::evaluate`](crate::engine::plan::evaluate)), no swing of the list, nor any near it, rests on two depths.
pub fn doubtful(positions: &[Chess], known: &[Evaluation], deep: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut wanted = BTreeSet::new();
    for (i, (pair, position)) in known.windows(2).zip(positions).enumerate() {
        let slack = [i, i + 1].iter().map(|k| unrest(&known[*k], deep.contains(k))).sum::<i32>();
        if swing(position.turn(), pair[0].score, pair[1].score) + slack >= BLUNDER {
            wanted.extend([i, i + 1].iter().filter(|k| !deep.contains(k)));
        }
    }
    wanted
}

/// How far a score may still move, centipawns, judged by how it moved over its last iterations.
fn unrest(evaluation: &Evaluation, deep: bool) -> i32 {
    if deep || evaluation.depth == 0 {
        return 0;
    }
    let moved = evaluation
        .steps
        .iter()
        .map(|step| swing(Color::White, step.score, evaluation.score).abs())
        .max()
        .unwrap_or(CALM);
    let flipped = evaluation.steps.iter().any(|step| Some(step.best) != evaluation.best);
    moved + if flipped { CALM } else { CALM / 2 }
}

/// The least that a score is taken to move, centipawns, in a position whose best move is not settled.
const CALM: i32 = 30;

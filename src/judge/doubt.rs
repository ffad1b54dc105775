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

/// The least that a score is taken to move, centipawns, in a position whose best move is not settled; half of it where
/// it is. Measured with GNU Chess: more finds no more blunders and costs the time that the second pass is to save.
const CALM: i32 = 50;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Step, WhiteScore, uci};

    fn positions(count: usize) -> Vec<Chess> {
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let mut position = Chess::default();
        let mut all = vec![position.clone()];
        for text in shuffle.iter().cycle().take(count - 1) {
            let mv = uci::legal_move(text, &position).unwrap();
            position.play_unchecked(mv);
            all.push(position.clone());
        }
        all
    }

    /// Calm evaluations with these scores.
    fn scored(positions: &[Chess], scores: &[i32]) -> Vec<Evaluation> {
        let one = |(position, cp): (&Chess, &i32)| {
            let best = position.legal_moves()[0];
            let score = WhiteScore { cp: *cp };
            let steps = vec![Step { depth: 6, score, best }, Step { depth: 7, score, best }];
            Evaluation { score, best: Some(best), depth: 8, pv: vec![best], steps }
        };
        positions.iter().zip(scores).map(one).collect()
    }

    fn wanted(known: &[Evaluation], deep: &[usize]) -> Vec<usize> {
        doubtful(&positions(known.len()), known, &deep.iter().copied().collect()).into_iter().collect()
    }

    #[test]
    fn both_sides_of_a_swing_are_looked_at_until_they_were() {
        let known = scored(&positions(6), &[20, 30, 10, -300, 0, 10]);
        // Ply 3 (White) loses 310, ply 4 (Black) loses 300.
        assert_eq!(wanted(&known, &[]), [2, 3, 4]);
        assert_eq!(wanted(&known, &[3]), [2, 4]);
        assert_eq!(wanted(&known, &[2, 3, 4]), [0; 0]);
    }

    #[test]
    fn a_quiet_game_and_a_won_one_need_no_second_look() {
        assert_eq!(wanted(&scored(&positions(5), &[20, 30, 10, 60, -20]), &[]), [0; 0]);
        assert_eq!(wanted(&scored(&positions(5), &[1500, 9990, 1100, 9000, 2000]), &[]), [0; 0]);
    }

    #[test]
    fn a_score_that_has_just_jumped_is_in_doubt() {
        let mut known = scored(&positions(5), &[20, 30, 10, 0, -20]);
        known[2].steps[1].score.cp = 190;
        assert_eq!(wanted(&known, &[]), [1, 2, 3]);
        assert_eq!(wanted(&known, &[2]), [0; 0]);
        let mut flipped = scored(&positions(3), &[0, -100, 0]);
        assert_eq!(wanted(&flipped, &[]), [0; 0]);
        flipped[1].steps[0].best = positions(3)[1].legal_moves()[1];
        flipped[0].steps[0].best = positions(3)[0].legal_moves()[1];
        assert_eq!(wanted(&flipped, &[]), [0, 1]);
    }
}

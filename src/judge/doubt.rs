//! Where the engine should look again, deeper, because it could change the judgement.

use std::collections::BTreeSet;

use shakmaty::{Chess, Color, Position};

use super::{BAND, BLUNDER, loss::swing};
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

/// The moves of one game, by index, whose place on the list of blunders is not settled, the nearest to the line first:
/// what the third look follows, and what is `borderline` where it still stands after it.
///
/// A move is settled once the last two depths of its positions, both taken a ply earlier, agree about it. One that was
/// not yet searched beyond `deep` must be searched so first where it is within [`BAND`] of the line, where one side's
/// earlier depth would put it on the other side, or where `second`, another engine's word on the same positions, does.
pub fn undecided(
    positions: &[Chess],
    known: &[Evaluation],
    second: Option<&[Evaluation]>,
    deep: u32,
) -> Vec<usize> {
    let earlier = |e: &Evaluation| e.steps.last().map_or(e.score, |s| s.score);
    let mut moves = Vec::new();
    for (i, (pair, position)) in known.windows(2).zip(positions).enumerate() {
        let (side, before, after) = (position.turn(), &pair[0], &pair[1]);
        let lost = swing(side, before.score, after.score);
        let other = |lost: i32| (lost >= BLUNDER) != (swing(side, before.score, after.score) >= BLUNDER);
        let followed = pair.iter().all(|e| e.depth > deep || e.depth == 0);
        let contradicted = || {
            second.and_then(|s| Some(swing(side, s.get(i)?.score, s.get(i + 1)?.score))).is_some_and(other)
        };
        let shaky = other(swing(side, earlier(before), earlier(after)));
        let first = (lost - BLUNDER).abs() <= BAND
            || other(swing(side, earlier(before), after.score))
            || other(swing(side, before.score, earlier(after)))
            || contradicted();
        if shaky || (!followed && first) {
            moves.push(i);
        }
    }
    let distance =
        |i: &usize| (swing(positions[*i].turn(), known[*i].score, known[*i + 1].score) - BLUNDER).abs();
    moves.sort_by_key(|i| (distance(i), *i));
    moves
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
    fn a_move_is_undecided_until_two_depths_running_agree() {
        let positions = positions(4);
        let ask =
            |known: &[Evaluation], second: Option<&[Evaluation]>| undecided(&positions, known, second, 8);
        // Ply 2 (Black) loses 300 at both depths.
        let calm = scored(&positions, &[20, -20, 280, 280]);
        assert_eq!(ask(&calm, None), [0; 0]);
        // Another engine thinks nothing of it, and thinks that ply 3 loses 200.
        let other = scored(&positions, &[20, -20, 100, -100]);
        assert_eq!(ask(&calm, Some(&other)), [1, 2]);
        let mut followed = calm.clone();
        followed.iter_mut().for_each(|e| e.depth = 9);
        assert_eq!(ask(&followed, Some(&other)), [0; 0]);
        // Both depths of one side must agree, however deep.
        followed[2].steps[1].score.cp = 100;
        assert_eq!(ask(&followed, None), [1]);
        assert_eq!(ask(&scored(&positions, &[0, -200, -200, -200]), None), [0]);
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

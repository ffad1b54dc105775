//! What the engine said, move by move.

use shakmaty::{Chess, Move, Position, san::SanPlus};

use super::{fen, guess};
use crate::{
    engine::Evaluation,
    fix::Count,
    judge,
    replay::Replay,
    report::{AfterRow, BlunderRow, EvalRow, LossRow, MateChangeRow, MateRow, RepairRow, Side},
    search::mate,
};

/// The rows of `evals.csv`.
pub fn evals(start: &Chess, moves: &[(Move, String)], evaluations: &[Evaluation]) -> Vec<EvalRow> {
    let mut position = start.clone();
    let mut rows = Vec::with_capacity(moves.len());
    for ((mv, san), (evaluation, ply)) in moves.iter().zip(evaluations.iter().zip(1..)) {
        let best = evaluation.best.unwrap_or(*mv);
        rows.push(EvalRow {
            ply,
            side: position.turn().into(),
            san: san.clone(),
            score_cp: evaluation.score.cp,
            best_san: SanPlus::from_move(position.clone(), best).to_string(),
            fen: fen(&position),
        });
        position.play_unchecked(*mv);
    }
    rows
}

/// The rows of `evals_after.csv` for the last `closing` moves; `evaluations` are those of all positions.
pub fn evals_after(
    positions: &[Chess],
    moves: &[(Move, String)],
    evaluations: &[Evaluation],
    closing: usize,
) -> Vec<AfterRow> {
    let first = moves.len().saturating_sub(closing);
    let row = |index: usize| AfterRow {
        ply: index as u32 + 1,
        san: moves[index].1.clone(),
        score_cp: evaluations[index + 1].score.cp,
        depth: evaluations[index + 1].depth,
        fen: fen(&positions[index + 1]),
    };
    (first..moves.len()).map(row).collect()
}

/// A blunder as the files have it.
pub fn blunder(start: &Chess, blunder: &judge::Blunder, repairs: &[RepairRow]) -> BlunderRow {
    let white = |cp: i32| if blunder.side.is_white() { -cp } else { cp };
    BlunderRow {
        ply: blunder.ply,
        side: Side::from(blunder.side),
        san: blunder.san.clone(),
        best_san: blunder.best_san.clone(),
        cp_before: blunder.cp_before,
        cp_after: blunder.cp_after,
        swing: blunder.swing,
        white_cp_before: white(blunder.cp_before),
        white_cp_after: white(blunder.cp_after),
        move_number: Count::from(start).number(blunder.ply as usize - 1),
        chance_lost: rounded_chance(blunder.win_loss),
        mate: blunder.mate.map(mate_change),
        borderline: blunder.borderline,
        guess: guess(repairs, blunder.ply).is_some(),
        second: None,
    }
}

/// The moves that lost something worth a word, or nearly did.
pub fn losses(moves: &[(Move, String)], losses: &[judge::Loss], repairs: &[RepairRow]) -> Vec<LossRow> {
    let worth =
        |l: &&judge::Loss| l.grade.is_some() || l.mate.is_some() || l.borderline || l.swing >= judge::BLUNDER;
    let row = |loss: &judge::Loss| LossRow {
        ply: loss.ply,
        side: Side::from(loss.side),
        san: moves[loss.ply as usize - 1].1.clone(),
        swing: loss.swing,
        chance_lost: rounded_chance(loss.win_loss),
        grade: loss.grade.map(|grade| match grade {
            judge::Grade::Inaccuracy => "inaccuracy",
            judge::Grade::Mistake => "mistake",
            judge::Grade::Blunder => "blunder",
        }),
        mate: loss.mate.map(mate_change),
        borderline: loss.borderline,
        guess: guess(repairs, loss.ply).is_some(),
    };
    losses.iter().filter(worth).map(row).collect()
}

/// The mates in at most three moves that were played, missed or claimed.
pub fn mates(positions: &[Chess], replay: &Replay, evaluations: &[Evaluation]) -> Vec<MateRow> {
    let moves: Vec<Move> = replay.plies.iter().map(|p| p.mv).collect();
    mate::mates(positions, &moves, evaluations, mate::BUDGET)
        .into_iter()
        .map(|found| MateRow {
            ply: found.ply,
            side: found.side.into(),
            moves_to_mate: found.moves_to_mate,
            moves: found.first_moves,
            proven: found.verdict == mate::Verdict::Proven,
            verdict: match found.verdict {
                mate::Verdict::Proven => "proven",
                mate::Verdict::Refuted => "refuted",
                mate::Verdict::Unverifiable => "unverifiable",
            },
            kept: found.kept,
        })
        .collect()
}

fn mate_change(change: judge::MateChange) -> MateChangeRow {
    match change {
        judge::MateChange::Lost(n) => MateChangeRow { change: "lost", moves_to_mate: n },
        judge::MateChange::Allowed(n) => MateChangeRow { change: "allowed", moves_to_mate: n },
    }
}

fn rounded_chance(chance: f64) -> f64 {
    (chance * 1000.0).round() / 1000.0
}

//! Entries numbered before the first move, which may be no part of the game.

use super::{Edit, Limits, Op, Problem, Repair, decode};

/// Share of the probability that goes to the game without such entries, where the others replay as written.
const SHARE: f64 = 0.7;

/// How many entries stand before the one that has the first move's number.
fn before_the_first(problem: &Problem) -> usize {
    let numbered = |n: u32| problem.cells.iter().position(move |c| c.number == Some(n));
    let starts_low = problem.cells.first().and_then(|c| c.number).is_some_and(|n| n < problem.first_number);
    match numbered(problem.first_number) {
        Some(first) if starts_low => first,
        _ => 0,
    }
}

/// `whole`, the reading of all entries, behind the one that leaves out those numbered before the first move, where
/// `whole` changes one of them and the others replay as written.
pub(super) fn left_out(problem: &Problem, limits: &Limits, mut whole: Repair) -> Repair {
    let outside = before_the_first(problem);
    let touched = whole.best.edits.iter().any(|e| e.written_ply as usize <= outside);
    if outside == 0 || !touched {
        return whole;
    }
    let rest = Problem { cells: problem.cells[outside..].to_vec(), ..problem.clone() };
    let mut answer = decode(&rest, limits);
    if !answer.best.edits.is_empty() || answer.unexplained_from.is_some() {
        return whole;
    }
    answer.best.edits.extend(problem.cells[..outside].iter().zip(1..).map(|(cell, written_ply)| Edit {
        op: Op::Delete,
        written_ply,
        ply: 1,
        other_ply: None,
        written: cell.text.clone(),
        san: String::new(),
        span: cell.span,
        cost: limits.search.no_blank.into(),
        reason: format!("{} is numbered before the first move; without it the game replays", cell.text),
    }));
    answer.best.probability *= SHARE;
    let others = std::iter::once(&mut whole.best).chain(&mut whole.alternatives);
    others.for_each(|reading| reading.probability *= 1.0 - SHARE);
    answer.alternatives = std::iter::once(whole.best).chain(whole.alternatives).take(9).collect();
    answer
}

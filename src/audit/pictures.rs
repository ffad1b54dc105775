//! The pictures of one game, handed over with their places in the report.

use shakmaty::{Move, san::San};

use super::{AuditError, Audited, Case, Output, rows};
use crate::{
    evidence::{EvidenceError, IllegalView, Picture, Stage, ViewRequest, draw_illegal},
    examine::failures::Failure,
    fix::Count,
    repair::{Edit, Op},
    replay::RefusalKind,
    report::{BoardAt, EvidenceRow, RepairRow},
};

/// Width of a drawn picture, pixels.
const WIDTH: u32 = 720;

/// Makes the three views and one picture for each move that cannot be applied.
///
/// # Errors
/// Where a file cannot be kept, and on an interrupt.
pub fn make(
    one: &mut Audited,
    stage: &mut Stage<'_>,
    index: usize,
    output: &mut dyn Output,
) -> Result<(), AuditError> {
    let case = &one.case;
    let moves: Vec<Move> = case.mended.replay.plies.iter().map(|p| p.mv).collect();
    let request = ViewRequest {
        original: &case.score.raw,
        start: &case.replay.start,
        moves: &moves,
        blunder: one.worst,
        is_blunder: one.report.blunders.as_ref().is_some_and(|b| !b.is_empty()),
        guess: one.worst.is_some_and(|ply| rows::guess(&one.report.repairs, ply).is_some()),
        result: &one.report.result_tag_after,
    };
    let views = stage.views(&request).map_err(|e| match e {
        EvidenceError::Interrupted => AuditError::Interrupted,
        other => AuditError::Pictures(other.to_string()),
    })?;
    for view in views {
        output.put(index, view.file, &view.picture.png())?;
        one.report.warnings.extend(view.note);
        one.report.evidence.push(row(view.file, view.ply, view.fen, &view.picture));
    }
    for failure in &one.case.failures {
        let slot = &one.case.score.game.slots[failure.ply as usize - 1];
        let Cure { here: repair, probability, others } = cure(&one.case, failure, &one.report.repairs);
        let view = IllegalView {
            ply: failure.ply,
            position: &failure.position,
            last: failure.last,
            written: &slot.written,
            reason: &failure.reason,
            is_move: !matches!(failure.kind, RefusalKind::Unreadable | RefusalKind::Missing),
            repair,
            probability,
            cure: others.as_deref(),
        };
        let (file, picture) = (view.file(), draw_illegal(&view, WIDTH));
        output.put(index, &file, &picture.png())?;
        one.report.evidence.push(row(&file, failure.ply, rows::fen(&failure.position), &picture));
    }
    Ok(())
}

/// What the repair does about a failure.
#[derive(Default)]
struct Cure {
    /// The move that it plays in the very position of the failure.
    here: Option<Move>,
    /// The probability of that move, 0 to 1, where it is below one half.
    probability: Option<f64>,
    /// A sentence about its other edits.
    others: Option<String>,
}

fn cure(case: &Case, failure: &Failure, repairs: &[RepairRow]) -> Cure {
    let Some(reading) = case.repair.as_ref().map(|r| &r.best) else { return Cure::default() };
    let (mut cure, mut others, mut earlier) = (Cure::default(), Vec::new(), false);
    for edit in failure.edits.iter().map(|&e| &reading.edits[e]) {
        let san: Option<San> = edit.san.trim_end_matches(['+', '#']).parse().ok();
        let mv = san.filter(|_| edit.written_ply == failure.ply && edit.op == Op::Substitute);
        let guess = rows::guess(repairs, edit.ply);
        match mv.and_then(|san| san.to_move(&failure.position).ok()) {
            Some(mv) => (cure.here, cure.probability) = (Some(mv), guess),
            None => {
                earlier |= edit.written_ply < failure.ply;
                let share = guess.map_or_else(String::new, |p| format!(" ({:.0} %)", p * 100.0));
                others.push(edit_in_words(case, edit) + &share);
            }
        }
    }
    let lead = if earlier && cure.here.is_none() { "The fault is earlier" } else { "Repair" };
    cure.others = (!others.is_empty()).then(|| format!("{lead}: {}.", others.join(", and ")));
    cure
}

/// One edit with the numbers of its moves: `3. e4 was 3. e3`.
fn edit_in_words(case: &Case, edit: &Edit) -> String {
    let count = Count::from(&case.replay.start);
    let entry = |ply: u32| {
        let index = ply.max(1) as usize - 1;
        let dots = if count.side(index).is_white() { "." } else { "..." };
        let written = case.score.game.slots.get(index).map_or("", |slot| slot.written.trim());
        let number = format!("{}{dots}", count.number(index));
        let whole =
            if written.is_empty() { format!("the blank {number}") } else { format!("{number} {written}") };
        (number, whole)
    };
    let (number, here) = entry(edit.written_ply);
    match edit.op {
        Op::Insert => format!("{} is missing before {here}", edit.san),
        Op::Delete => format!("{here} was not played"),
        Op::Played => format!("{here} was played, against the rules"),
        Op::Swap => {
            let other = entry(edit.other_ply.unwrap_or(edit.written_ply + 1)).1;
            format!("{here} and {other} have changed places")
        }
        Op::Substitute | Op::Tag => format!("{here} was {number} {}", edit.san),
    }
}

fn row(file: &str, ply: u32, fen: String, picture: &Picture) -> EvidenceRow {
    EvidenceRow {
        file: file.to_owned(),
        source: picture.source.word(),
        ply,
        fen,
        board: BoardAt { x: picture.board.x, y: picture.board.y, square: picture.board.square },
        text: picture.text.clone(),
    }
}

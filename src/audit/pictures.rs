//! The pictures of one game, handed over with their places in the report.

use shakmaty::{Move, san::San};

use super::{AuditError, Audited, Case, Output, illegal::Failure, rows};
use crate::{
    evidence::{EvidenceError, IllegalView, Picture, Stage, ViewRequest, draw_illegal},
    report::{BoardAt, EvidenceRow},
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
        let view = IllegalView {
            ply: failure.ply,
            position: &failure.position,
            last: failure.last,
            written: &slot.written,
            reason: &failure.reason,
            repair: played_here(&one.case, failure),
        };
        let (file, picture) = (view.file(), draw_illegal(&view, WIDTH));
        output.put(index, &file, &picture.png())?;
        one.report.evidence.push(row(&file, failure.ply, rows::fen(&failure.position), &picture));
    }
    Ok(())
}

/// The move that the repair plays in the very position of the failure.
fn played_here(case: &Case, failure: &Failure) -> Option<Move> {
    let edit = &case.repair.as_ref()?.best.edits[*failure.edits.first()?];
    let san: San = edit.san.trim_end_matches(['+', '#']).parse().ok()?;
    (edit.written_ply == failure.ply).then(|| san.to_move(&failure.position).ok())?
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

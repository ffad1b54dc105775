//! What was found in the text: moves that cannot be played, and notes.

use std::collections::BTreeSet;

use super::repairs::rivals;
use crate::{
    check::record::severity_word,
    examine::failures::Failure,
    finding::{Finding, Severity},
    fix::Count,
    repair::{Edit, Op, Problem, Repair},
    replay::RefusalKind,
    report::{IllegalKind, IllegalMove, Note},
    sheet::{Game, Source},
};

/// The records of `illegal_moves.json`.
pub fn illegal_moves(
    source: &Source,
    game: &Game,
    problem: &Problem,
    repair: Option<&Repair>,
    failures: &[Failure],
) -> Vec<IllegalMove> {
    let count = Count::from(&problem.start);
    let row = |failure: &Failure| {
        let slot = failure.ply as usize - 1;
        let written = &game.slots[slot];
        let edits: Vec<&Edit> =
            failure.edits.iter().filter_map(|&e| repair.and_then(|r| r.best.edits.get(e))).collect();
        let cause = edits.first().map_or(failure.ply, |e| e.written_ply);
        let mut plies: Vec<u32> =
            edits.iter().flat_map(|e| [Some(e.written_ply), e.other_ply]).flatten().collect();
        plies.push(failure.ply);
        plies.sort_unstable();
        plies.dedup();
        let fixes: Vec<&str> = edits.iter().map(|e| e.san.as_str()).filter(|san| !san.is_empty()).collect();
        let at = source.locate(written.span.start);
        IllegalMove {
            ply: failure.ply,
            side: written.side.unwrap_or_else(|| count.side(slot)).into(),
            san: written.written.clone(),
            error: failure.reason.clone(),
            kind: kind(failure.kind, edits.first().copied()),
            move_number: count.number(slot),
            line: at.line,
            column: at.column,
            fix: (!fixes.is_empty()).then(|| fixes.join(" ")),
            cause_ply: (cause < failure.ply).then_some(cause),
            plies,
            alternatives: repair.map_or_else(Vec::new, |r| {
                edits.first().map_or_else(Vec::new, |e| rivals(r, e).into_iter().map(|u| u.san).collect())
            }),
        }
    };
    failures.iter().map(row).collect()
}

fn kind(refused: RefusalKind, edit: Option<&Edit>) -> IllegalKind {
    match (edit.map(|e| e.op), refused) {
        (Some(Op::Insert), _) => IllegalKind::Missing,
        (Some(Op::Delete), _) => IllegalKind::Extra,
        (_, RefusalKind::Illegal | RefusalKind::Unsupported) => IllegalKind::Illegal,
        (_, RefusalKind::Ambiguous) => IllegalKind::Ambiguous,
        (_, RefusalKind::Unreadable) => IllegalKind::Unreadable,
        (_, RefusalKind::Missing) => IllegalKind::Missing,
        (_, RefusalKind::Extra) => IllegalKind::Extra,
    }
}

/// The findings that are no record of `illegal_moves.json`.
pub fn notes(source: &Source, findings: &[Finding], recorded: &[IllegalMove]) -> Vec<Note> {
    let plies: BTreeSet<u32> = recorded.iter().flat_map(|r| r.plies.iter().copied()).collect();
    let is_record =
        |f: &&Finding| f.severity == Severity::Error && f.ply.is_some_and(|ply| plies.contains(&ply));
    let row = |f: &Finding| {
        let at = source.locate(f.span.start);
        Note {
            code: f.rule.code,
            name: f.rule.name,
            severity: severity_word(f.severity),
            ply: f.ply,
            line: at.line,
            column: at.column,
            message: f.message.clone(),
        }
    };
    let mut rows: Vec<Note> = findings.iter().filter(|f| !is_record(f)).map(row).collect();
    rows.sort_by(|a, b| (a.line, a.column, a.code).cmp(&(b.line, b.column, b.code)));
    rows.dedup();
    rows
}

//! What the stages found, as the rows of the report.

use std::collections::BTreeSet;

use shakmaty::{Chess, EnPassantMode, Move, Position, fen::Fen, san::SanPlus};

use super::{Score, illegal::Failure};
use crate::{
    check::record::{op_word, severity_word},
    engine::Evaluation,
    finding::{Finding, Severity},
    fix::{Count, Mended, Purpose, align},
    judge,
    repair::{Edit, Op, Problem, Reading, Repair},
    replay::{RefusalKind, Replay},
    report::{
        AfterRow, Alternative, BlunderRow, EvalRow, IllegalKind, IllegalMove, LossRow, MateChangeRow,
        MateRow, Note, PlayedIllegally, RepairRow, RunnerUp, Side, counted,
    },
    rules,
    search::mate,
    sheet::{Game, Source},
};

/// A position as FEN; the en passant square only where a capture there is legal.
pub fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

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

/// What other readings put in the place of an edit, the likeliest first.
fn rivals(repair: &Repair, edit: &Edit) -> Vec<RunnerUp> {
    let mut rivals: Vec<RunnerUp> = Vec::new();
    for reading in &repair.alternatives {
        let there = reading.edits.iter().find(|e| e.written_ply == edit.written_ply && e.op != Op::Tag);
        let Some(other) = there.filter(|e| (e.op, &e.san) != (edit.op, &edit.san)) else { continue };
        match rivals.iter_mut().find(|r| r.san == other.san) {
            Some(known) => known.probability += reading.probability,
            None => rivals.push(RunnerUp { san: other.san.clone(), probability: reading.probability }),
        }
    }
    rivals.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    rivals.iter_mut().for_each(|r| r.probability = rounded(r.probability));
    rivals
}

/// Probability that an edit is right: that of all readings that have it.
fn marginal(repair: &Repair, edit: &Edit) -> f64 {
    let has = |r: &&Reading| {
        r.edits.iter().any(|e| (e.op, e.written_ply, &e.san) == (edit.op, edit.written_ply, &edit.san))
    };
    std::iter::once(&repair.best).chain(&repair.alternatives).filter(has).map(|r| r.probability).sum()
}

/// The probability of a move that the repair put at this ply of the repaired game, where it is below one half.
pub fn guess(repairs: &[RepairRow], ply: u32) -> Option<f64> {
    let put_in = |row: &&RepairRow| row.ply == ply && matches!(row.op, "substitute" | "insert");
    repairs.iter().find(put_in)?.probability.filter(|p| *p < 0.5)
}

/// Rounded down to six decimals, so that sums over one game never pass 1 by rounding.
pub fn rounded(probability: f64) -> f64 {
    (probability.clamp(0.0, 1.0) * 1e6).floor() / 1e6
}

/// Every edit of the text with its reason, by place, but for that of the result: `settled` is what an edit of the
/// result makes tag and end say, where there is one.
pub fn repairs(
    source: &Source,
    game: &Game,
    repair: Option<&Repair>,
    mended: &Mended,
    settled: Option<&str>,
) -> Vec<RepairRow> {
    let mut rows: Vec<(usize, RepairRow)> = Vec::new();
    // The index of the move that each entry stands for.
    let mut plies: Vec<Option<usize>> = vec![None; game.slots.len()];
    for step in repair.map_or_else(Vec::new, |r| align(game.slots.len(), r)) {
        if let Some(slot) = step.slot {
            plies[slot] = step.ply;
        }
    }
    let base = |at: usize, op: &'static str, written: String, san: String, reason: String| {
        let place = source.locate(at);
        RepairRow {
            op,
            written_ply: 0,
            ply: 0,
            other_ply: None,
            written,
            san,
            line: place.line,
            column: place.column,
            reason,
            cost: None,
            probability: None,
            runners_up: Vec::new(),
        }
    };
    let mut named = BTreeSet::new();
    for (purpose, change) in &mended.moves {
        let written = source.decode(change.span).into_owned();
        match *purpose {
            Purpose::Edit(index) => {
                let Some(repair) = repair.filter(|_| named.insert(index)) else { continue };
                let edit = &repair.best.edits[index];
                let mut row =
                    base(change.span.start, op_word(edit.op), written, edit.san.clone(), edit.reason.clone());
                (row.written_ply, row.ply, row.other_ply) = (edit.written_ply, edit.ply, edit.other_ply);
                if edit.op == Op::Delete {
                    row.written = game.slots[edit.written_ply as usize - 1].written.clone();
                }
                row.cost = Some((edit.cost * 1000.0).round() / 1000.0);
                row.probability = Some(rounded(marginal(repair, edit)));
                row.runners_up = rivals(repair, edit);
                rows.push((change.span.start, row));
            }
            Purpose::Unexplained => {
                let reason =
                    "from here on nothing plausible was found; kept as written in a comment".to_owned();
                let mut row = base(change.span.start, "comment", written, String::new(), reason);
                row.written_ply = repair.and_then(|r| r.unexplained_from).unwrap_or(0);
                rows.push((change.span.start, row));
            }
        }
    }
    if let Some(value) = settled.filter(|value| rewritten_tag(source, game, value)) {
        // The edit of the result names the tag; the end of the movetext has one of its own.
        let (at, written) = match &game.terminator {
            Some(end) => (end.span.start, source.decode(end.span).into_owned()),
            None => (game.movetext_end, String::new()),
        };
        if written != value {
            let reason = "the end of the movetext says what the Result tag says".to_owned();
            rows.push((at, base(at, "text", written, value.to_owned(), reason)));
        }
    }
    for finding in mended.cured.iter().filter(|f| settled.is_none() || !about_result(f)) {
        let written = source.decode(finding.span).into_owned();
        let text =
            finding.fix.first().map_or_else(String::new, |e| String::from_utf8_lossy(&e.text).into_owned());
        let op = if finding.ply.is_some() { "notation" } else { "text" };
        let mut row = base(finding.span.start, op, written, text, finding.message.clone());
        if let Some(written_ply) = finding.ply {
            row.written_ply = written_ply;
            let ply = plies.get(written_ply as usize - 1).copied().flatten();
            row.ply = ply.map_or(written_ply, |ply| ply as u32 + 1);
        }
        rows.push((finding.span.start, row));
    }
    rows.sort_by_key(|(at, _)| *at);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// The other readings in words; `start` is where the game starts from.
pub fn alternatives(start: &Chess, repair: &Repair) -> Vec<Alternative> {
    let end = |reading: &Reading| {
        let mut position = start.clone();
        reading.moves.iter().for_each(|m| position.play_unchecked(*m));
        position
    };
    let best = end(&repair.best);
    repair
        .alternatives
        .iter()
        .map(|reading| Alternative {
            probability: rounded(reading.probability),
            edits: reading.edits.iter().map(in_words).collect(),
            same_end: end(reading) == best,
        })
        .collect()
}

/// One edit in a few words: `12: f6 > g6`.
pub fn in_words(edit: &Edit) -> String {
    let ply = edit.written_ply;
    match edit.op {
        Op::Substitute => format!("{ply}: {} > {}", edit.written, edit.san),
        Op::Insert => format!("before {ply}: + {}", edit.san),
        Op::Delete => format!("{ply}: - {}", edit.written),
        Op::Swap => {
            format!("{ply} <> {}: {} > {}", edit.other_ply.unwrap_or(ply + 1), edit.written, edit.san)
        }
        Op::Tag => format!("tag: {} > {}", edit.written, edit.san),
    }
}

/// Moves that were probably played although they are illegal.
pub fn probably_played(game: &Game, repair: &Repair) -> Vec<PlayedIllegally> {
    let row = |(ply, reason): &(u32, String)| PlayedIllegally {
        ply: *ply,
        san: game.slots.get(*ply as usize - 1).map_or_else(String::new, |s| s.written.clone()),
        reason: reason.clone(),
    };
    repair.probably_played.iter().map(row).collect()
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

fn mate_change(change: judge::MateChange) -> MateChangeRow {
    match change {
        judge::MateChange::Lost(n) => MateChangeRow { change: "lost", moves_to_mate: n },
        judge::MateChange::Allowed(n) => MateChangeRow { change: "allowed", moves_to_mate: n },
    }
}

fn rounded_chance(chance: f64) -> f64 {
    (chance * 1000.0).round() / 1000.0
}

/// Whether a finding is about the result.
fn about_result(finding: &Finding) -> bool {
    let about = [
        &rules::RESULT_MISMATCH,
        &rules::RESULT_AGAINST_BOARD,
        &rules::MISSING_TERMINATOR,
        &rules::DOUBLE_FORFEIT,
        &rules::RESULT_SPELLING,
        &rules::RESULT_TAG_SPELLING,
    ];
    about.iter().any(|rule| rule.code == finding.rule.code)
}

/// Whether the Result tag is written anew to say `value`.
fn rewritten_tag(source: &Source, game: &Game, value: &str) -> bool {
    let tag = game.tags.iter().find(|t| t.name == "Result");
    tag.is_some_and(|t| source.decode(t.value_span) != value)
}

/// The edit of the result, where tag or terminator change.
pub fn result_edit(score: &Score, value: &str, reason: &str) -> Option<RepairRow> {
    let (source, game) = (&score.source, &score.game);
    let tag = game.tags.iter().find(|t| t.name == "Result");
    let end = game.terminator.as_ref();
    let same = |written: Option<std::borrow::Cow<'_, str>>| written.is_some_and(|w| w == value);
    let tag_same = same(tag.map(|t| source.decode(t.value_span)));
    if tag_same && same(end.map(|t| source.decode(t.span))) {
        return None;
    }
    let (at, written) = match (tag, end) {
        (Some(tag), _) if !tag_same => (tag.value_span.start, tag.value.clone()),
        (_, Some(end)) => (end.span.start, end.written.clone()),
        _ => (game.movetext_end, String::new()),
    };
    let place = source.locate(at);
    Some(RepairRow {
        op: "result",
        written_ply: 0,
        ply: 0,
        other_ply: None,
        written,
        san: value.to_owned(),
        line: place.line,
        column: place.column,
        reason: reason.to_owned(),
        cost: None,
        probability: None,
        runners_up: Vec::new(),
    })
}

/// Most edits that get a line of their own above the diff.
const NAMED: usize = 24;

/// The lines above the diff: each change of a move, then notation and text in one line together.
pub fn heading(start: &Chess, repairs: &[RepairRow]) -> Vec<String> {
    if repairs.is_empty() {
        return vec!["pgn-audit: nothing to change; fixed.pgn is the input, byte for byte".to_owned()];
    }
    let count = Count::from(start);
    let (moves, rest): (Vec<_>, Vec<_>) = repairs.iter().partition(|r| !matches!(r.op, "notation" | "text"));
    let mut lines = vec![format!("pgn-audit: {}", counted(repairs.len() as u64, "edit"))];
    for row in moves.iter().take(NAMED) {
        let place = match row.written_ply {
            0 => format!("line {}", row.line),
            ply => {
                let (number, side) = (count.number(ply as usize - 1), count.side(ply as usize - 1));
                format!("ply {ply}, move {number}{}", if side.is_white() { "." } else { "..." })
            }
        };
        lines.push(match row.op {
            "insert" => {
                let (number, side) = (count.number(row.ply as usize - 1), count.side(row.ply as usize - 1));
                let dots = side.fold_wb(".", "...");
                format!("{place}: missing before it, put in {number}{dots} {}", row.san)
            }
            "delete" => format!("{place}: written {}, taken out", row.written),
            "comment" => format!("{place}: from here on put into a comment"),
            _ => format!("{place}: written {}, fixed {}", row.written, row.san),
        });
    }
    if moves.len() > NAMED {
        lines.push(format!("and {} more, see report.json", moves.len() - NAMED));
    }
    if !rest.is_empty() {
        let named: Vec<String> =
            rest.iter().take(NAMED).map(|r| format!("{} > {}", short(&r.written), short(&r.san))).collect();
        let more = if rest.len() > NAMED { ", ..." } else { "" };
        lines.push(format!("notation: {}{more}", named.join(", ")));
    }
    lines
}

/// Most characters of a text that stand in the heading.
const SHORT: usize = 40;

/// The first characters of a text, on one line.
fn short(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() {
        return "nothing".to_owned();
    }
    let line: String =
        text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).take(SHORT + 1).collect();
    if line.chars().count() > SHORT {
        format!("{}...", line.chars().take(SHORT - 3).collect::<String>())
    } else {
        line
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn repair(op: &'static str, ply: u32, probability: f64) -> RepairRow {
        RepairRow {
            op,
            written_ply: ply,
            ply,
            other_ply: None,
            written: "?".to_owned(),
            san: "Rf4".to_owned(),
            line: 1,
            column: 1,
            reason: String::new(),
            cost: None,
            probability: Some(probability),
            runners_up: Vec::new(),
        }
    }

    #[test]
    fn a_move_put_in_at_less_than_even_odds_is_a_guess() {
        let repairs = [repair("substitute", 33, 0.15), repair("insert", 40, 0.6), repair("delete", 41, 0.2)];
        assert_eq!(guess(&repairs, 33), Some(0.15));
        assert_eq!([32, 40, 41].map(|ply| guess(&repairs, ply)), [None; 3]);
        let blunder = |ply| {
            let blunder = judge::Blunder {
                ply,
                side: shakmaty::Color::White,
                san: "Rf4".to_owned(),
                best_san: "Qd3".to_owned(),
                cp_before: 0,
                cp_after: 200,
                swing: 200,
                win_loss: 0.2,
                borderline: false,
                mate: None,
            };
            super::blunder(&Chess::default(), &blunder, &repairs)
        };
        assert!(blunder(33).guess && !blunder(35).guess);
    }
}

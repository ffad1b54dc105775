//! What the repair changes, edit by edit.

use std::collections::BTreeSet;

use shakmaty::{Chess, Position};

use crate::{
    audit::Score,
    check::record::op_word,
    finding::Finding,
    fix::{Mended, Purpose, align},
    repair::{Edit, Op, Reading, Repair},
    report::{Alternative, PlayedIllegally, RepairRow, RunnerUp},
    rules,
    sheet::{Game, Source},
};

/// Every edit of the text with its reason, by place, but for that of the result: `settled` is what an edit of the
/// result makes tag and end say, where there is one.
pub fn repairs(
    source: &Source,
    game: &Game,
    repair: Option<&Repair>,
    mended: &Mended,
    settled: Option<&str>,
) -> Vec<RepairRow> {
    let mut rows = moves(source, game, repair, mended);
    rows.extend(settled.and_then(|value| terminator(source, game, value)));
    let cured = mended.cured.iter().filter(|f| settled.is_none() || !about_result(f));
    rows.extend(texts(source, game, repair, cured));
    rows.sort_by_key(|(at, _)| *at);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// An edit with its place in the text.
type Placed = (usize, RepairRow);

/// The edits that change which move is played.
fn moves(source: &Source, game: &Game, repair: Option<&Repair>, mended: &Mended) -> Vec<Placed> {
    let mut rows = Vec::new();
    let mut named = BTreeSet::new();
    for (purpose, change) in &mended.moves {
        let (at, written) = (change.span.start, source.decode(change.span).into_owned());
        match *purpose {
            Purpose::Edit(index) => {
                let Some(repair) = repair.filter(|_| named.insert(index)) else { continue };
                let edit = &repair.best.edits[index];
                let mut row =
                    row(source, at, op_word(edit.op), written, edit.san.clone(), edit.reason.clone());
                (row.written_ply, row.ply, row.other_ply) = (edit.written_ply, edit.ply, edit.other_ply);
                if edit.op == Op::Delete {
                    row.written = game.slots[edit.written_ply as usize - 1].written.clone();
                }
                row.cost = Some((edit.cost * 1000.0).round() / 1000.0);
                row.probability = Some(rounded(marginal(repair, edit)));
                row.runners_up = rivals(repair, edit);
                rows.push((at, row));
            }
            Purpose::Unexplained => {
                let reason =
                    "from here on nothing plausible was found; kept as written in a comment".to_owned();
                let mut row = row(source, at, "comment", written, String::new(), reason);
                row.written_ply = repair.and_then(|r| r.unexplained_from).unwrap_or(0);
                rows.push((at, row));
            }
        }
    }
    rows
}

/// The edit of the end of the movetext where the Result tag is written anew: the edit of the result names the tag only.
fn terminator(source: &Source, game: &Game, value: &str) -> Option<Placed> {
    let (at, written) = match &game.terminator {
        Some(end) => (end.span.start, source.decode(end.span).into_owned()),
        None => (game.movetext_end, String::new()),
    };
    (rewritten_tag(source, game, value) && written != value).then(|| {
        let reason = "the end of the movetext says what the Result tag says".to_owned();
        (at, row(source, at, "text", written, value.to_owned(), reason))
    })
}

/// The edits that change how something is written.
fn texts<'a>(
    source: &Source,
    game: &Game,
    repair: Option<&Repair>,
    cured: impl Iterator<Item = &'a Finding>,
) -> Vec<Placed> {
    // The index of the move that each entry stands for.
    let mut plies: Vec<Option<usize>> = vec![None; game.slots.len()];
    for step in repair.map_or_else(Vec::new, |r| align(game.slots.len(), r)) {
        if let Some(slot) = step.slot {
            plies[slot] = step.ply;
        }
    }
    let placed = |finding: &Finding| {
        let (at, written) = (finding.span.start, source.decode(finding.span).into_owned());
        let text =
            finding.fix.first().map_or_else(String::new, |e| String::from_utf8_lossy(&e.text).into_owned());
        let op = if finding.ply.is_some() { "notation" } else { "text" };
        let mut row = row(source, at, op, written, text, finding.message.clone());
        if let Some(written_ply) = finding.ply {
            row.written_ply = written_ply;
            let ply = plies.get(written_ply as usize - 1).copied().flatten();
            row.ply = ply.map_or(written_ply, |ply| ply as u32 + 1);
        }
        (at, row)
    };
    cured.map(placed).collect()
}

/// An edit at byte `at` that belongs to no ply and was not weighed.
fn row(
    source: &Source,
    at: usize,
    op: &'static str,
    written: String,
    san: String,
    reason: String,
) -> RepairRow {
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
    Some(row(source, at, "result", written, value.to_owned(), reason.to_owned()))
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
        Op::Played => format!("{ply}: {} was played, against the rules", edit.written),
        Op::Tag => format!("tag: {} > {}", edit.written, edit.san),
    }
}

/// Moves that stand in one of the readings although they are against the rules.
pub fn probably_played(game: &Game, repair: &Repair) -> Vec<PlayedIllegally> {
    let row = |edit: &Edit| PlayedIllegally {
        ply: edit.written_ply,
        san: game.slots.get(edit.written_ply as usize - 1).map_or_else(String::new, |s| s.written.clone()),
        reason: edit.reason.clone(),
    };
    let readings = std::iter::once(&repair.best).chain(&repair.alternatives);
    readings.flat_map(|r| &r.edits).filter(|edit| edit.op == Op::Played).map(row).collect()
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

/// What other readings put in the place of an edit, the likeliest first.
pub(super) fn rivals(repair: &Repair, edit: &Edit) -> Vec<RunnerUp> {
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

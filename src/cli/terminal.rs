//! What a person reads: each fault with its line of the score, the repair, the blunders, the result, the files.

use std::{collections::BTreeMap, fmt::Write, io, path::PathBuf};

use anstyle::{AnsiColor, Style};
use clap::ColorChoice;

use super::{Status, wrap::wrapped};
use crate::{
    audit::{self, Audited},
    check::format::full::{self, WORTH},
    finding::Finding,
    fix::Count,
    input::Input,
    repair::{Repair, Verdict},
    report::{Alternative, BlunderRow, IllegalKind, IllegalMove, RepairRow, Report, counted},
    rules,
    visible::visible,
};

/// So many other readings are shown.
const RIVALS: usize = 2;

const BOLD: Style = Style::new().bold();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const DOUBT: Style = AnsiColor::Yellow.on_default().bold();

/// The whole answer; escape codes for colours are in it, and taken out by [`print`] where nobody wants them.
pub fn render(input: &Input, audited: &[Audited], place: Option<&PathBuf>, verbose: bool) -> String {
    let mut out = String::new();
    for one in audited {
        if !out.is_empty() {
            out.push('\n');
        }
        game(&mut out, input, one, verbose);
    }
    if let Some(place) = place {
        let (files, first) = match audited {
            [one] => (counted(one.report.files.len() as u64, "file"), "fixed.pgn and diff.txt".to_owned()),
            many => {
                let first = super::audit::game_folder(1, many.len());
                (counted(many.len() as u64, "game"), format!("{first}/ and report.json"))
            }
        };
        let place = place.display().to_string();
        let _ = writeln!(out, "\n{BOLD}Files{BOLD:#}: {files} in {}; start with {first}", visible(&place));
    }
    out
}

/// Writes it to standard output; a reader that has gone away is no failure.
pub fn print(text: &str, color: ColorChoice) -> Status {
    let choice = match color {
        ColorChoice::Auto => anstream::AutoStream::choice(&io::stdout()),
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    let mut stream = anstream::AutoStream::new(Vec::new(), choice);
    match io::Write::write_all(&mut stream, text.as_bytes()) {
        Ok(()) => super::print(&stream.into_inner()),
        Err(error) => super::failed(&anyhow::Error::new(error)),
    }
}

fn game(out: &mut String, input: &Input, one: &Audited, verbose: bool) {
    let report = &one.report;
    let count = Count::from(&one.case.replay.start);
    heading(out, one);
    for record in &report.illegal_moves {
        out.push('\n');
        fault(out, input, one, record, count, verbose);
    }
    edits_without_a_fault(out, one, count);
    notes(out, input, one, verbose);
    verdict(out, one);
    blunders(out, report, count);
    result(out, report);
}

fn heading(out: &mut String, one: &Audited) {
    let report = &one.report;
    let tag = |name| one.case.score.game.tag(name).unwrap_or("?");
    let mut title = format!("{} - {}", tag("White"), tag("Black"));
    if let Some(date) = one.case.score.game.tag("Date") {
        let _ = write!(title, ", {date}");
    }
    let number =
        if report.input.games > 1 { format!(" (game {})", report.input.game) } else { String::new() };
    let _ = writeln!(out, "{BOLD}{}{}{BOLD:#}: {}", visible(&report.input.name), number, visible(&title));
    let written = one.case.score.game.slots.len();
    let _ = match report.illegal_moves.len() {
        0 => writeln!(out, "{written} moves written; all of them can be played."),
        1 => writeln!(out, "{written} moves written; {BAD}one cannot be played{BAD:#} as written."),
        n => writeln!(out, "{written} moves written; {BAD}{n} cannot be played{BAD:#} as written."),
    };
}

/// One move that cannot be played: its line, why, and what is played instead.
fn fault(out: &mut String, input: &Input, one: &Audited, record: &IllegalMove, count: Count, verbose: bool) {
    let slot = &one.case.score.game.slots[record.ply as usize - 1];
    let rule = match record.kind {
        IllegalKind::Illegal => &rules::ILLEGAL_MOVE,
        IllegalKind::Ambiguous => &rules::AMBIGUOUS_MOVE,
        IllegalKind::Unreadable => &rules::UNREADABLE_MOVE,
        IllegalKind::Missing => &rules::MISSING_MOVE,
        IllegalKind::Extra => &rules::EXTRA_MOVE,
    };
    let finding = Finding {
        rule,
        severity: rule.severity,
        span: slot.span,
        ply: Some(record.ply),
        side: Some(count.side(record.ply as usize - 1)),
        san: Some(record.san.clone()),
        move_number: Some(record.move_number),
        message: format!("{}: {}", named(count, record.ply, &record.san), record.error),
        cause_ply: record.cause_ply,
        fix: Vec::new(),
    };
    out.push_str(&full::snippet(&input.name, &one.case.score.source, &finding, 0, true));
    out.push('\n');
    let repairs: Vec<&RepairRow> = one
        .report
        .repairs
        .iter()
        .filter(|r| record.plies.contains(&r.written_ply) && r.probability.is_some())
        .collect();
    for row in &repairs {
        let _ = writeln!(out, "  {GOOD}repair{GOOD:#}: {}{}", in_words(row, one, count), sure(row));
        if !row.reason.is_empty() {
            let _ = writeln!(out, "          {}", visible(&row.reason));
        }
        let shown = if verbose { 9 } else { RIVALS };
        for other in row.runners_up.iter().take(shown).filter(|o| verbose || o.probability >= WORTH) {
            let san = if other.san.is_empty() { "leave it out" } else { &other.san };
            let _ = writeln!(out, "      or: {} ({})", visible(san), percent(other.probability));
        }
    }
    if repairs.is_empty() {
        let _ = writeln!(out, "  {BAD}no repair{BAD:#}: nothing plausible was found from here on");
    }
}

/// Changes of moves that no failing move led to.
fn edits_without_a_fault(out: &mut String, one: &Audited, count: Count) {
    let report = &one.report;
    let named = |r: &&RepairRow| report.illegal_moves.iter().any(|i| i.plies.contains(&r.written_ply));
    for row in report.repairs.iter().filter(|r| r.probability.is_some() && !named(r)) {
        let _ = writeln!(out, "\n{GOOD}repair{GOOD:#}: {}{}", in_words(row, one, count), sure(row));
        let _ = writeln!(out, "        {}", visible(&row.reason));
    }
}

/// Notes: errors and warnings in full, style in one line unless asked for.
fn notes(out: &mut String, input: &Input, one: &Audited, verbose: bool) {
    let source = &one.case.score.source;
    let place = |f: &Finding| source.locate(f.span.start);
    let key = |f: &'_ Finding| (place(f).line, place(f).column, f.rule.code, f.message.clone());
    let findings: BTreeMap<_, &Finding> = one.case.findings.iter().rev().map(|f| (key(f), f)).collect();
    let mut style = 0;
    let mut shown = Vec::new();
    for note in &one.report.notes {
        if note.severity == "info" && !verbose {
            style += 1;
        } else {
            shown.extend(findings.get(&(note.line, note.column, note.code, note.message.clone())).copied());
        }
    }
    for (finding, more) in full::collapsed(shown) {
        let _ = writeln!(out, "\n{}", full::snippet(&input.name, source, finding, more, true));
    }
    if style > 0 {
        let (s, verb) = if style == 1 { ("", "is") } else { ("s", "are") };
        let _ = writeln!(
            out,
            "\n{style} note{s} of style {verb} left out (-v shows the first of each kind, report.json has all)."
        );
    }
}

fn verdict(out: &mut String, one: &Audited) {
    let report = &one.report;
    let changed = report.repairs.len();
    let style = match report.verdict {
        "clean" | "certain" => GOOD,
        "likely" => DOUBT,
        _ => BAD,
    };
    let _ = match (report.verdict, report.probability) {
        ("clean", _) if changed == 0 => writeln!(out, "\n{BOLD}Repair{BOLD:#}: {style}none needed{style:#}"),
        ("clean", _) => {
            writeln!(out, "\n{BOLD}Repair{BOLD:#}: {style}spelling only{style:#}, no other move is played")
        }
        (verdict, Some(p)) => {
            // Above the bar for certainty, a verdict is held back where an engine weighed the readings.
            let weighed = if verdict == "likely" && p >= Verdict::CERTAIN {
                ", an engine's opinion included"
            } else {
                ""
            };
            writeln!(out, "\n{BOLD}Repair{BOLD:#}: {style}{verdict}{style:#} ({}{weighed})", percent(p))
        }
        (verdict, None) => writeln!(out, "\n{BOLD}Repair{BOLD:#}: {style}{verdict}{style:#}"),
    };
    if let Some(repair) = &one.case.repair {
        as_written(out, repair, &report.alternatives);
    }
    for played in &report.probably_played {
        let _ = writeln!(
            out,
            "  ply {}, {}, is illegal but was probably played: {}",
            played.ply,
            visible(&played.san),
            visible(&played.reason)
        );
    }
}

/// Where nothing is changed for want of a better reading, what else the score may mean.
fn as_written(out: &mut String, repair: &Repair, alternatives: &[Alternative]) {
    if repair.verdict != Verdict::Ambiguous || !repair.best.edits.is_empty() {
        return;
    }
    let _ = writeln!(out, "  the score as written is the likeliest reading, but others are close to it:");
    for other in alternatives.iter().filter(|o| o.probability >= WORTH).take(RIVALS) {
        let edits = if other.edits.is_empty() { "as written".to_owned() } else { other.edits.join("; ") };
        let line = format!("      or: {} ({})", visible(&edits), percent(other.probability));
        let _ = writeln!(out, "{}", wrapped(&line, 10));
    }
}

fn blunders(out: &mut String, report: &Report, count: Count) {
    let Some(listed) = &report.blunders else { return };
    let who = match (&report.engine_used, &report.engine_version, report.settings.depth) {
        (Some(name), Some(version), Some(depth)) => format!("{name} {version} at depth {depth} and more"),
        _ => String::new(),
    };
    if listed.is_empty() {
        let _ = writeln!(out, "{BOLD}Blunders{BOLD:#}: none, says {}", visible(&who));
        return;
    }
    let all = report.all_blunders.as_ref().map_or(0, Vec::len);
    let of = if all > listed.len() { format!(" (the worst of {all})") } else { String::new() };
    let _ = writeln!(out, "{BOLD}Blunders{BOLD:#}{of}, says {}:", visible(&who));
    for row in listed {
        let _ = writeln!(out, "{}", wrapped(&format!("  {}", blunder(row, report, count)), 17));
    }
}

fn blunder(row: &BlunderRow, report: &Report, count: Count) -> String {
    let guess = audit::guess(&report.repairs, row.ply)
        .map_or_else(String::new, |p| format!(" (a guess, {})", percent(p)));
    let close = if row.borderline { "; a close call" } else { "" };
    let mate = row.mate.map_or_else(String::new, |m| match m.change {
        "lost" => format!("; it lets go a mate in {}", m.moves_to_mate),
        _ => format!("; it allows a mate in {}", m.moves_to_mate),
    });
    let second = row.second.as_ref().map_or_else(String::new, |s| {
        format!("; {} sees a loss of {:.2}", visible(&s.engine), f64::from(s.swing) / 100.0)
    });
    format!(
        "{:<14}{guess} from {} to {} for White; better was {}{mate}{close}{second}",
        named(count, row.ply, &row.san),
        pawns(row.white_cp_before),
        pawns(row.white_cp_after),
        row.best_san,
    )
}

fn result(out: &mut String, report: &Report) {
    let before = if report.result_tag_before.is_empty() { "none" } else { &report.result_tag_before };
    let change = if report.result_tag_before == report.result_tag_after {
        visible(&report.result_tag_after).into_owned()
    } else {
        format!("{DOUBT}{} instead of {}{DOUBT:#}", visible(&report.result_tag_after), visible(before))
    };
    let sentence = format!("{BOLD}Result{BOLD:#}: {change}: {}", visible(&report.result_reason));
    let _ = writeln!(out, "{}", wrapped(&sentence, 8));
    if let Some(check) = report.result_check.as_ref().filter(|c| c.matches == Some(false)) {
        let suggests = check.engine_suggests.as_deref().unwrap_or("nothing");
        let sentence =
            format!("        the last position suggests {suggests}, the tag said {}", visible(before));
        let _ = writeln!(out, "{}", wrapped(&sentence, 8));
    }
}

/// `12... f6`.
fn named(count: Count, ply: u32, san: &str) -> String {
    let index = ply as usize - 1;
    let dots = if count.side(index).is_white() { "." } else { "..." };
    format!("{}{dots} {san}", count.number(index))
}

fn in_words(row: &RepairRow, one: &Audited, count: Count) -> String {
    let (written, san) = (visible(&row.written), visible(&row.san));
    let place = named(count, row.written_ply.max(1), "");
    match row.op {
        "insert" => {
            let next = one.case.score.game.slots.get(row.written_ply.max(1) as usize - 1);
            let next = next
                .filter(|slot| !slot.blank)
                .map_or_else(String::new, |slot| format!(" before {}", visible(&slot.written)));
            format!("put in {}{next}", named(count, row.ply.max(1), &san))
        }
        "delete" => format!("leave out {place}{written}"),
        "swap" => {
            format!("exchange {place}{written} and ply {}", row.other_ply.unwrap_or(row.written_ply + 1))
        }
        _ => format!("{place}{san} instead of {written}"),
    }
}

fn sure(row: &RepairRow) -> String {
    row.probability.map_or_else(String::new, |p| format!(" ({})", percent(p)))
}

/// `97 %`; 99 for what is certain only, and never 100.
fn percent(p: f64) -> String {
    match p {
        p if p >= 0.995 => "more than 99 %".to_owned(),
        p if p < WORTH => "less than 1 %".to_owned(),
        p if p >= Verdict::CERTAIN => "99 %".to_owned(),
        p => format!("{:.0} %", (p * 100.0).min(98.0)),
    }
}

/// `+1.25`; scores at the cap are won.
fn pawns(cp: i32) -> String {
    match cp {
        1000 => "won".to_owned(),
        -1000 => "lost".to_owned(),
        cp => format!("{:+.2}", f64::from(cp) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::{as_written, percent};
    use crate::{
        repair::{Reading, Repair, Verdict},
        report::Alternative,
    };

    #[test]
    fn a_score_that_plays_is_one_of_the_close_readings() {
        let best = Reading { probability: 0.5, moves: vec![], sans: vec![], edits: vec![] };
        let verdict = Verdict::Ambiguous;
        let repair = Repair { verdict, best, alternatives: vec![], unexplained_from: None };
        let other = |probability, edit: &str| Alternative {
            probability,
            edits: vec![edit.to_owned()],
            same_end: false,
        };
        let mut said = String::new();
        as_written(&mut said, &repair, &[other(0.4, "9: Qf3 > Qh3"), other(0.002, "9: Qf3 > Qg3")]);
        assert_eq!(
            said,
            "  the score as written is the likeliest reading, but others are close to it:\n      \
             or: 9: Qf3 > Qh3 (40 %)\n"
        );
        said.clear();
        as_written(&mut said, &Repair { verdict: Verdict::Certain, ..repair }, &[other(0.4, "9: Qf3 > Qh3")]);
        assert_eq!(said, "");
    }

    #[test]
    fn what_is_not_certain_is_never_shown_as_certain() {
        let shown = [0.004, 0.5, 0.9849, 0.9899, 0.99, 0.9949, 0.999].map(percent);
        let want = ["less than 1 %", "50 %", "98 %", "98 %", "99 %", "99 %", "more than 99 %"];
        assert_eq!(shown, want);
    }
}

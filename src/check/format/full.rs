//! For people: the line of the score with a caret under the fault, the reason and the repair.

use std::collections::{BTreeMap, btree_map::Entry};

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use textwrap::core::display_width;

use crate::{
    check::record::verdict_word,
    examine::Examined,
    finding::{Finding, Severity},
    fix::Count,
    repair::{Edit, Op, Reading, Repair},
    sheet::{Source, Span},
    visible::visible,
};

/// Columns of a terminal.
const COLUMNS: usize = 80;

/// Characters behind a fault that are shown even where that costs some before it.
const BEHIND: usize = 16;

/// Adds the findings of a game and its repair.
pub fn game(out: &mut Vec<u8>, file: &str, source: &Source, game: &Examined, coloured: bool) {
    for (finding, more) in collapsed(&game.findings) {
        out.extend_from_slice(snippet(file, source, finding, more, coloured).as_bytes());
        out.extend_from_slice(b"\n\n");
    }
    if let Some(repair) = &game.repair {
        let sheet = Sheet { source, count: Count::from(&game.replay.start) };
        out.extend_from_slice(sheet.repaired(repair, coloured).as_bytes());
        out.extend_from_slice(b"\n\n");
    }
}

fn renderer(coloured: bool) -> Renderer {
    if coloured { Renderer::styled() } else { Renderer::plain() }
}

/// Findings for people: remarks by one rule are shown once, with the number of those left out.
pub fn collapsed<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Vec<(&'f Finding, u32)> {
    let mut shown: Vec<(&Finding, u32)> = Vec::new();
    let mut remarks: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in findings {
        if finding.severity == Severity::Info {
            match remarks.entry(finding.rule.code) {
                Entry::Occupied(first) => {
                    shown[*first.get()].1 += 1;
                    continue;
                }
                Entry::Vacant(first) => drop(first.insert(shown.len())),
            }
        }
        shown.push((finding, 0));
    }
    shown
}

/// One finding with its line of the score and a caret under the fault; `more` others like it are not shown.
pub fn snippet(file: &str, source: &Source, finding: &Finding, more: u32, coloured: bool) -> String {
    let at = source.locate(finding.span.start);
    let label = finding.rule.name;
    let gutter = at.line.to_string().len() + " | ".len();
    let line = Excerpt::of(source, finding.span, COLUMNS.saturating_sub(gutter), label.len() + 1);
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let title = visible(&finding.message);
    let place = visible(file);
    let annotation: Annotation<'_> = AnnotationKind::Primary.span(line.fault.clone()).label(Some(label));
    let snippet =
        Snippet::source(line.text.as_str()).line_start(at.line).path(place.as_ref()).annotation(annotation);
    let mut group = level.primary_title(title.as_ref()).id(finding.rule.code).element(snippet);
    if more > 0 {
        group = group.element(Level::NOTE.message(format!("{more} more of this kind in the game")));
    }
    let rendered = renderer(coloured).render(&[group]);
    // The renderer counts the column in the cut line, and where it is told another place it puts a mark of omission
    // between that and the line.
    let shown = line.text[..line.fault.start].chars().count() + 1;
    let named = |column| format!("{place}:{}:{column}", at.line);
    match rendered.find("-->") {
        Some(arrow) if shown != at.column => {
            let (title, rest) = rendered.split_at(arrow);
            format!("{title}{}", rest.replacen(&named(shown), &named(at.column), 1))
        }
        _ => rendered,
    }
}

/// Below this probability a rival is not worth a line.
pub const WORTH: f64 = 0.01;

/// A reading that changes nothing.
const AS_WRITTEN: &str = "the score as written";

/// Two decimals, rounded down: what is shown as 0.99 is certain, and nothing is shown as 1.
fn hundredths(probability: f64) -> String {
    format!("{:.2}", (probability * 100.0 + 1e-9).floor() / 100.0)
}

/// What the words of a repair are taken from.
struct Sheet<'a> {
    source: &'a Source,
    count: Count,
}

impl Sheet<'_> {
    /// The best repair in one line an edit, and its closest rival.
    fn repaired(&self, repair: &Repair, coloured: bool) -> String {
        let mut group = Group::with_title(Level::HELP.secondary_title(format!(
            "{} repair, probability {}{}",
            verdict_word(repair.verdict),
            hundredths(repair.best.probability),
            repair
                .unexplained_from
                .map_or_else(String::new, |ply| format!("; nothing plausible from written ply {ply} on")),
        )));
        if repair.best.edits.is_empty() && repair.unexplained_from.is_none() {
            group = group.element(Level::NOTE.message(AS_WRITTEN));
        }
        for edit in &repair.best.edits {
            group = group.element(Level::NOTE.message(visible(&self.sentence(edit)).into_owned()));
        }
        if let Some(other) = repair.alternatives.first().filter(|other| other.probability >= WORTH) {
            group = group.element(Level::NOTE.message(visible(&self.rival(other)).into_owned()));
        }
        renderer(coloured).render(&[group])
    }

    fn rival(&self, reading: &Reading) -> String {
        let edits: Vec<String> = reading.edits.iter().map(|edit| self.change(edit)).collect();
        let edits = if edits.is_empty() { AS_WRITTEN.to_owned() } else { edits.join("; ") };
        format!("next best, probability {}: {edits}", hundredths(reading.probability))
    }

    fn sentence(&self, edit: &Edit) -> String {
        let change = self.change(edit);
        if edit.reason.is_empty() { change } else { format!("{change}: {}", edit.reason) }
    }

    fn change(&self, edit: &Edit) -> String {
        let (ply, san) = (edit.written_ply, &edit.san);
        match edit.op {
            Op::Substitute => {
                format!("read {} as {} (ply {ply})", self.written(edit), self.numbered(ply, san))
            }
            Op::Insert => format!("put in {} before ply {ply}", self.numbered(edit.ply, san)),
            Op::Delete => format!("leave out {} (ply {ply})", self.numbered(ply, &self.written(edit))),
            Op::Swap => format!("plies {ply} and {}: exchange", edit.other_ply.unwrap_or(ply + 1)),
            Op::Played => format!(
                "leave {} (ply {ply}), which was played against the rules",
                self.numbered(ply, &self.written(edit))
            ),
            Op::Tag => format!("tag: {san}"),
        }
    }

    /// The entry in the sheet's own spelling.
    fn written(&self, edit: &Edit) -> String {
        let text = self.source.decode(edit.span);
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.is_empty() { "the empty box".to_owned() } else { words.join(" ") }
    }

    /// `12... f6`, for a ply from 1.
    fn numbered(&self, ply: u32, san: &str) -> String {
        let index = ply.max(1) as usize - 1;
        let dots = self.count.side(index).fold_wb(".", "...");
        format!("{}{dots} {san}", self.count.number(index))
    }
}

/// The part of a line that is shown, and where the fault stands in it (bytes).
struct Excerpt {
    text: String,
    fault: std::ops::Range<usize>,
}

impl Excerpt {
    /// As much of the line around the fault as `room` columns hold, `label` of them being needed behind the fault's
    /// caret. An ellipsis stands where something is cut off.
    fn of(source: &Source, span: Span, room: usize, label: usize) -> Excerpt {
        let line = source.line_at(span.start);
        let start = span.start.clamp(line.start, line.end);
        let end = span.end.clamp(start, line.end);
        // Four bytes hold any character; what is cut in the middle of one is left out again below.
        let from = line.start.max(start.saturating_sub(room * 4));
        let to = line.end.min(end.min(start + room * 4) + room * 4);
        let characters = |from, to| -> Vec<String> {
            let text = source.decode(Span::new(from, to));
            text.chars().map(|c| visible(c.encode_utf8(&mut [0; 4])).into_owned()).collect()
        };
        let (before, behind) = (characters(from, start), characters(end.min(to), to));
        let mut text = String::new();
        let fault = characters(start, end.min(to));
        let (fault, cut) = head(&fault, room.saturating_sub(label + BEHIND));
        let kept = columns(fault) + usize::from(cut);
        let needed = label.max(BEHIND.min(columns(&behind)));
        let (before, skipped) = tail(&before, room.saturating_sub(kept + needed));
        if skipped {
            text.push('…');
        }
        text.extend(before.iter().map(String::as_str));
        let begin = text.len();
        text.extend(fault.iter().map(String::as_str));
        let finish = text.len();
        let left = room.saturating_sub(columns(before) + usize::from(skipped) + columns(fault));
        let (behind, more) = if cut { (&[][..], true) } else { head(&behind, left) };
        text.extend(behind.iter().map(String::as_str));
        if more {
            text.push('…');
        }
        Excerpt { text, fault: begin..finish }
    }
}

/// Columns of some characters.
fn columns(characters: &[String]) -> usize {
    characters.iter().map(|c| display_width(c)).sum()
}

/// The first characters that fit into `room` columns, and whether some are cut off; then there is room for an ellipsis.
fn head(characters: &[String], room: usize) -> (&[String], bool) {
    let fitting = fitting(characters.iter(), room);
    (&characters[..fitting], fitting < characters.len())
}

/// The last characters that fit, likewise.
fn tail(characters: &[String], room: usize) -> (&[String], bool) {
    let fitting = fitting(characters.iter().rev(), room);
    (&characters[characters.len() - fitting..], fitting < characters.len())
}

fn fitting<'c>(characters: impl ExactSizeIterator<Item = &'c String> + Clone, room: usize) -> usize {
    let up_to = |room: usize| {
        let widths = characters.clone().map(|c| display_width(c));
        widths
            .scan(0, |sum, width| {
                *sum += width;
                Some(*sum)
            })
            .take_while(|sum| *sum <= room)
            .count()
    };
    let all = up_to(room);
    if all == characters.len() { all } else { up_to(room.saturating_sub(1)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    #[test]
    fn only_remarks_are_collapsed_and_only_with_remarks() {
        let finding = |severity| {
            let finding = Finding::new(&rules::FOREIGN_LETTERS, Span::new(0, 0), "why");
            Finding { severity, ..finding }
        };
        let (error, remark) = (finding(Severity::Error), finding(Severity::Info));
        let counts: Vec<u32> = collapsed([&error, &remark, &error, &remark, &remark])
            .into_iter()
            .map(|(_, more)| more)
            .collect();
        assert_eq!(counts, [0, 2, 0]);
    }

    fn shown(text: &str, word: &str) -> String {
        let source = Source::read(text.as_bytes().to_vec());
        let start = text.find(word).expect("the word is there");
        let span = Span::new(start, start + word.len());
        let finding = Finding::new(&rules::FOREIGN_LETTERS, span, "why");
        snippet("x.pgn", &source, &finding, 0, false)
    }

    #[test]
    fn a_long_line_is_cut_around_the_fault_and_its_column_is_the_file_s() {
        let moves: String = (1..60).map(|i| format!("{i}. Sf{i} ä{i} ")).collect();
        let moves = moves.trim_end();
        for i in [1, 5, 12, 30, 58, 59] {
            let word = format!("Sf{i} ");
            let text = shown(moves, &word);
            let lines: Vec<&str> = text.lines().collect();
            assert!(lines.iter().all(|line| line.chars().count() <= 80), "{text}");
            let column = moves[..moves.find(&word).expect("there")].chars().count() + 1;
            assert_eq!(lines[1].trim(), format!("--> x.pgn:1:{column}"));
            let caret = lines[4].chars().position(|c| c == '^').expect("a caret");
            let under: String = lines[3].chars().skip(caret).take(word.len()).collect();
            assert_eq!(under, word);
            assert_eq!(lines[3].contains("| …"), i > 8, "{text}");
            assert_eq!(lines[3].ends_with('…'), i < 57, "{text}");
        }
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let text = format!("1. e4 {{{0}}} e5 2. Sf3 {{{0}}} *", "棋".repeat(60));
        let text = shown(&text, "Sf3");
        assert!(text.lines().all(|line| display_width(line) <= 80), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        let before = |line: &str, word| display_width(&line[..line.find(word).expect("there")]);
        assert_eq!(before(lines[4], "^^^ "), before(lines[3], "Sf3"), "{text}");
    }

    #[test]
    fn short_lines_and_faults_longer_than_a_line_are_shown_as_far_as_there_is_room() {
        assert!(shown("1. e4 Sf6 *", "Sf6").contains("1 | 1. e4 Sf6 *\n"));
        let long = "x".repeat(500);
        let text = shown(&format!("1. e4 {long} e5"), &long);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.contains("1. e4 xxx") && text.contains("xxx…"), "{text}");
    }

    #[test]
    fn what_is_certain_is_never_shown_beside_the_number_of_what_is_not() {
        assert_eq!(
            ["0.98", "0.99", "0.99"],
            [0.98999, 0.99, 0.9999].map(hundredths).each_ref().map(|s| &**s)
        );
    }
}

//! For people: the line of the score with a caret under the fault, the reason and the repair.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Padding, Renderer, Snippet};

use super::visible;
use crate::{
    check::{Examined, record::verdict_word},
    finding::{Finding, Severity},
    repair::{Edit, Op, Reading, Repair},
    sheet::{Source, Span},
};

/// Characters of a long line that are shown before and behind the fault.
const CONTEXT: usize = 100;

/// Adds the findings of a game and its repair.
pub fn game(out: &mut Vec<u8>, file: &str, source: &Source, game: &Examined, coloured: bool) {
    for finding in &game.findings {
        out.extend_from_slice(snippet(file, source, finding, coloured).as_bytes());
        out.extend_from_slice(b"\n\n");
    }
    if let Some(repair) = &game.repair {
        out.extend_from_slice(repaired(repair, coloured).as_bytes());
        out.extend_from_slice(b"\n\n");
    }
}

fn renderer(coloured: bool) -> Renderer {
    if coloured { Renderer::styled() } else { Renderer::plain() }
}

/// One finding with its line of the score and a caret under the fault.
pub fn snippet(file: &str, source: &Source, finding: &Finding, coloured: bool) -> String {
    let at = source.locate(finding.span.start);
    let line = Excerpt::of(source, finding.span);
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let title = visible(&finding.message);
    let place = visible(file);
    let annotation: Annotation<'_> =
        AnnotationKind::Primary.span(line.fault.clone()).label(Some(finding.rule.name));
    let snippet = Snippet::source(line.text.as_str()).line_start(at.line).annotation(annotation);
    let group = level.primary_title(title.as_ref()).id(finding.rule.code);
    let group = if line.whole_from_start {
        group.element(snippet.path(place.as_ref()))
    } else {
        // The column of what is shown is not that of the file.
        let origin = Origin::path(place.as_ref()).line(at.line).char_column(at.column);
        group.element(origin).element(Padding).element(snippet)
    };
    renderer(coloured).render(&[group])
}

/// The best repair in one line an edit, and its closest rival.
fn repaired(repair: &Repair, coloured: bool) -> String {
    let mut group = Group::with_title(Level::HELP.secondary_title(format!(
        "{} repair, probability {:.2}{}",
        verdict_word(repair.verdict),
        repair.best.probability,
        repair
            .unexplained_from
            .map_or_else(String::new, |ply| format!("; nothing plausible from written ply {ply} on")),
    )));
    for edit in &repair.best.edits {
        group = group.element(Level::NOTE.message(visible(&sentence(edit)).into_owned()));
    }
    if let Some(other) = repair.alternatives.first() {
        group = group.element(Level::NOTE.message(visible(&rival(other)).into_owned()));
    }
    renderer(coloured).render(&[group])
}

fn rival(reading: &Reading) -> String {
    let edits: Vec<String> = reading.edits.iter().map(change).collect();
    format!("next best, probability {:.2}: {}", reading.probability, edits.join("; "))
}

fn sentence(edit: &Edit) -> String {
    if edit.reason.is_empty() { change(edit) } else { format!("{}: {}", change(edit), edit.reason) }
}

fn change(edit: &Edit) -> String {
    let ply = edit.written_ply;
    match edit.op {
        Op::Substitute => format!("ply {ply}: read {} as {}", edit.written, edit.san),
        Op::Insert => format!("before ply {ply}: put in {}", edit.san),
        Op::Delete => format!("ply {ply}: leave out {}", edit.written),
        Op::Swap => format!("plies {ply} and {}: exchange", edit.other_ply.unwrap_or(ply + 1)),
        Op::Tag => format!("tag: {}", edit.san),
    }
}

/// The part of a line that is shown, and where the fault stands in it (bytes).
struct Excerpt {
    text: String,
    fault: std::ops::Range<usize>,
    /// Whether columns of the text are columns of the line.
    whole_from_start: bool,
}

impl Excerpt {
    fn of(source: &Source, span: Span) -> Excerpt {
        let line = source.line_at(span.start);
        let start = span.start.clamp(line.start, line.end);
        let end = span.end.clamp(start, line.end);
        // Four bytes hold any character; what is cut in the middle of one is left out again below.
        let from = line.start.max(start.saturating_sub(CONTEXT * 4));
        let to = line.end.min(end.min(start + CONTEXT * 4) + CONTEXT * 4);
        let before: Vec<char> = source.decode(Span::new(from, start)).chars().collect();
        let fault: String = source.decode(Span::new(start, end.min(to))).chars().take(2 * CONTEXT).collect();
        let behind: String = source.decode(Span::new(end.min(to), to)).chars().take(CONTEXT).collect();
        let skipped = before.len().saturating_sub(CONTEXT);
        let mut text = String::new();
        if skipped > 0 || from > line.start {
            text.push('…');
        }
        let shown: String = before[skipped..].iter().collect();
        text.push_str(&visible(&shown));
        let whole_from_start = text == shown && from == line.start;
        let begin = text.len();
        text.push_str(&visible(&fault));
        let finish = text.len();
        text.push_str(&visible(&behind));
        Excerpt { text, fault: begin..finish, whole_from_start }
    }
}

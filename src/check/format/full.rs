//! For people: the line of the score with a caret under the fault, the reason and the repair.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Padding, Renderer, Snippet};

use crate::{
    check::{Examined, record::verdict_word},
    finding::{Finding, Severity},
    fix::Count,
    repair::{Edit, Op, Reading, Repair},
    sheet::{Source, Span},
    visible::visible,
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
        let sheet = Sheet { source, count: Count::from(&game.replay.start) };
        out.extend_from_slice(sheet.repaired(repair, coloured).as_bytes());
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

/// Below this probability a rival is not worth a line.
const WORTH: f64 = 0.01;

/// What the words of a repair are taken from.
struct Sheet<'a> {
    source: &'a Source,
    count: Count,
}

impl Sheet<'_> {
    /// The best repair in one line an edit, and its closest rival.
    fn repaired(&self, repair: &Repair, coloured: bool) -> String {
        let mut group = Group::with_title(Level::HELP.secondary_title(format!(
            "{} repair, probability {:.2}{}",
            verdict_word(repair.verdict),
            repair.best.probability,
            repair
                .unexplained_from
                .map_or_else(String::new, |ply| format!("; nothing plausible from written ply {ply} on")),
        )));
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
        format!("next best, probability {:.2}: {}", reading.probability, edits.join("; "))
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

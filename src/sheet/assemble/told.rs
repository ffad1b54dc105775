//! Findings that would be too many one by one, told together.

use crate::{
    finding::{Finding, TextEdit},
    rules::{self, Rule},
    sheet::Span,
};

/// What is told together at the end of a game.
#[derive(Default)]
pub(super) struct Told {
    pub times: Gathered,
    pub markup: Gathered,
    pub punctuation: Gathered,
    pub glued: Gathered,
    pub glyphs: Gathered,
    pub styled: Gathered,
    pub doubled: Gathered,
    pub displaced: Gathered,
    pub strays: Many,
    pub unclosed: Many,
}

impl Told {
    pub fn findings(self) -> Vec<Finding> {
        let mut out = Vec::new();
        self.times.tell(&rules::CLOCK_TIME, "a clock time or remark between the moves", &mut out);
        self.markup.tell(&rules::MARKUP, "markup between the moves", &mut out);
        self.punctuation.tell(&rules::PUNCTUATION, "punctuation between the moves", &mut out);
        self.glued.tell(&rules::GLUED_TOKENS, "no space between two entries", &mut out);
        self.glyphs.tell(&rules::GLYPH, "an evaluation sign outside the standard", &mut out);
        self.styled.tell(&rules::MOVE_NUMBER_STYLE, "a move number in an unusual style", &mut out);
        self.doubled.tell(
            &rules::MOVE_NUMBER_STYLE,
            "a move number with another one and no move behind it",
            &mut out,
        );
        self.displaced.tell(
            &rules::MOVE_NUMBER_STYLE,
            "a move number that is not right before its move",
            &mut out,
        );
        let strays = self.strays.others;
        strays.tell(&rules::STRAY_BRACKET, "more brackets that belong to nothing", &mut out);
        let unclosed = self.unclosed.others;
        unclosed.tell(&rules::UNCLOSED_VARIATION, "more variations that are never closed", &mut out);
        out
    }
}

/// Findings of one kind that are told once a game.
#[derive(Default)]
pub(super) struct Gathered {
    first: Option<Span>,
    count: usize,
    pub fix: Vec<TextEdit>,
}

impl Gathered {
    pub fn add(&mut self, span: Span, fix: Option<TextEdit>) {
        self.first.get_or_insert(span);
        self.count += 1;
        self.fix.extend(fix);
    }

    pub fn tell(self, rule: &'static Rule, what: &str, out: &mut Vec<Finding>) {
        if let Some(span) = self.first {
            let message = if self.count == 1 {
                what.to_string()
            } else {
                format!("{what} ({} times in this game)", self.count)
            };
            out.push(Finding { fix: self.fix, ..Finding::new(rule, span, message) });
        }
    }
}

/// So many findings of one kind are told one by one.
const ALONE: usize = 50;

/// Findings of one kind, the first few of a game told one by one and the others together.
#[derive(Default)]
pub(super) struct Many {
    alone: usize,
    others: Gathered,
}

impl Many {
    pub fn add(&mut self, finding: Finding, out: &mut Vec<Finding>) {
        if self.alone < ALONE {
            self.alone += 1;
            out.push(finding);
        } else {
            self.others.add(finding.span, None);
            self.others.fix.extend(finding.fix);
        }
    }
}

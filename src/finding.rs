//! A fault found in a score: which rule, where, why, and the change of text that cures it.

use shakmaty::Color;

use crate::{rules::Rule, sheet::Span};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Style; stops nobody.
    Info,
    /// It replays, but something contradicts.
    Warning,
    /// The score cannot be replayed as written, or text was lost.
    Error,
}

/// New bytes for a span of the text, in the text's own encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// What is replaced; empty for an insertion.
    pub span: Span,
    /// What stands there afterwards.
    pub text: Vec<u8>,
}

impl TextEdit {
    /// New bytes for what stands at `span`.
    pub fn replace(span: Span, text: impl Into<Vec<u8>>) -> TextEdit {
        TextEdit { span, text: text.into() }
    }

    /// Bytes put in before byte `at`.
    pub fn insert(at: usize, text: impl Into<Vec<u8>>) -> TextEdit {
        TextEdit::replace(Span::new(at, at), text)
    }
}

/// One fault at one place.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule that it breaks.
    pub rule: &'static Rule,
    /// Mostly the rule's own severity.
    pub severity: Severity,
    /// Where in the text.
    pub span: Span,
    /// Written ply (from 1) that it belongs to, if any.
    pub ply: Option<u32>,
    /// Side of the written column, for a move.
    pub side: Option<Color>,
    /// The move as written, for a move.
    pub san: Option<String>,
    /// Move number by count, for a move.
    pub move_number: Option<u32>,
    /// Why, in one sentence.
    pub message: String,
    /// The written ply whose move is really wrong, where that is an earlier one.
    pub cause_ply: Option<u32>,
    /// Changes of text that make mainstream readers read it as meant; none for what stops nobody.
    pub fix: Vec<TextEdit>,
}

impl Finding {
    /// A finding of the rule's own severity, about no move in particular, without a fix.
    pub fn new(rule: &'static Rule, span: Span, message: impl Into<String>) -> Finding {
        Finding {
            rule,
            severity: rule.severity,
            span,
            ply: None,
            side: None,
            san: None,
            move_number: None,
            message: message.into(),
            cause_ply: None,
            fix: Vec::new(),
        }
    }

    /// The same finding with one more change of text that cures it.
    #[must_use]
    pub fn cured_by(mut self, edit: TextEdit) -> Finding {
        self.fix.push(edit);
        self
    }
}

//! PA408 `control-character`.

use super::Rule;
use crate::finding::Severity;

/// Control characters in the movetext.
pub static RULE: Rule = Rule {
    code: "PA408",
    name: "control-character",
    severity: Severity::Warning,
    what: "Control characters in the movetext.",
    why: "They are the trace of a damaged file.",
    before: "1. e4 (NUL) e5 *",
    after: "1. e4 e5 *",
};

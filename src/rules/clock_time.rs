//! PA316 `clock-time`.

use super::Rule;
use crate::finding::Severity;

/// Clock times between the moves.
pub static RULE: Rule = Rule {
    code: "PA316",
    name: "clock-time",
    severity: Severity::Info,
    what: "Clock times between the moves.",
    why: "They belong in a comment.",
    before: "1. e4 (0:06) e5 (0:03) *",
    after: "1. e4 e5 *",
};

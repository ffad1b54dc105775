//! PA318 `punctuation`.

use super::Rule;
use crate::finding::Severity;

/// Commas, bars and the like between the moves.
pub static RULE: Rule = Rule {
    code: "PA318",
    name: "punctuation",
    severity: Severity::Info,
    what: "Commas, bars and the like between the moves.",
    why: "Readers that want a move to end with a space lose it.",
    before: "1. e4, e5; *",
    after: "1. e4 e5 *",
};

//! PA205 `result-mismatch`.

use super::Rule;
use crate::finding::Severity;

/// The Result tag and the end of the movetext contradict each other.
pub static RULE: Rule = Rule {
    code: "PA205",
    name: "result-mismatch",
    severity: Severity::Warning,
    what: "The Result tag and the end of the movetext contradict each other.",
    why: "Cross-tables are made from the tag, boards show the terminator.",
    before: "[Result \"1-0\"]\n\n1. e4 e5 0-1",
    after: "[Result \"1-0\"]\n\n1. e4 e5 1-0",
};

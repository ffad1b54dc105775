//! PA207 `missing-terminator`.

use super::Rule;
use crate::finding::Severity;

/// A movetext that does not end with a result.
pub static RULE: Rule = Rule {
    code: "PA207",
    name: "missing-terminator",
    severity: Severity::Warning,
    what: "A movetext that does not end with a result.",
    why: "The standard wants one, and a score without it may be cut off.",
    before: "[Result \"1-0\"]\n\n1. e4 e5",
    after: "[Result \"1-0\"]\n\n1. e4 e5 1-0",
};

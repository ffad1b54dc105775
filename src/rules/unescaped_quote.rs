//! PA502 `unescaped-quote`.

use super::Rule;
use crate::finding::Severity;

/// A quote inside a tag value without its backslash.
pub static RULE: Rule = Rule {
    code: "PA502",
    name: "unescaped-quote",
    severity: Severity::Warning,
    what: "A quote inside a tag value without its backslash.",
    why: "Readers cut the value short.",
    before: "[Event \"The \"Old Tower\" Open\"]\n\n1. e4 *",
    after: "[Event \"The \\\"Old Tower\\\" Open\"]\n\n1. e4 *",
};

//! PA209 `false-capture-sign`.

use super::Rule;
use crate::finding::Severity;

/// A capture sign on a move that takes nothing.
pub static RULE: Rule = Rule {
    code: "PA209",
    name: "false-capture-sign",
    severity: Severity::Warning,
    what: "A capture sign on a move that takes nothing.",
    why: "It may be the trace of another move than the one written.",
    before: "1. e4 e5 2. Nxf3 *",
    after: "1. e4 e5 2. Nf3 *",
};

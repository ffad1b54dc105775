//! PA204 `false-check-sign`.

use super::Rule;
use crate::finding::Severity;

/// A check or mate sign on a move that gives none.
pub static RULE: Rule = Rule {
    code: "PA204",
    name: "false-check-sign",
    severity: Severity::Warning,
    what: "A check or mate sign on a move that gives none.",
    why: "It may be the trace of another move than the one written.",
    before: "1. e4 e5 2. Nf3+ *",
    after: "1. e4 e5 2. Nf3 *",
};

//! PA311 `glued-tokens`.

use super::Rule;
use crate::finding::Severity;

/// Moves, numbers or results without a space between.
pub static RULE: Rule = Rule {
    code: "PA311",
    name: "glued-tokens",
    severity: Severity::Info,
    what: "Moves, numbers or results without a space between.",
    why: "Readers that split at spaces lose both.",
    before: "1. e4e5 2. Nf3Nc6 *",
    after: "1. e4 e5 2. Nf3 Nc6 *",
};

//! PA202 `wrong-column`.

use super::Rule;
use crate::finding::Severity;

/// A move that number and dots put in the other player's column.
pub static RULE: Rule = Rule {
    code: "PA202",
    name: "wrong-column",
    severity: Severity::Warning,
    what: "A move that number and dots put in the other player's column.",
    why: "It is the trace of a lost half-move.",
    before: "1. e4 1. e5 2. Nf3 *",
    after: "1. e4 1... e5 2. Nf3 *",
};

//! PA304 `long-algebraic`.

use super::Rule;
use crate::finding::Severity;

/// A move written with the square that it leaves.
pub static RULE: Rule = Rule {
    code: "PA304",
    name: "long-algebraic",
    severity: Severity::Info,
    what: "A move written with the square that it leaves.",
    why: "Some readers know it, some do not.",
    before: "1. e2-e4 e7-e5 2. g1f3 *",
    after: "1. e4 e5 2. Nf3 *",
};

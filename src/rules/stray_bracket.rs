//! PA109 `stray-bracket`.

use super::Rule;
use crate::finding::Severity;

/// A closing bracket or brace that closes nothing.
pub static RULE: Rule = Rule {
    code: "PA109",
    name: "stray-bracket",
    severity: Severity::Warning,
    what: "A closing bracket or brace that closes nothing.",
    why: "Readers differ on what it ends.",
    before: "1. e4 e5) 2. Nf3 *",
    after: "1. e4 e5 2. Nf3 *",
};

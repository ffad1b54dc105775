//! PA404 `cr-line-ends`.

use super::Rule;
use crate::finding::Severity;

/// Lines that end with CR alone.
pub static RULE: Rule = Rule {
    code: "PA404",
    name: "cr-line-ends",
    severity: Severity::Info,
    what: "Lines that end with CR alone.",
    why: "Readers see one single line: a ; comment swallows the rest.",
    before: "1. e4 e5 ; good (CR) 2. Nf3 *",
    after: "1. e4 e5 ; good\n2. Nf3 *",
};

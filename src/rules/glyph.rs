//! PA312 `glyph`.

use super::Rule;
use crate::finding::Severity;

/// An evaluation sign that is not one of the six of the standard.
pub static RULE: Rule = Rule {
    code: "PA312",
    name: "glyph",
    severity: Severity::Info,
    what: "An evaluation sign that is not one of the six of the standard.",
    why: "The standard wants a $ number in its place.",
    before: "1. e4 e5 2. Nf3 += *",
    after: "1. e4 e5 2. Nf3 $14 *",
};

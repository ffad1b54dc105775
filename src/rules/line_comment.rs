//! PA319 `line-comment`.

use super::Rule;
use crate::finding::Severity;

/// A comment from ; to the end of the line.
pub static RULE: Rule = Rule {
    code: "PA319",
    name: "line-comment",
    severity: Severity::Info,
    what: "A comment from ; to the end of the line.",
    why: "pgn-extract does not know it and reads moves into it.",
    before: "1. e4 e5 ; quiet\n2. Nf3 *",
    after: "1. e4 e5 { quiet}\n2. Nf3 *",
};

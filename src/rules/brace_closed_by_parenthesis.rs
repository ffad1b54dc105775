//! PA108 `brace-closed-by-parenthesis`.

use super::Rule;
use crate::finding::Severity;

/// A comment that opens with { and closes with ).
pub static RULE: Rule = Rule {
    code: "PA108",
    name: "brace-closed-by-parenthesis",
    severity: Severity::Warning,
    what: "A comment that opens with { and closes with ).",
    why: "Readers swallow the moves up to the next }.",
    before: "1. d4 Nf6 {solid) 2. c4 e6 {ok} *",
    after: "1. d4 Nf6 {solid} 2. c4 e6 {ok} *",
};

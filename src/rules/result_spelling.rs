//! PA314 `result-spelling`.

use super::Rule;
use crate::finding::Severity;

/// A result in another spelling than 1-0, 0-1, 1/2-1/2 or *.
pub static RULE: Rule = Rule {
    code: "PA314",
    name: "result-spelling",
    severity: Severity::Info,
    what: "A result in another spelling than 1-0, 0-1, 1/2-1/2 or *.",
    why: "Readers take it for nothing, and the game for unfinished.",
    before: "1. e4 e5 ½-½",
    after: "1. e4 e5 1/2-1/2",
};

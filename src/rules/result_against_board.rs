//! PA206 `result-against-board`.

use super::Rule;
use crate::finding::Severity;

/// The result contradicts mate, stalemate or a dead position on the board.
pub static RULE: Rule = Rule {
    code: "PA206",
    name: "result-against-board",
    severity: Severity::Warning,
    what: "The result contradicts mate, stalemate or a dead position on the board.",
    why: "The rules decide these games, whatever the sheet says.",
    before: "[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0",
    after: "[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1",
};

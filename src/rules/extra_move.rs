//! PA105 `extra-move`.

use super::Rule;
use crate::finding::Severity;

/// A move written after the game was over by mate, stalemate or a dead position.
pub static RULE: Rule = Rule {
    code: "PA105",
    name: "extra-move",
    severity: Severity::Error,
    what: "A move written after the game was over by mate, stalemate or a dead position.",
    why: "No reader can play it; it is a slip, a result signal of the board, or the end came earlier.",
    before: "1. f3 e5 2. g4 Qh4# 3. a3 0-1",
    after: "1. f3 e5 2. g4 Qh4# 0-1",
};

//! PA104 `missing-move`.

use super::Rule;
use crate::finding::Severity;

/// An empty or crossed-out box where a move is due.
pub static RULE: Rule = Rule {
    code: "PA104",
    name: "missing-move",
    severity: Severity::Error,
    what: "An empty or crossed-out box where a move is due.",
    why: "The move was played but nobody could read it; what follows cannot be replayed without it.",
    before: "1. e4 e5 2. Nf3 -- 3. Bb5 a6 *",
    after: "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *",
};

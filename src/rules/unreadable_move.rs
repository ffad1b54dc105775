//! PA103 `unreadable-move`.

use super::Rule;
use crate::finding::Severity;

/// An entry where a move is due, in no spelling of a move.
pub static RULE: Rule = Rule {
    code: "PA103",
    name: "unreadable-move",
    severity: Severity::Error,
    what: "An entry where a move is due, in no spelling of a move.",
    why: "Many readers drop it without a word, and every later move is then played by the wrong side.",
    before: "1. e4 e5 2. Nf9 Nc6 *",
    after: "1. e4 e5 2. Nf3 Nc6 *",
};

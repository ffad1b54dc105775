//! PA305 `foreign-letters`.

use super::Rule;
use crate::finding::Severity;

/// Piece letters of another language.
pub static RULE: Rule = Rule {
    code: "PA305",
    name: "foreign-letters",
    severity: Severity::Info,
    what: "Piece letters of another language.",
    why: "English readers drop the move, or play a pawn move instead.",
    before: "1. e4 e5 2. Sf3 Sc6 *",
    after: "1. e4 e5 2. Nf3 Nc6 *",
};

//! PA406 `blank-line`.

use super::Rule;
use crate::finding::Severity;

/// Blank lines inside a game where none may be.
pub static RULE: Rule = Rule {
    code: "PA406",
    name: "blank-line",
    severity: Severity::Info,
    what: "Blank lines inside a game where none may be.",
    why: "Readers end the game there and take the rest for another.",
    before: "1. e4 e5\n\n2. Nf3 Nc6 *",
    after: "1. e4 e5\n2. Nf3 Nc6 *",
};

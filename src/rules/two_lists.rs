//! PA320 `two-lists`.

use super::Rule;
use crate::finding::Severity;

/// The moves of White in one list and those of Black in another.
pub static RULE: Rule = Rule {
    code: "PA320",
    name: "two-lists",
    severity: Severity::Info,
    what: "The moves of White in one list and those of Black in another.",
    why: "Every other reader plays the moves in the order in which they stand.",
    before: "White: e4 Nf3 Bb5\nBlack: e5 Nc6 a6\n*",
    after: "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6\n*",
};

//! PA201 `wrong-move-number`.

use super::Rule;
use crate::finding::Severity;

/// A move number that contradicts the count of moves.
pub static RULE: Rule = Rule {
    code: "PA201",
    name: "wrong-move-number",
    severity: Severity::Warning,
    what: "A move number that contradicts the count of moves.",
    why: "A jump is the trace of a lost or doubled entry.",
    before: "1. e4 e5 3. Nf3 Nc6 *",
    after: "1. e4 e5 2. Nf3 Nc6 *",
};

//! PA313 `move-number-style`.

use super::Rule;
use crate::finding::Severity;

/// Move numbers in another style, or none.
pub static RULE: Rule = Rule {
    code: "PA313",
    name: "move-number-style",
    severity: Severity::Info,
    what: "Move numbers in another style, or none.",
    why: "It is read everywhere.",
    before: "1 e4 e5\n2 Nf3 Nc6 *",
    after: "1. e4 e5 2. Nf3 Nc6 *",
};

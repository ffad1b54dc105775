//! PA308 `check-word`.

use super::Rule;
use crate::finding::Severity;

/// Check or mate in another spelling than + and #.
pub static RULE: Rule = Rule {
    code: "PA308",
    name: "check-word",
    severity: Severity::Info,
    what: "Check or mate in another spelling than + and #.",
    why: "Readers that want the move to end behind its square lose it.",
    before: "1. e4 e5 2. Qh5 Nc6 3. Qxf7 ch *",
    after: "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ *",
};

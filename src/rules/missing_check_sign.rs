//! PA203 `missing-check-sign`.

use super::Rule;
use crate::finding::Severity;

/// A check or mate without its sign.
pub static RULE: Rule = Rule {
    code: "PA203",
    name: "missing-check-sign",
    severity: Severity::Info,
    what: "A check or mate without its sign.",
    why: "It stops nobody; many players never write it.",
    before: "1. e4 e5 2. Qh5 Nc6 3. Qxf7 *",
    after: "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ *",
};

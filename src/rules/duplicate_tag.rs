//! PA503 `duplicate-tag`.

use super::Rule;
use crate::finding::Severity;

/// The same tag twice.
pub static RULE: Rule = Rule {
    code: "PA503",
    name: "duplicate-tag",
    severity: Severity::Warning,
    what: "The same tag twice.",
    why: "Readers differ on which one counts.",
    before: "[White \"A\"]\n[White \"B\"]\n\n1. e4 *",
    after: "[White \"A\"]\n\n1. e4 *",
};

//! PA208 `double-forfeit`.

use super::Rule;
use crate::finding::Severity;

/// 0-0 as a result: a loss for both.
pub static RULE: Rule = Rule {
    code: "PA208",
    name: "double-forfeit",
    severity: Severity::Warning,
    what: "0-0 as a result: a loss for both.",
    why: "It is none of the four results of the standard, and readers take it for castling.",
    before: "[Result \"0-0\"]\n\n0-0",
    after: "[Result \"*\"]\n\n*",
};

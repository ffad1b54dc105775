//! PA303 `capture-spelling`.

use super::Rule;
use crate::finding::Severity;

/// A capture without x, with a colon, or by files alone.
pub static RULE: Rule = Rule {
    code: "PA303",
    name: "capture-spelling",
    severity: Severity::Info,
    what: "A capture without x, with a colon, or by files alone.",
    why: "Old and continental sheets do so; few readers follow.",
    before: "1. e4 d5 2. ed5 *",
    after: "1. e4 d5 2. exd5 *",
};

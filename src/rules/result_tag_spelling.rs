//! PA509 `result-tag-spelling`.

use super::Rule;
use crate::finding::Severity;

/// A Result tag in another spelling than the four of the standard.
pub static RULE: Rule = Rule {
    code: "PA509",
    name: "result-tag-spelling",
    severity: Severity::Info,
    what: "A Result tag in another spelling than the four of the standard.",
    why: "Readers take it for no result.",
    before: "[Result \"½-½\"]\n\n1. e4 e5 1/2-1/2",
    after: "[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2",
};

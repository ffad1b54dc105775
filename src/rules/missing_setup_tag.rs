//! PA504 `missing-setup-tag`.

use super::Rule;
use crate::finding::Severity;

/// A FEN tag without SetUp.
pub static RULE: Rule = Rule {
    code: "PA504",
    name: "missing-setup-tag",
    severity: Severity::Info,
    what: "A FEN tag without SetUp.",
    why: "The standard wants both; nearly every reader does without.",
    before: "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *",
    after: "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *",
};

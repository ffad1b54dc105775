//! PA402 `utf-16`.

use super::Rule;
use crate::finding::Severity;

/// A file in UTF-16.
pub static RULE: Rule = Rule {
    code: "PA402",
    name: "utf-16",
    severity: Severity::Info,
    what: "A file in UTF-16.",
    why: "No common PGN reader knows it; the repaired file is UTF-8.",
    before: "(a file in UTF-16)",
    after: "(the same in UTF-8)",
};

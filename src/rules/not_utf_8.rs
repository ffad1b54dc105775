//! PA403 `not-utf-8`.

use super::Rule;
use crate::finding::Severity;

/// Bytes that are not UTF-8, read as Windows-1252.
pub static RULE: Rule = Rule {
    code: "PA403",
    name: "not-utf-8",
    severity: Severity::Info,
    what: "Bytes that are not UTF-8, read as Windows-1252.",
    why: "Names with accents come out wrong elsewhere.",
    before: "[White \"Kr\\xE4mer\"]",
    after: "[White \"Krämer\"]",
};

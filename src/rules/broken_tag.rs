//! PA501 `broken-tag`.

use super::Rule;
use crate::finding::Severity;

/// A tag without its bracket or quotes.
pub static RULE: Rule = Rule {
    code: "PA501",
    name: "broken-tag",
    severity: Severity::Warning,
    what: "A tag without its bracket or quotes.",
    why: "Readers lose the tag, or the first moves with it.",
    before: "[Event \"Club\"\n\n1. e4 *",
    after: "[Event \"Club\"]\n\n1. e4 *",
};

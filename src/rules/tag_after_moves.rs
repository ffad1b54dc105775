//! PA508 `tag-after-moves`.

use super::Rule;
use crate::finding::Severity;

/// A tag below the first move.
pub static RULE: Rule = Rule {
    code: "PA508",
    name: "tag-after-moves",
    severity: Severity::Warning,
    what: "A tag below the first move.",
    why: "Readers begin a new game there.",
    before: "[White \"A\"]\n\n1. e4\n[Annotator \"B\"]\ne5 *",
    after: "[White \"A\"]\n\n1. e4\n{[Annotator \"B\"]}\ne5 *",
};

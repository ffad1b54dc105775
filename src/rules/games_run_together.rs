//! PA410 `games-run-together`.

use super::Rule;
use crate::finding::Severity;

/// Two games without a blank line between them.
pub static RULE: Rule = Rule {
    code: "PA410",
    name: "games-run-together",
    severity: Severity::Info,
    what: "Two games without a blank line between them.",
    why: "Some readers take the tags of the second one for a part of the first.",
    before: "1. e4 e5 *\n[Event \"?\"]\n\n1. d4 d5 *",
    after: "1. e4 e5 *\n\n[Event \"?\"]\n\n1. d4 d5 *",
};

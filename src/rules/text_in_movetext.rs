//! PA112 `text-in-movetext`.

use super::Rule;
use crate::finding::Severity;

/// Words between the moves that are neither moves nor in a comment.
pub static RULE: Rule = Rule {
    code: "PA112",
    name: "text-in-movetext",
    severity: Severity::Warning,
    what: "Words between the moves that are neither moves nor in a comment.",
    why: "Some readers skip them, some stop, some read moves into them.",
    before: "1. e4 e5 White develops 2. Nf3 *",
    after: "1. e4 e5 {White develops} 2. Nf3 *",
};

//! PA407 `text-outside-games`.

use super::Rule;
use crate::finding::Severity;

/// Text before, between or after the games.
pub static RULE: Rule = Rule {
    code: "PA407",
    name: "text-outside-games",
    severity: Severity::Info,
    what: "Text before, between or after the games.",
    why: "Readers take it for a game of its own.",
    before: "Hello all,\n\n[Event \"Club\"]\n\n1. e4 e5 *",
    after: "%Hello all,\n\n[Event \"Club\"]\n\n1. e4 e5 *",
};

//! PA404 `cr-line-ends`.

use super::Rule;
use crate::finding::Severity;

/// Lines that end with CR alone.
pub static RULE: Rule = Rule {
    code: "PA404",
    name: "cr-line-ends",
    severity: Severity::Info,
    what: "Lines that end with CR alone.",
    why: "pgn-reader sees one single line: it takes the next game for part of this one, and % and ; swallow the rest.",
    before: "1. e4 * (CR) (CR) [Event \"Next\"]",
    after: "1. e4 *\n\n[Event \"Next\"]",
};

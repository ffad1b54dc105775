//! PA510 `tag-line`.

use super::Rule;
use crate::finding::Severity;

/// A tag that shares its line with another tag or with moves.
pub static RULE: Rule = Rule {
    code: "PA510",
    name: "tag-line",
    severity: Severity::Info,
    what: "A tag that shares its line with another tag or with moves.",
    why: "python-chess wants each tag on a line of its own.",
    before: "[White \"A\"] [Black \"B\"]\n\n1. e4 *",
    after: "[White \"A\"]\n[Black \"B\"]\n\n1. e4 *",
};

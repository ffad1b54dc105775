//! PA317 `markup`.

use super::Rule;
use crate::finding::Severity;

/// HTML or forum markup in the score.
pub static RULE: Rule = Rule {
    code: "PA317",
    name: "markup",
    severity: Severity::Info,
    what: "HTML or forum markup in the score.",
    why: "Readers lose the move beside it; an entity opens a comment to the end of the line.",
    before: "1. e4 e5 &nbsp;2. Nf3<br> *",
    after: "1. e4 e5 2. Nf3 *",
};

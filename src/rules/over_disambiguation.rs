//! PA310 `over-disambiguation`.

use super::Rule;
use crate::finding::Severity;

/// A file or rank that is not needed to tell the piece.
pub static RULE: Rule = Rule {
    code: "PA310",
    name: "over-disambiguation",
    severity: Severity::Info,
    what: "A file or rank that is not needed to tell the piece.",
    why: "It is right and read everywhere.",
    before: "1. Ngf3 *",
    after: "1. Nf3 *",
};

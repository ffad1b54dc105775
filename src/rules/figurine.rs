//! PA306 `figurine`.

use super::Rule;
use crate::finding::Severity;

/// A piece symbol instead of a letter.
pub static RULE: Rule = Rule {
    code: "PA306",
    name: "figurine",
    severity: Severity::Info,
    what: "A piece symbol instead of a letter.",
    why: "Few readers know it.",
    before: "1. e4 e5 2. ♘f3 *",
    after: "1. e4 e5 2. Nf3 *",
};

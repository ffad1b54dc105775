//! PA401 `byte-order-mark`.

use super::Rule;
use crate::finding::Severity;

/// A byte order mark before the first tag.
pub static RULE: Rule = Rule {
    code: "PA401",
    name: "byte-order-mark",
    severity: Severity::Info,
    what: "A byte order mark before the first tag.",
    why: "Some readers lose the first tag.",
    before: "(EF BB BF) 1. e4 e5 *",
    after: "1. e4 e5 *",
};

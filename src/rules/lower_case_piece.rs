//! PA307 `lower-case-piece`.

use super::Rule;
use crate::finding::Severity;

/// A piece letter in lower case.
pub static RULE: Rule = Rule {
    code: "PA307",
    name: "lower-case-piece",
    severity: Severity::Info,
    what: "A piece letter in lower case.",
    why: "Readers drop the move; a b can be a bishop or a file.",
    before: "1. e4 e5 2. nf3 *",
    after: "1. e4 e5 2. Nf3 *",
};

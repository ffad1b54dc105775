//! PA107 `unclosed-variation`.

use super::Rule;
use crate::finding::Severity;

/// A variation without its closing parenthesis.
pub static RULE: Rule = Rule {
    code: "PA107",
    name: "unclosed-variation",
    severity: Severity::Warning,
    what: "A variation without its closing parenthesis.",
    why: "The main line is lost to every reader from here on.",
    before: "1. e4 e5 (1... c5 2. Nf3 d6 2. Nf3 Nc6 *",
    after: "1. e4 e5 (1... c5 2. Nf3 d6) 2. Nf3 Nc6 *",
};

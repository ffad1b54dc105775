//! PA101 `illegal-move`.

use super::Rule;
use crate::finding::Severity;

/// A move that is understood but against the rules in its position.
pub static RULE: Rule = Rule {
    code: "PA101",
    name: "illegal-move",
    severity: Severity::Error,
    what: "A move that is understood but against the rules in its position.",
    why: "Every reader stops here, or goes on with another game than the one played.",
    before: "1. e4 e5 2. Nf3 Nc6 3. Nc4 Nf6 *",
    after: "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 *",
};

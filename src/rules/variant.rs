//! PA601 `variant`.

use super::Rule;
use crate::finding::Severity;

/// A game of a variant that is not standard chess.
pub static RULE: Rule = Rule {
    code: "PA601",
    name: "variant",
    severity: Severity::Warning,
    what: "A game of a variant that is not standard chess.",
    why: "Its moves can be right there and impossible here; it is left alone.",
    before: "[Variant \"Atomic\"]\n\n1. e4 e5 *",
    after: "(left alone)",
};

//! PA113 `illegal-variation`.

use super::Rule;
use crate::finding::Severity;

/// A move in a variation that cannot be played.
pub static RULE: Rule = Rule {
    code: "PA113",
    name: "illegal-variation",
    severity: Severity::Warning,
    what: "A move in a variation that cannot be played.",
    why: "Readers that play variations stop or complain; the game itself is whole.",
    before: "1. e4 e5 (1... Nf3 2. Nc3) *",
    after: "1. e4 e5 {1... Nf3 2. Nc3} *",
};

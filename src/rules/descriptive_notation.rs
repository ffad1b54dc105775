//! PA603 `descriptive-notation`.

use super::Rule;
use crate::finding::Severity;

/// Moves in English descriptive notation.
pub static RULE: Rule = Rule {
    code: "PA603",
    name: "descriptive-notation",
    severity: Severity::Error,
    what: "Moves in English descriptive notation.",
    why: "It is not supported: P-K4 depends on the side and often on the position.",
    before: "1. P-K4 P-K4 2. N-KB3 *",
    after: "1. e4 e5 2. Nf3 *",
};

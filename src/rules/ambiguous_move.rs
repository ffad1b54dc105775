//! PA102 `ambiguous-move`.

use super::Rule;
use crate::finding::Severity;

/// A move that two pieces could make.
pub static RULE: Rule = Rule {
    code: "PA102",
    name: "ambiguous-move",
    severity: Severity::Error,
    what: "A move that two pieces could make.",
    why: "Readers take the first that fits, or stop; the game is then another one.",
    before: "1. d4 d5 2. Nf3 Nf6 3. e3 e6 4. Nd2 c5 *",
    after: "1. d4 d5 2. Nf3 Nf6 3. e3 e6 4. Nbd2 c5 *",
};

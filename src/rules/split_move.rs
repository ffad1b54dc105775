//! PA110 `split-move`.

use super::Rule;
use crate::finding::Severity;

/// A move or result torn apart by a line end or a blank.
pub static RULE: Rule = Rule {
    code: "PA110",
    name: "split-move",
    severity: Severity::Warning,
    what: "A move or result torn apart by a line end or a blank.",
    why: "Readers see two fragments and lose the move.",
    before: "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. Qc2 O-\nO *",
    after: "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. Qc2 O-O *",
};

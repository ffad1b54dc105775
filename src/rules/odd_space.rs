//! PA315 `odd-space`.

use super::Rule;
use crate::finding::Severity;

/// No-break or invisible spaces in the movetext.
pub static RULE: Rule = Rule {
    code: "PA315",
    name: "odd-space",
    severity: Severity::Info,
    what: "No-break or invisible spaces in the movetext.",
    why: "Readers take them for letters and lose the move beside them.",
    before: "1. e4 e5 *",
    after: "1. e4 e5 *",
};

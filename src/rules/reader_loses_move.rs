//! PA111 `reader-loses-move`.

use super::Rule;
use crate::finding::Severity;

/// A move that pgn-reader, as a witness of other programs, drops or reads as another one.
pub static RULE: Rule = Rule {
    code: "PA111",
    name: "reader-loses-move",
    severity: Severity::Info,
    what: "A move that pgn-reader, as a witness of other programs, drops or reads as another one.",
    why: "The score is understood here, but not everywhere.",
    before: "1. e4 e5 2. Sf3 Sc6 *",
    after: "1. e4 e5 2. Nf3 Nc6 *",
};

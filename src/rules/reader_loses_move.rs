//! PA111 `reader-loses-move`.

use super::Rule;
use crate::finding::Severity;

/// A move that pgn-reader drops or reads as another one, or something that python-chess or pgn-extract stumbles over.
pub static RULE: Rule = Rule {
    code: "PA111",
    name: "reader-loses-move",
    severity: Severity::Info,
    what: "A move that pgn-reader drops or reads as another one, or something that python-chess or pgn-extract stumbles over.",
    why: "The score is understood here, but not everywhere.",
    before: "1. e4 e5 2. Sf3 Sc6 *",
    after: "1. e4 e5 2. Nf3 Nc6 *",
};

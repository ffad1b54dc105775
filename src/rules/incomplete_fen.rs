//! PA511 `incomplete-fen`.

use super::Rule;
use crate::finding::Severity;

/// A FEN with fields missing or in another form than the standard's.
pub static RULE: Rule = Rule {
    code: "PA511",
    name: "incomplete-fen",
    severity: Severity::Info,
    what: "A FEN with fields missing or in another form than the standard's.",
    why: "pgn-extract refuses the game.",
    before: "[FEN \"4k3/8/8/8/8/8/8/4K3 w\"]\n\n1. Kd2 *",
    after: "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. Kd2 *",
};

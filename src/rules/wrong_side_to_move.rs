//! PA507 `wrong-side-to-move`.

use super::Rule;
use crate::finding::Severity;

/// A FEN whose side to move contradicts the moves.
pub static RULE: Rule = Rule {
    code: "PA507",
    name: "wrong-side-to-move",
    severity: Severity::Error,
    what: "A FEN whose side to move contradicts the moves.",
    why: "No move can be played as written; with the other side to move all can.",
    before: "[FEN \"4k3/8/8/8/8/8/8/R3K3 b Q - 0 1\"]\n\n1. Ra7 *",
    after: "[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. Ra7 *",
};

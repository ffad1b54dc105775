//! PA505 `impossible-castling-right`.

use super::Rule;
use crate::finding::Severity;

/// A FEN that grants castling without king and rook in place.
pub static RULE: Rule = Rule {
    code: "PA505",
    name: "impossible-castling-right",
    severity: Severity::Warning,
    what: "A FEN that grants castling without king and rook in place.",
    why: "Engines crash on it.",
    before: "[FEN \"4k3/8/8/8/8/8/8/4K3 w K - 0 1\"]\n\n1. Kd2 *",
    after: "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. Kd2 *",
};

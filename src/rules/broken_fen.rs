//! PA506 `broken-fen`.

use super::Rule;
use crate::finding::Severity;

/// A FEN tag that describes no possible position.
pub static RULE: Rule = Rule {
    code: "PA506",
    name: "broken-fen",
    severity: Severity::Error,
    what: "A FEN tag that describes no possible position.",
    why: "The game has no start.",
    before: "[FEN \"4k3/8/8 w - - 0 1\"]\n\n1. Kd2 *",
    after: "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. Kd2 *",
};

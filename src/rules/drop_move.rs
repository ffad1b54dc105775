//! PA602 `drop-move`.

use super::Rule;
use crate::finding::Severity;

/// A piece dropped on the board: crazyhouse or bughouse.
pub static RULE: Rule = Rule {
    code: "PA602",
    name: "drop-move",
    severity: Severity::Error,
    what: "A piece dropped on the board: crazyhouse or bughouse.",
    why: "Standard chess has no such move; nothing is repaired.",
    before: "1. e4 d5 2. exd5 Qxd5 3. P@e6 *",
    after: "(left alone)",
};

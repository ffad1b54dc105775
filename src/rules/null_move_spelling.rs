//! PA321 `null-move-spelling`.

use super::Rule;
use crate::finding::Severity;

/// A null move in a variation, written otherwise than `--`.
pub static RULE: Rule = Rule {
    code: "PA321",
    name: "null-move-spelling",
    severity: Severity::Info,
    what: "A null move in a variation, written otherwise than `--`: `Z0`, `<>`, `@@@@`, `null`, `pass`, `0000`.",
    why: "python-chess and pgn-extract both know `--`; of the others each knows some or none.",
    before: "1. e4 e5 2. Nf3 (2. pass Nf6 3. d3) 2... Nc6 *",
    after: "1. e4 e5 2. Nf3 (2. -- Nf6 3. d3) 2... Nc6 *",
};

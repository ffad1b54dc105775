//! PA301 `castling-spelling`.

use super::Rule;
use crate::finding::Severity;

/// Castling in another spelling than O-O.
pub static RULE: Rule = Rule {
    code: "PA301",
    name: "castling-spelling",
    severity: Severity::Info,
    what: "Castling in another spelling than O-O.",
    why: "Zeros are widely read, other dashes and letters are not.",
    before: "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. o–o *",
    after: "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *",
};

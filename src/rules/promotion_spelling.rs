//! PA302 `promotion-spelling`.

use super::Rule;
use crate::finding::Severity;

/// A promotion in another spelling than =Q.
pub static RULE: Rule = Rule {
    code: "PA302",
    name: "promotion-spelling",
    severity: Severity::Info,
    what: "A promotion in another spelling than =Q.",
    why: "Some readers miss the piece and promote to a queen.",
    before: "1. a8(Q) *",
    after: "1. a8=Q *",
};

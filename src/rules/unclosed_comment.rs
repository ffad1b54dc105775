//! PA106 `unclosed-comment`.

use super::Rule;
use crate::finding::Severity;

/// A comment in braces that never ends.
pub static RULE: Rule = Rule {
    code: "PA106",
    name: "unclosed-comment",
    severity: Severity::Error,
    what: "A comment in braces that never ends.",
    why: "Everything behind the brace is lost to every reader, the next games often too.",
    before: "1. e4 e5 2. Nf3 {quiet 1-0",
    after: "1. e4 e5 2. Nf3 {quiet} 1-0",
};

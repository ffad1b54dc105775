//! PA405 `mixed-line-ends`.

use super::Rule;
use crate::finding::Severity;

/// Line ends of several kinds in one file.
pub static RULE: Rule = Rule {
    code: "PA405",
    name: "mixed-line-ends",
    severity: Severity::Info,
    what: "Line ends of several kinds in one file.",
    why: "It is read everywhere, but marks a file that was pasted together.",
    before: "1. e4 (CR LF) e5 (LF) *",
    after: "1. e4 e5 *",
};

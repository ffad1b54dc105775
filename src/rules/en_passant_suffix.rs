//! PA309 `en-passant-suffix`.

use super::Rule;
use crate::finding::Severity;

/// The words e.p. behind a capture.
pub static RULE: Rule = Rule {
    code: "PA309",
    name: "en-passant-suffix",
    severity: Severity::Info,
    what: "The words e.p. behind a capture.",
    why: "Some readers take them for a word of their own.",
    before: "1. e4 a6 2. e5 d5 3. exd6 e.p. *",
    after: "1. e4 a6 2. e5 d5 3. exd6 *",
};

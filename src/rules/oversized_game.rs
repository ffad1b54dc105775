//! PA409 `oversized-game`.

use super::Rule;
use crate::finding::Severity;

/// A game too large to be read.
pub static RULE: Rule = Rule {
    code: "PA409",
    name: "oversized-game",
    severity: Severity::Error,
    what: "A game of more than 64 MiB of text, which is not read.",
    why: "No game is that long: the file is damaged, is no score, or was made to exhaust a reader's memory. The game is left \
          as it is, and reading goes on with the next one.",
    before: "1. e4 {the same line a million times} e5 *",
    after: "1. e4 e5 *",
};

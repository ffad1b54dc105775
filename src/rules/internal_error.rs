//! PA701 `internal-error`.

use super::Rule;
use crate::finding::Severity;

/// A game in which the program itself failed.
pub static RULE: Rule = Rule {
    code: "PA701",
    name: "internal-error",
    severity: Severity::Error,
    what: "A game in which pgn-audit itself failed: a fault of the program, which the score only brought to light.",
    why: "Nothing is known of this game and its text is left as it is; the other games are not touched by it. Keep the \
          score, run again with RUST_BACKTRACE=1 and send both to the authors.",
    before: "1. e4 e5 *",
    after: "1. e4 e5 *",
};

//! PA210 `result-signal`.

use super::Rule;
use crate::finding::Severity;

/// Last moves that may be a board's signal of the result.
pub static RULE: Rule = Rule {
    code: "PA210",
    name: "result-signal",
    severity: Severity::Info,
    what: "Legal last moves that may be an electronic board's signal of the result.",
    why: "Players signal the result to the board by putting the kings on the centre: both on light squares White has won, on \
          dark ones Black, one on each it is a draw. Where a king could go there by the rules, nothing tells it from a move.",
    before: "40. Kd3 {[%clk 0:01:10]} Ke6 {[%clk 0:02:03]} 41. Ke4 {[%clk 0:01:09]} 1-0",
    after: "40. Kd3 {[%clk 0:01:10]} Ke6 {[%clk 0:02:03]} 1-0",
};

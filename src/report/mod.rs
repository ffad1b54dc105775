//! One serialisable model of an audit, and one small pure writer a file; knows not how things were found.

pub mod diff;
pub mod folder;
pub mod model;
pub mod tables;

pub use folder::{Folder, FolderError};
pub use model::*;

use serde::Serialize;

use crate::visible::harmless_json;

/// The pictures of XBoard, in the order that `report.json` names them.
pub const SCREENSHOTS: [&str; 3] =
    ["view_xboard_initial.png", "view_xboard_blunder.png", "view_xboard_fixed_final.png"];

/// Every file that an audit of one game delivers under a fixed name, `report.json` last.
pub const NAMES: [&str; 12] = [
    "before/broken.pgn",
    "illegal_moves.json",
    "fixed.pgn",
    "diff.txt",
    "evals.csv",
    "blunders.json",
    "result_check.json",
    "evals_after.csv",
    SCREENSHOTS[0],
    SCREENSHOTS[1],
    SCREENSHOTS[2],
    "report.json",
];

/// How many of what, in words: `1 game`, `2 games`.
pub fn counted(n: impl Into<u64>, noun: &str) -> String {
    match n.into() {
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}

/// The bytes of a JSON file: indented, in the order of the fields, with a line feed at the end.
pub fn json<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    let bytes = serde_json::to_vec_pretty(value).expect("plain data with string keys always serialises");
    let mut bytes = harmless_json(bytes);
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_no_plural() {
        assert_eq!([0u32, 1, 2].map(|n| counted(n, "edit")), ["0 edits", "1 edit", "2 edits"]);
    }
}

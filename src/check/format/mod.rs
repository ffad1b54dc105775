//! What `check` found, as bytes: one small pure writer a format.

pub mod concise;
pub mod full;
pub mod github;
pub mod ndjson;
pub mod sarif;

use super::record::SummaryRecord;
use crate::{
    examine::Examined,
    sheet::{Source, Span},
};

/// How findings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The line of the score with a caret under the fault, the reason and the repair.
    Full,
    /// One line a finding: `file:line:column: error[PA101] reason`.
    Concise,
    /// One JSON object a game.
    Ndjson,
    /// SARIF 2.1.0.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
}

/// What is written for some games that follow each other in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// The bytes, but for the games' numbers.
    pub bytes: Vec<u8>,
    /// Where the number of the first, second, ... of the games belongs; empty where a format has none.
    pub holes: Vec<usize>,
}

/// One game that was proved clean at first sight.
#[derive(Clone, Copy, Debug)]
pub struct CleanGame<'a> {
    /// First line in the file, from 1.
    pub line: usize,
    /// First byte in the file.
    pub offset: usize,
    /// The text that `moves` counts in.
    pub text: &'a [u8],
    /// The moves, canonical as they stand.
    pub moves: &'a [Span],
    /// The result in tag and terminator.
    pub result: &'static str,
    /// What the rules say of the last position.
    pub board: Option<&'static str>,
}

impl Format {
    /// Whether clean games leave a trace.
    pub fn lists_clean_games(self) -> bool {
        self == Format::Ndjson
    }

    /// What stands before the first game of all.
    pub fn head(self) -> Vec<u8> {
        match self {
            Format::Sarif => sarif::head(),
            _ => vec![],
        }
    }

    /// Adds a clean game.
    pub fn clean(self, out: &mut Piece, file: &str, game: &CleanGame<'_>) {
        if self == Format::Ndjson {
            ndjson::clean(out, file, game);
        }
    }

    /// Adds a game that was read in full; `source` is the text that its spans count in.
    pub fn game(self, out: &mut Piece, file: &str, source: &Source, game: &Examined, coloured: bool) {
        match self {
            Format::Full => full::game(&mut out.bytes, file, source, game, coloured),
            Format::Concise => concise::game(&mut out.bytes, file, source, game),
            Format::Ndjson => ndjson::game(out, file, source, game),
            Format::Sarif => sarif::game(&mut out.bytes, file, source, game),
            Format::Github => github::game(&mut out.bytes, file, source, game),
        }
    }

    /// What stands between two pieces, neither of them empty.
    pub fn between(self) -> &'static [u8] {
        if self == Format::Sarif { b",\n" } else { b"" }
    }

    /// What stands behind the last game of all.
    pub fn foot(self, summary: &SummaryRecord) -> Vec<u8> {
        match self {
            Format::Ndjson => ndjson::summary(summary),
            Format::Sarif => sarif::foot(),
            _ => vec![],
        }
    }
}

//! One game from text to verdict: read, replayed and, where something is wrong, repaired.

use crate::{
    finding::{Finding, Severity},
    repair::Repair,
    sheet::Source,
};

/// What is asked for beyond the findings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Look for the game that was really played where the score cannot be replayed as written.
    pub repair: bool,
}

/// What the score says about its result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResultReading {
    /// The Result tag's text as it stands, `None` without such a tag.
    pub tag: Option<String>,
    /// What the terminator means, `None` where none is written.
    pub terminator: Option<String>,
    /// What the rules say of the last position: mate, stalemate or dead.
    pub board: Option<String>,
    /// The result that a careful person reads off the sheet.
    pub read: Option<String>,
}

/// Everything that `check` knows about one game.
#[derive(Clone, Debug)]
pub struct Examined {
    /// First line of the game in its file, from 1.
    pub line: usize,
    /// First byte of the game in its (transcribed) file.
    pub offset: usize,
    /// Written moves of the main line, unreadable ones included.
    pub plies_written: u32,
    /// Canonical SAN of the main line as read; as repaired where a repair was asked for and found.
    pub moves: Vec<String>,
    /// What is wrong, by place; spans count in the source that the game was read from.
    pub findings: Vec<Finding>,
    /// The result, as far as the score tells.
    pub result: ResultReading,
    /// The repair, where one was asked for and something needs one.
    pub repair: Option<Repair>,
}

impl Examined {
    /// The severest finding, `None` for a clean game.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|f| f.severity).max()
    }
}

/// All games of a piece of text.
pub fn slice(_source: &Source, _options: &Options) -> Vec<Examined> {
    vec![]
}

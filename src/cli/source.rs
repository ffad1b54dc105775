//! How a score came to be, as it is said on the command line.

use clap::ValueEnum;

use crate::repair::ScoreSource;

/// How a score came to be: it sets what may have gone wrong with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SourceName {
    /// As the text tells: clocks behind the moves mean an electronic board.
    #[default]
    Auto,
    /// Written by hand during the game.
    Sheet,
    /// Recorded by an electronic board.
    Board,
    /// Typed in from a clean score.
    Typed,
    /// Read off a picture by a program.
    Ocr,
}

impl SourceName {
    /// What was said, `None` where the text is to tell.
    pub fn said(self) -> Option<ScoreSource> {
        match self {
            SourceName::Auto => None,
            SourceName::Sheet => Some(ScoreSource::Sheet),
            SourceName::Board => Some(ScoreSource::Board),
            SourceName::Typed => Some(ScoreSource::Typed),
            SourceName::Ocr => Some(ScoreSource::Ocr),
        }
    }
}

//! How a score came to be, and what that says of the ways in which it goes wrong.

use super::Limits;

/// How a score came to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScoreSource {
    /// Written by hand during the game, and transcribed.
    #[default]
    Sheet,
    /// Recorded by an electronic board.
    Board,
    /// Typed in from a printed or a clean score.
    Typed,
    /// Read off a picture by a program.
    Ocr,
}

/// What a slip costs more, in nats, in what an electronic board has recorded: it reads no square as its neighbour, and what
/// it does send wrong (a piece knocked over, a move taken back) comes to about one entry in two thousand, while one
/// in thirty of a hand-written sheet is wrong.
const BOARD_SLIP: f32 = 4.0;
/// The same of lost, doubled and exchanged entries: a board sends every move once, in its order.
const BOARD_OPERATOR: f32 = 2.0;
/// `-ln` of the share of plies of a broadcast that are against the rules and stood: 51 of 3,426 games of the 2022 Olympiad
/// hold one, of about 80 plies each.
const BOARD_ILLEGAL: f32 = 8.6;
/// What kings put on centre squares cost behind the last move of a broadcast: most games end so.
const BOARD_SIGNAL: f32 = 1.0;
/// What a slip costs more where a score was typed in: about one entry in a hundred is wrong, not one in thirty.
const TYPED_SLIP: f32 = 1.2;
/// What a slip costs less where a program has read a picture: about one entry in twelve is wrong (TrOCR on
/// scoresheets reads 92 % of them right).
const OCR_SLIP: f32 = -0.9;

impl ScoreSource {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            ScoreSource::Sheet => "sheet",
            ScoreSource::Board => "board",
            ScoreSource::Typed => "typed",
            ScoreSource::Ocr => "ocr",
        }
    }

    /// The priors of scores that came to be so, out of those of hand-written sheets.
    pub fn priors(self, sheet: &Limits) -> Limits {
        let mut limits = sheet.clone();
        let slip = match self {
            ScoreSource::Sheet => 0.0,
            ScoreSource::Board => BOARD_SLIP,
            ScoreSource::Typed => TYPED_SLIP,
            ScoreSource::Ocr => OCR_SLIP,
        };
        let costs = &mut limits.costs;
        costs.slip += slip;
        costs.other += slip;
        costs.side += slip;
        if self == ScoreSource::Board {
            let set = &mut limits.search;
            for rate in [
                &mut set.insert,
                &mut set.insert_pair,
                &mut set.doubled,
                &mut set.spurious,
                &mut set.swap,
                &mut set.swap_own,
                &mut set.join,
            ] {
                *rate += BOARD_OPERATOR;
            }
            // What is dearer must not fall out of the search's sight.
            set.window += BOARD_SLIP;
            set.illegal = BOARD_ILLEGAL;
            set.signal = BOARD_SIGNAL;
        }
        limits
    }
}

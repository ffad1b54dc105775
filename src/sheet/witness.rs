//! What pgn-reader reads of the same game: the witness of what other programs see.

use std::ops::ControlFlow;

use pgn_reader::{Reader, SanPlus, Visitor};

use super::{Game, Source};

/// The main line of the first game that pgn-reader sees in this game's text, as it spells the moves; comments, variations
/// and what it cannot read are left out. How many games it takes the text for.
///
/// pgn-reader says nothing of what it drops: only a comparison shows it.
pub fn reads(source: &Source, game: &Game) -> (Vec<String>, usize) {
    let text = source.bytes(game.span);
    let mut reader = Reader::new(text);
    let (mut first, mut games) = (Vec::new(), 0);
    // An unclosed comment is an error to it: what it had until then counts as nothing read.
    while let Ok(Some(moves)) = reader.read_game(&mut Moves) {
        if games == 0 {
            first = moves;
        }
        games += 1;
    }
    (first, games)
}

struct Moves;

impl Visitor for Moves {
    type Tags = ();
    type Movetext = Vec<String>;
    type Output = Vec<String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, _tags: ()) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue(Vec::new())
    }

    fn san(&mut self, moves: &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        moves.push(san.san.to_string());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, moves: Self::Movetext) -> Self::Output {
        moves
    }
}

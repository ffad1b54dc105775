//! Kings that may have been put on the centre squares of an electronic board to signal the result.

use shakmaty::{Role, Square};

use super::Replay;
use crate::{
    finding::Finding,
    rules,
    sheet::{Game, Source, clocks::clocked, outcome},
};

/// The result that kings on these squares signal on a board: on light squares 1-0, on dark ones 0-1, one on each a draw.
pub fn signalled(squares: &[Square]) -> Option<&'static str> {
    let centre = |s: &Square| matches!(s, Square::D4 | Square::E4 | Square::D5 | Square::E5);
    if squares.is_empty() || !squares.iter().all(centre) {
        return None;
    }
    let light = squares.iter().filter(|s| s.is_light()).count();
    Some(match light {
        0 => "0-1",
        n if n == squares.len() => "1-0",
        _ => "1/2-1/2",
    })
}

/// A remark where the last moves of a board's score are legal ones of kings that signal the result which the tag has.
pub(super) fn check(source: &Source, game: &Game, replay: &Replay, findings: &mut Vec<Finding>) {
    let tag = game.tag("Result").and_then(outcome::parse);
    if replay.plies.len() < game.slots.len() || !clocked(source, game) {
        return;
    }
    let at_end = |n: usize| {
        let last = replay.plies.len().checked_sub(n).map(|from| &replay.plies[from..])?;
        let kings = last.iter().all(|played| played.mv.role() == Role::King && !played.mv.is_castle());
        let squares: Vec<Square> = last.iter().map(|played| played.mv.to()).collect();
        signalled(&squares).filter(|result| kings && Some(*result) == tag).map(|_| last)
    };
    let Some(last) = at_end(2).or_else(|| at_end(1)) else { return };
    let message = match last {
        [_, _] => {
            "the last two moves put the kings on the squares that signal the result to an electronic board; they may not have been played"
        }
        _ => {
            "the last move puts a king on a square that signals the result to an electronic board; it may not have been played"
        }
    };
    findings.push(super::of_slot(game, replay, last[0].slot, &rules::RESULT_SIGNAL, message.to_owned()));
}

//! Move numbers and columns against the count of moves.

use super::{Replay, count, of_slot};
use crate::{finding::Finding, rules, sheet::Game};

/// Findings where the numbering leaves the count: one at each place where it leaves it, none while it stays off.
pub(super) fn check(game: &Game, replay: &Replay, findings: &mut Vec<Finding>) {
    let (mut offset, mut turned) = (0i64, false);
    for (i, slot) in game.slots.iter().enumerate() {
        let Some(number) = slot.number else { continue };
        let (expected, side) = count(replay, i);
        let off = i64::from(number) - i64::from(expected);
        // A number without dots says nothing about the column, and Black's first move may stand behind a bare `1`.
        let column = slot.side.is_some_and(|s| s != side);
        if column != turned {
            turned = column;
            let message = format!(
                "by its number this is {}'s move, by count it is {}'s",
                slot.side.unwrap_or(side).fold_wb("White", "Black"),
                side.fold_wb("White", "Black")
            );
            if column {
                findings.push(of_slot(game, replay, i, &rules::WRONG_COLUMN, message));
            }
            offset = off;
            continue;
        }
        if off != offset {
            if off != 0 {
                let message = format!("move number {number} where {expected} is due");
                findings.push(of_slot(game, replay, i, &rules::WRONG_MOVE_NUMBER, message));
            }
            offset = off;
        }
    }
}

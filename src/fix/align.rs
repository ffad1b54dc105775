//! Which written entry stands for which move of the repaired game.

use std::collections::BTreeMap;

use crate::repair::{Op, Repair};

/// One step through the sheet: a written entry, a move of the repaired game, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aligned {
    /// Index of the written entry; `None` where a move is inserted.
    pub slot: Option<usize>,
    /// Index of the move in the repaired game; `None` where the entry is dropped or not explained.
    pub ply: Option<usize>,
    /// Index of the edit in the best reading; `None` where the move is played as written.
    pub edit: Option<usize>,
}

/// Steps through `slots` written entries along the edits of the best reading, in order.
///
/// An inserted move stands before the entry that it precedes. Entries from `unexplained_from` on have no ply.
pub fn align(slots: usize, repair: &Repair) -> Vec<Aligned> {
    let edits = &repair.best.edits;
    let explained = repair.unexplained_from.map_or(slots, |ply| (ply as usize).saturating_sub(1).min(slots));
    let mut steps = Vec::with_capacity(slots + 2);
    let mut ply = 0;
    // Of each written ply what is put in before it, and what is done to it.
    let (mut inserted, mut changed) = (BTreeMap::<u32, Vec<usize>>::new(), BTreeMap::new());
    for (i, edit) in edits.iter().enumerate() {
        match edit.op {
            Op::Tag => {}
            Op::Insert => inserted.entry(edit.written_ply).or_default().push(i),
            Op::Swap | Op::Substitute | Op::Delete | Op::Played => {
                changed.entry(edit.written_ply).or_insert(i);
                if let (Op::Swap, Some(other)) = (edit.op, edit.other_ply) {
                    changed.entry(other).or_insert(i);
                }
            }
        }
    }
    for slot in 0..=slots {
        let written = slot as u32 + 1;
        if slot <= explained {
            for &edit in inserted.get(&written).into_iter().flatten() {
                // Of a repair laid together from two rounds the moves may be fewer than its edits say.
                let there = ply < repair.best.moves.len();
                steps.push(Aligned { slot: None, ply: there.then_some(ply), edit: Some(edit) });
                ply += usize::from(there);
            }
        }
        if slot == slots {
            break;
        }
        let edit = changed.get(&written).copied();
        let dropped = edit.is_some_and(|e| edits[e].op == Op::Delete);
        let played = slot < explained && !dropped && ply < repair.best.moves.len();
        steps.push(Aligned { slot: Some(slot), ply: played.then_some(ply), edit });
        ply += usize::from(played);
    }
    steps
}

//! From a path of the lattice to edits that an arbiter can read.

use shakmaty::{Chess, Move, Position};

use super::{
    Edit, Op, Problem, Slot,
    channel::Sheet,
    entry::denoted,
    lattice::{Ending, Kind, Path},
    spell,
};
use crate::sheet::Span;

/// The changes that `path` makes to what is written.
pub(super) fn edits(problem: &Problem, slots: &[Slot], sheet: &mut Sheet, path: &Path) -> Vec<Edit> {
    let mut pos: Chess = problem.start.clone();
    let mut ply = 1u32;
    let mut out: Vec<Edit> = Vec::new();
    let mut moves = Vec::new();
    let sans = spell(&problem.start, &path.moves().collect::<Vec<_>>());
    let name = |ply: u32| sans.get(ply as usize - 1).cloned().unwrap_or_default();
    for (step, cost) in &path.steps {
        let entry = step.entry as usize;
        let played: Vec<Move> = step.moves().collect();
        let cost = f64::from(*cost);
        match step.kind {
            Kind::Match | Kind::Insert | Kind::InsertPair => {
                let (last, unwritten) = match played.split_last() {
                    Some((last, rest)) => (*last, rest),
                    None => continue,
                };
                for m in unwritten {
                    out.push(inserted(problem, slots, entry, ply, name(ply), cost));
                    pos.play_unchecked(*m);
                    ply += 1;
                }
                let slot = &slots[entry];
                if slot.missing {
                    out.push(inserted(problem, slots, entry, ply, name(ply), cost));
                } else {
                    moves.clear();
                    if let Some(p) = sheet.entries[entry].plain {
                        denoted(&pos, p, &mut moves);
                    }
                    if moves[..] != [last] && !(moves.is_empty() && sheet.abbreviates(&pos, entry, last)) {
                        let written = problem.cells[slot.cell].text.clone();
                        let reason =
                            substitution(&written, &name(ply), moves.len(), sheet.entries[entry].blank);
                        out.push(Edit {
                            op: Op::Substitute,
                            written_ply: slot.cell as u32 + 1,
                            ply,
                            other_ply: None,
                            written,
                            san: name(ply),
                            span: problem.cells[slot.cell].span,
                            cost,
                            reason,
                        });
                    }
                }
                pos.play_unchecked(last);
                ply += 1;
            }
            Kind::Delete | Kind::DeletePair => {
                for k in 0..step.kind.entries() {
                    let slot = &slots[entry + k];
                    if slot.missing {
                        continue;
                    }
                    let written = problem.cells[slot.cell].text.clone();
                    let twin = entry + k + step.kind.entries();
                    let reason = if twin < slots.len() && sheet.same(entry + k, twin) {
                        format!("{written} is written twice; the game goes on after one of them")
                    } else if sheet.entries[entry + k].blank {
                        "the box is empty and no move is missing".to_owned()
                    } else {
                        format!("{written} is no move of this game; without it the rest replays")
                    };
                    out.push(deleted(problem, slot.cell, ply, cost, reason));
                }
            }
            Kind::Swap | Kind::SwapOwn => {
                let other = entry + step.kind.entries() - 1;
                let (a, b) = (&slots[entry], &slots[other]);
                let (first, second) = (&problem.cells[a.cell].text, &problem.cells[b.cell].text);
                out.push(Edit {
                    op: Op::Swap,
                    written_ply: a.cell as u32 + 1,
                    ply,
                    other_ply: Some(b.cell as u32 + 1),
                    written: first.clone(),
                    san: name(ply),
                    span: problem.cells[a.cell].span,
                    cost,
                    reason: format!("{first} and {second} stand in each other's place"),
                });
                for m in played {
                    pos.play_unchecked(m);
                    ply += 1;
                }
            }
            Kind::Join => {
                for m in played {
                    let (a, b) = (&slots[entry], &slots[entry + 1]);
                    let (first, second) = (&problem.cells[a.cell], &problem.cells[b.cell]);
                    out.push(Edit {
                        op: Op::Substitute,
                        written_ply: a.cell as u32 + 1,
                        ply,
                        other_ply: None,
                        written: first.text.clone(),
                        san: name(ply),
                        span: first.span,
                        cost,
                        reason: format!("{} and {} are one move broken in two", first.text, second.text),
                    });
                    pos.play_unchecked(m);
                    ply += 1;
                    out.push(deleted(
                        problem,
                        b.cell,
                        ply,
                        0.0,
                        format!("{} belongs to {}", second.text, first.text),
                    ));
                }
            }
        }
    }
    if matches!(path.ending, Ending::Over | Ending::Signal) {
        for slot in slots[path.explained..].iter().filter(|s| !s.missing) {
            let reason = match path.ending {
                Ending::Over => "the game was over before it".to_owned(),
                _ => "kings on the centre squares are an electronic board's signal of the result".to_owned(),
            };
            out.push(deleted(problem, slot.cell, ply, 0.0, reason));
        }
    }
    out.sort_by_key(|e| e.ply);
    for i in 0..out.len() {
        let next = out.get(i + 1).map_or(sans.len() as u32 + 1, |e| e.ply);
        let count = next.saturating_sub(out[i].ply + 1);
        let follow = match count {
            0 => "the game goes on",
            1 => "the next move replays as written",
            n => &format!("the next {n} moves replay as written"),
        };
        out[i].reason = out[i].reason.replace("the moves that follow replay", follow);
    }
    out
}

fn substitution(written: &str, san: &str, denoted: usize, blank: bool) -> String {
    if blank {
        format!("the box is empty; {san} fits the moves that follow best")
    } else if denoted > 1 {
        format!("{written} does not say which piece moved; {san} fits the moves that follow best")
    } else if let Some((a, b)) = one_slip(written, san) {
        format!("{a} written for {b}: with {san} the moves that follow replay")
    } else {
        format!("{written} does not fit the game; with {san} the moves that follow replay")
    }
}

/// The characters in which two equally long entries differ, where it is one only.
fn one_slip(written: &str, san: &str) -> Option<(char, char)> {
    let (a, b) = (written.trim_end_matches(['+', '#']), san.trim_end_matches(['+', '#']));
    if a.chars().count() != b.chars().count() {
        return None;
    }
    let mut different = a.chars().zip(b.chars()).filter(|(x, y)| x != y);
    let first = different.next()?;
    different.next().is_none().then_some(first)
}

fn inserted(problem: &Problem, slots: &[Slot], entry: usize, ply: u32, san: String, cost: f64) -> Edit {
    let cell = slots[entry].cell;
    let at = problem.cells[cell].span.start;
    Edit {
        op: Op::Insert,
        written_ply: cell as u32 + 1,
        ply,
        other_ply: None,
        written: String::new(),
        reason: format!("a move is missing here; with {san} the moves that follow replay"),
        san,
        span: Span { start: at, end: at },
        cost,
    }
}

fn deleted(problem: &Problem, cell: usize, ply: u32, cost: f64, reason: String) -> Edit {
    Edit {
        op: Op::Delete,
        written_ply: cell as u32 + 1,
        ply,
        other_ply: None,
        written: problem.cells[cell].text.clone(),
        san: String::new(),
        span: problem.cells[cell].span,
        cost,
        reason,
    }
}

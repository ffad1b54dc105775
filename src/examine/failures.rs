//! Which written moves cannot be applied: the replay as written, each failure repaired before it goes on.

use shakmaty::{Chess, Move, san::San};

use crate::{
    fix::{Aligned, align},
    repair::{Op, Problem, Repair},
    replay::{self, RefusalKind, Replay},
    sheet::{
        Game,
        notation::{self, Form},
    },
};

/// A written move that cannot be applied, and the repair that lets the replay go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Written ply, from 1, of the first move that fails.
    pub ply: u32,
    /// What kind of failure.
    pub kind: RefusalKind,
    /// Why, in chess terms.
    pub reason: String,
    /// The position that it fails in.
    pub position: Chess,
    /// The move played before it.
    pub last: Option<Move>,
    /// Indices of the edits of the best reading that cure it; none where nothing does.
    pub edits: Vec<usize>,
}

/// Plays the written moves; where one fails, the edits that cure that failure are carried out first.
///
/// Edits that belong together (a doubled pair, a lost pair, moves after the end) cure one failure. An edit
/// without which the replay gets as far is no failure's cure; where only several together help, they are one
/// failure's.
pub fn failures(game: &Game, replay: &Replay, problem: &Problem, repair: &Repair) -> Vec<Failure> {
    let forms: Vec<Form> = game
        .slots
        .iter()
        .map(|slot| if slot.blank { Form::Blank } else { notation::parse(&slot.written, replay.letters) })
        .collect();
    walked(problem, repair, |position, slot| {
        replay::resolve(position, &forms[slot], &game.slots[slot].written).map_err(|r| (r.kind, r.reason))
    })
}

/// [`failures`], where `resolve` plays the written entry with this index.
fn walked<R>(problem: &Problem, repair: &Repair, resolve: R) -> Vec<Failure>
where
    R: Fn(&Chess, usize) -> Result<Move, (RefusalKind, String)>,
{
    let walk = Walk { problem, repair, steps: align(problem.cells.len(), repair), resolve };
    let mut pending = groups(repair);
    let mut applied = vec![false; repair.best.edits.len()];
    let mut found = Vec::new();
    while let Some(stop) = walk.first_failure(&applied) {
        let Stop { slot, kind, reason, position, last } = stop;
        let ply = slot as u32 + 1;
        let mut failure = Failure { ply, kind, reason, position, last, edits: Vec::new() };
        let due = pending.iter().take_while(|g| repair.best.edits[g[0]].written_ply <= ply).count();
        let due = if walk.explains(slot) { due } else { 0 };
        if due == 0 {
            found.push(failure);
            break;
        }
        let reach = |group: &[usize]| {
            let mut trial = applied.clone();
            group.iter().for_each(|&e| trial[e] = true);
            walk.first_failure(&trial).map_or(usize::MAX, |stop| stop.slot)
        };
        let single =
            (0..due).map(|i| (reach(&pending[i]), i)).filter(|(to, _)| *to > slot).max_by_key(|(to, i)| {
                // The one that goes furthest; of equals the one nearest to the failure.
                (*to, *i)
            });
        let cure: Vec<Vec<usize>> = match single {
            Some((_, i)) => vec![pending.remove(i)],
            None => pending.drain(..due).collect(),
        };
        failure.edits = cure.concat();
        failure.edits.iter().for_each(|&e| applied[e] = true);
        found.push(failure);
    }
    found
}

/// Where a replay stops.
struct Stop {
    slot: usize,
    kind: RefusalKind,
    reason: String,
    position: Chess,
    last: Option<Move>,
}

struct Walk<'a, R> {
    problem: &'a Problem,
    repair: &'a Repair,
    steps: Vec<Aligned>,
    resolve: R,
}

impl<R> Walk<'_, R>
where
    R: Fn(&Chess, usize) -> Result<Move, (RefusalKind, String)>,
{
    /// The first written entry that fails while the edits marked in `applied` are carried out.
    fn first_failure(&self, applied: &[bool]) -> Option<Stop> {
        let mut position = self.problem.start.clone();
        let mut last = None;
        for (i, step) in self.steps.iter().enumerate() {
            let repaired = step.edit.is_some_and(|e| applied[e]);
            let mv = match (step.slot, step.ply) {
                (_, Some(ply)) if repaired => self.repaired(&position, ply, step.edit),
                (_, None) if repaired => continue,
                (None, _) => continue,
                (Some(slot), _) => (self.resolve)(&position, slot),
            };
            let played = mv.and_then(|mv| match replay::play_unproven(&position, mv) {
                Some(after) => Ok((mv, after)),
                None => Err((RefusalKind::Illegal, "the board has no room for it".to_owned())),
            });
            match played {
                Ok((mv, after)) => {
                    position = after;
                    last = Some(mv);
                }
                Err((kind, reason)) => {
                    let slot = self.steps[i..].iter().find_map(|s| s.slot);
                    let slot = slot.or_else(|| self.problem.cells.len().checked_sub(1))?;
                    return Some(Stop { slot, kind, reason, position, last });
                }
            }
        }
        None
    }

    /// The move of the repaired game, where the position (not all edits may be in) allows it.
    fn repaired(
        &self,
        position: &Chess,
        ply: usize,
        edit: Option<usize>,
    ) -> Result<Move, (RefusalKind, String)> {
        if edit.is_some_and(|e| self.repair.best.edits[e].op == Op::Played) {
            return Ok(self.repair.best.moves[ply]);
        }
        let san = &self.repair.best.sans[ply];
        let legal = san.parse::<San>().ok().and_then(|san| san.to_move(position).ok());
        legal.ok_or_else(|| (RefusalKind::Illegal, format!("{san} cannot be played here")))
    }

    fn explains(&self, slot: usize) -> bool {
        self.repair.unexplained_from.is_none_or(|from| (slot as u32) + 1 < from)
    }
}

/// The edits of the best reading, those that are one repair together.
fn groups(repair: &Repair) -> Vec<Vec<usize>> {
    let edits = &repair.best.edits;
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (i, edit) in edits.iter().enumerate().filter(|(_, e)| e.op != Op::Tag) {
        let joins = groups.last().and_then(|g| g.last()).is_some_and(|&last| {
            let last = &edits[last];
            last.op == edit.op
                && match edit.op {
                    Op::Delete => edit.written_ply == last.written_ply + 1,
                    Op::Insert => edit.written_ply == last.written_ply,
                    Op::Swap => last.other_ply.is_some_and(|other| edit.written_ply == other + 1),
                    Op::Substitute | Op::Played | Op::Tag => false,
                }
        });
        match groups.last_mut() {
            Some(group) if joins => group.push(i),
            _ => groups.push(vec![i]),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        repair::{Cell, sample::repair},
        sheet::Span,
    };

    fn problem(written: &str) -> Problem {
        let cells = written.split(' ').map(|text| Cell {
            text: text.to_owned(),
            number: None,
            side: None,
            span: Span::new(0, 0),
        });
        Problem { start: Chess::default(), first_number: 1, cells: cells.collect(), result: None }
    }

    fn resolve(problem: &Problem) -> impl Fn(&Chess, usize) -> Result<Move, (RefusalKind, String)> {
        |position, slot| {
            let text = &problem.cells[slot].text;
            let san: San = text.parse().map_err(|_| (RefusalKind::Unreadable, "no move".to_owned()))?;
            san.to_move(position).map_err(|e| (RefusalKind::Illegal, e.to_string()))
        }
    }

    fn found(written: &str, played: &str, edits: &[(Op, u32, Option<u32>)]) -> Vec<(u32, Vec<usize>)> {
        let problem = problem(written);
        let failures = walked(&problem, &repair(played, edits), resolve(&problem));
        failures.into_iter().map(|f| (f.ply, f.edits)).collect()
    }

    #[test]
    fn each_failure_is_repaired_before_the_replay_goes_on() {
        let edits = [(Op::Substitute, 3, None), (Op::Substitute, 6, None)];
        let records = found("e4 e5 Nf9 Nc6 Bb5 a9", "e4 e5 Nf3 Nc6 Bb5 a6", &edits);
        assert_eq!(records, [(3, vec![0]), (6, vec![1])]);
    }

    #[test]
    fn an_earlier_legal_move_can_be_the_cause() {
        let records = found(
            "e3 e5 Nf3 Nc6 e5",
            "e4 d5 Nf3 Nc6 e5",
            &[(Op::Substitute, 1, None), (Op::Substitute, 2, None)],
        );
        assert_eq!(records, [(5, vec![0, 1])], "neither edit alone lets e5 be played");
        let records = found("e3 d5 Nf3 Nc6 e5", "e4 d5 Nf3 Nc6 e5", &[(Op::Substitute, 1, None)]);
        assert_eq!(records, [(5, vec![0])]);
    }

    #[test]
    fn a_doubled_pair_is_one_record() {
        let edits = [(Op::Delete, 3, None), (Op::Delete, 4, None)];
        let records = found("e4 e5 Nf3 Nc6 Nf3 Nc6 Bb5", "e4 e5 Nf3 Nc6 Bb5", &edits);
        assert_eq!(records, [(5, vec![0, 1])]);
    }

    #[test]
    fn a_lost_pair_and_a_swap() {
        let edits = [(Op::Insert, 3, None), (Op::Insert, 3, None)];
        assert_eq!(found("e4 e5 Bb5 a6 Bxc6", "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6", &edits), [(5, vec![0, 1])]);
        let swap = [(Op::Swap, 1, Some(3))];
        assert_eq!(found("Nxe5 e5 Nf3", "Nf3 e5 Nxe5", &swap), [(1, vec![0])]);
    }

    #[test]
    fn what_nothing_explains_ends_the_list() {
        let mut repair = repair("e4 e5", &[]);
        repair.unexplained_from = Some(3);
        let problem = problem("e4 e5 Qh9 Rh8 Ka9");
        let found = walked(&problem, &repair, resolve(&problem));
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].ply, found[0].kind), (3, RefusalKind::Unreadable));
        assert!(found[0].edits.is_empty());
    }
}

//! Where a refusal comes from: every single change on the way to it, tried against all entries in between.

use shakmaty::{Chess, Move, Position};

use super::{Kind, NONE, Search, Step, key};
use crate::repair::entry::{Sign, denoted};
use crate::repair::prior::Context;

/// What an entry after the refusal that fits speaks for a change, in nats.
const CONFIRMED: f32 = 0.6;
/// How many entries after a refusal are asked.
const WITNESSES: usize = 16;

/// A change that lets the refused entry fit.
struct Cause {
    /// Nats that it costs more than the way that was refused.
    more: f32,
    /// The node at which it happens.
    from: u32,
    /// The change.
    step: Step,
    /// The moves from there up to the refused entry.
    line: Vec<Move>,
}

impl Search<'_> {
    /// Whether the entries from `entry` up to and with `target` fit as written; the moves are left in `line`.
    fn replays(&self, pos: &Chess, entry: usize, target: usize, line: &mut Vec<Move>) -> bool {
        let mut pos = pos.clone();
        let mut moves = Vec::new();
        let depth = line.len();
        for at in entry..=target {
            let e = &self.sheet.entries[at];
            if let Some(plain) = e.plain {
                denoted(&pos, plain, &mut moves);
            }
            let fits = |after: &Chess| {
                let check = after.is_check();
                !((e.sign != Sign::None && !check)
                    || (e.sign == Sign::None && check && self.sheet.channel.sign(e, true, false) > 3.0))
            };
            match moves[..] {
                [] => {
                    line.truncate(depth);
                    return false;
                }
                [m] => {
                    pos.play_unchecked(m);
                    line.push(m);
                    if !fits(&pos) {
                        line.truncate(depth);
                        return false;
                    }
                }
                _ => {
                    for &m in moves.iter().take(3) {
                        let mut after = pos.clone();
                        after.play_unchecked(m);
                        line.push(m);
                        if fits(&after) && self.replays(&after, at + 1, target, line) {
                            return true;
                        }
                        line.pop();
                    }
                    line.truncate(depth);
                    return false;
                }
            }
            moves.clear();
        }
        true
    }

    /// How many entries from `entry` on fit as written, one after the other; at most [`WITNESSES`].
    fn reach(&self, mut pos: Chess, entry: usize, moves: &mut Vec<Move>) -> usize {
        let entries = self.sheet.entries.iter().skip(entry).take(WITNESSES);
        let mut count = 0;
        for e in entries {
            let Some(plain) = e.plain else { break };
            denoted(&pos, plain, moves);
            let Some(&m) = moves.first() else { break };
            pos.play_unchecked(m);
            if e.sign != Sign::None && !pos.is_check() {
                break;
            }
            count += 1;
        }
        count
    }

    /// Tries every single change before the refusal of entry `layer` at node `id`. What a change costs more than the way
    /// that was refused tells the likeliest ones.
    pub(super) fn look_back(&mut self, id: u32, layer: usize, pairs: usize) {
        let n = self.sheet.entries.len();
        let limit = self.set.window;
        let mut found: Vec<Cause> = Vec::new();
        let mut line = Vec::new();
        let mut moves = Vec::new();
        let mut at = id;
        // The cost of the refused way at the layer after the one that is looked at.
        let mut next = self.nodes[id as usize].cost;
        loop {
            let (pos, context, cost, j, best) = {
                let node = &mut self.nodes[at as usize];
                (node.pos.clone(), node.context, node.cost, node.layer as usize, node.best)
            };
            if layer - j > self.set.lookback {
                break;
            }
            let deep = layer - j <= pairs;
            let thorough = if deep { 2 } else { 1 };
            // What was tried from here for an earlier refusal failed before that refusal or is in the lattice.
            if self.nodes[at as usize].probed < thorough {
                self.nodes[at as usize].probed = thorough;
                for i in self.menu_of(at) {
                    let c = self.choices[i];
                    let mut after = pos.clone();
                    after.play_unchecked(c.mv);
                    let more = cost + c.nats + self.price(j, i) - next;
                    if j < layer && more < limit {
                        let covered = self.keys[j + 1]
                            .get(&key(&after))
                            .is_some_and(|&k| self.nodes[k as usize].expanded);
                        line.clear();
                        if !covered && self.replays(&after, j + 1, layer, &mut line) {
                            let step = Step::new(Kind::Match, j, &[c.mv]);
                            found.push(Cause { more, from: at, step, line: line.clone() });
                        }
                    }
                    let more = self.set.insert + c.nats;
                    line.clear();
                    if more < limit && self.replays(&after, j, layer, &mut line) {
                        let m = line.remove(0);
                        let step = Step::new(Kind::Insert, j, &[c.mv, m]);
                        found.push(Cause { more, from: at, step, line: line.clone() });
                    }
                    let more = self.set.insert_pair + c.nats;
                    if deep && more + 1.0 < limit {
                        self.lost_pairs(at, &after, context.after(c.mv), (j, layer), c.mv, more, &mut found);
                    }
                }
                let more = cost + self.sheet.delete_cost(&self.set, j) - next;
                line.clear();
                if j < layer && more < limit && self.replays(&pos, j + 1, layer, &mut line) {
                    let step = Step::new(Kind::Delete, j, &[]);
                    found.push(Cause { more, from: at, step, line: line.clone() });
                }
                let swaps: [(usize, &[usize]); 2] = [(1, &[1, 0]), (2, &[2, 1, 0])];
                for (span, order) in swaps {
                    if j + span >= n || self.sheet.same(j, j + span) {
                        continue;
                    }
                    let mut after = pos.clone();
                    let mut played = Vec::new();
                    for &o in order {
                        let Some(p) = self.sheet.entries[j + o].plain else { break };
                        denoted(&after, p, &mut moves);
                        let [m] = moves[..] else { break };
                        after.play_unchecked(m);
                        played.push(m);
                    }
                    line.clear();
                    if played.len() == order.len() && self.replays(&after, j + span + 1, layer, &mut line) {
                        let kind = if span == 1 { Kind::Swap } else { Kind::SwapOwn };
                        let more = if span == 1 { self.set.swap } else { self.set.swap_own };
                        let step = Step::new(kind, j, &played);
                        found.push(Cause { more, from: at, step, line: line.clone() });
                    }
                }
            }
            if best == NONE {
                break;
            }
            next = cost;
            at = self.arcs[best as usize].from;
        }
        // A change that the entries after the refusal confirm is worth more than one that they do not.
        for f in &mut found {
            let mut after = self.nodes[f.from as usize].pos.clone();
            f.step.moves().chain(f.line.iter().copied()).for_each(|m| after.play_unchecked(m));
            f.more -= CONFIRMED * self.reach(after, layer + 1, &mut moves) as f32;
        }
        found.sort_by(|a, b| a.more.total_cmp(&b.more));
        found.truncate(self.set.causes);
        for cause in found {
            self.inject(cause.from, cause.step, &cause.line, layer);
        }
    }

    /// Lost pairs that begin with `first`, after which all entries from `span.0` to `span.1` fit.
    #[expect(clippy::too_many_arguments, reason = "one inner loop of the search, given a name")]
    fn lost_pairs(
        &mut self,
        from: u32,
        after: &Chess,
        context: Context,
        span: (usize, usize),
        first: Move,
        more: f32,
        found: &mut Vec<Cause>,
    ) {
        let known = found.len();
        let mut line = Vec::new();
        for &second in &after.legal_moves() {
            let mut later = after.clone();
            later.play_unchecked(second);
            line.clear();
            if self.replays(&later, span.0, span.1, &mut line) {
                let m = line.remove(0);
                let step = Step::new(Kind::InsertPair, span.0, &[first, second, m]);
                found.push(Cause { more, from, step, line: line.clone() });
            }
        }
        if found.len() > known {
            self.expanded += 1;
            self.prior.menu(after, context, self.set.prior, &mut self.menu);
            for f in &mut found[known..] {
                let second = f.step.moves[1];
                f.more += self.menu.iter().find(|x| Some(x.mv) == second).map_or(0.0, |x| x.nats);
            }
        }
    }

    /// Enters a found line into the lattice: nodes up to `layer`, then proposals for the layers to come.
    fn inject(&mut self, from: u32, step: Step, line: &[Move], layer: usize) {
        let (mut at, mut step) = (from, step);
        let mut rest = line.iter();
        loop {
            let (mut pos, mut context, mut cost, j) = {
                let node = &self.nodes[at as usize];
                (node.pos.clone(), node.context, node.cost, node.layer as usize)
            };
            let before = cost;
            cost += match step.kind {
                Kind::Match => 0.0,
                Kind::Insert => self.set.insert,
                Kind::InsertPair => self.set.insert_pair,
                Kind::Delete => self.sheet.delete_cost(&self.set, j),
                Kind::DeletePair => self.set.doubled + 0.5,
                Kind::Swap => self.set.swap,
                Kind::SwapOwn => self.set.swap_own,
                Kind::Join => self.set.join,
            };
            for (k, m) in step.moves().enumerate() {
                let entry = match step.kind {
                    Kind::Insert if k == 0 => None,
                    Kind::InsertPair if k < 2 => None,
                    Kind::Swap => Some(j + 1 - k),
                    Kind::SwapOwn => Some(j + 2 - k),
                    _ => Some(j),
                };
                cost += self.hidden(&pos, context, m, entry);
                pos.play_unchecked(m);
                context = context.after(m);
            }
            let target = j + step.kind.entries();
            if target > layer {
                self.propose(cost, at, step);
                return;
            }
            let id = match self.keys[target].get(&key(&pos)) {
                Some(&id) => id,
                None => self.add_node(pos, context, target, cost),
            };
            self.add_arc(id, at, cost - before, step);
            if self.nodes[id as usize].expanded {
                return;
            }
            let Some(&m) = rest.next() else { return };
            at = id;
            step = Step::new(Kind::Match, target, &[m]);
        }
    }
}

//! Where a refusal comes from: every single change on the way to it, tried against all entries in between.

use shakmaty::{Chess, Move, Position};

use super::{Kind, NONE, Search, Step, key};
use crate::repair::entry::{Sign, denoted};

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

    /// Tries every single change before the refusal of entry `layer` at node `id`.
    pub(super) fn look_back(&mut self, id: u32, layer: usize, pairs: usize) {
        let n = self.sheet.entries.len();
        let target = (layer + 1).min(n - 1);
        let limit = self.nodes[id as usize].cost + self.set.window;
        let mut found: Vec<(f32, u32, Step, Vec<Move>)> = Vec::new();
        let mut line = Vec::new();
        let mut at = id;
        let mut moves = Vec::new();
        loop {
            let (pos, context, cost, j, best) = {
                let node = &mut self.nodes[at as usize];
                // What was tried from here for an earlier refusal failed before that refusal or is in the lattice.
                let probed = std::mem::replace(&mut node.probed, true);
                if probed {
                    if node.best == NONE {
                        break;
                    }
                    at = self.arcs[node.best as usize].from;
                    continue;
                }
                (node.pos.clone(), node.context, node.cost, node.layer as usize, node.best)
            };
            if layer - j > self.set.lookback {
                break;
            }
            let deep = layer - j <= pairs;
            for i in self.menu_of(at) {
                let c = self.choices[i];
                let mut after = pos.clone();
                after.play_unchecked(c.mv);
                let price = self.price(j, i);
                let total = cost + c.nats + price;
                if j < layer && total < limit {
                    let covered =
                        self.keys[j + 1].get(&key(&after)).is_some_and(|&k| self.nodes[k as usize].expanded);
                    line.clear();
                    if !covered && self.replays(&after, j + 1, target, &mut line) {
                        found.push((total, at, Step::new(Kind::Match, j, &[c.mv]), line.clone()));
                    }
                }
                let total = cost + self.set.insert + c.nats;
                line.clear();
                if total < limit && self.replays(&after, j, target, &mut line) {
                    let m = line.remove(0);
                    found.push((total, at, Step::new(Kind::Insert, j, &[c.mv, m]), line.clone()));
                }
                let so_far = cost + self.set.insert_pair + c.nats;
                if deep && so_far + 2.0 < limit && c.nats < 6.5 {
                    let legal = after.legal_moves();
                    let first_found = found.len();
                    for &d in &legal {
                        let mut later = after.clone();
                        later.play_unchecked(d);
                        line.clear();
                        if self.replays(&later, j, target, &mut line) {
                            let m = line.remove(0);
                            let step = Step::new(Kind::InsertPair, j, &[c.mv, d, m]);
                            found.push((so_far, at, step, line.clone()));
                        }
                    }
                    if found.len() > first_found {
                        self.expanded += 1;
                        self.prior.menu(&after, context.after(c.mv), self.set.prior, &mut self.menu);
                        for f in &mut found[first_found..] {
                            let second = f.2.moves[1];
                            f.0 += self.menu.iter().find(|x| Some(x.mv) == second).map_or(0.0, |x| x.nats);
                        }
                    }
                }
            }
            let total = cost + self.delete_cost(j);
            line.clear();
            if j < layer && total < limit && self.replays(&pos, j + 1, target, &mut line) {
                found.push((total, at, Step::new(Kind::Delete, j, &[]), line.clone()));
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
                if played.len() == order.len() && self.replays(&after, j + span + 1, target, &mut line) {
                    let kind = if span == 1 { Kind::Swap } else { Kind::SwapOwn };
                    let rate = if span == 1 { self.set.swap } else { self.set.swap_own };
                    found.push((cost + rate, at, Step::new(kind, j, &played), line.clone()));
                }
            }
            if best == NONE {
                break;
            }
            at = self.arcs[best as usize].from;
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, from, step, line) in found.into_iter().take(80) {
            self.inject(from, step, &line, layer);
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
                Kind::Delete => self.delete_cost(j),
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

//! The operators tried at every node of a layer.

use shakmaty::{Chess, Move, Position};

use super::{Ending, Kind, Search, Step};
use crate::repair::{entry::denoted, prior::Context};

impl Search<'_> {
    /// Puts forward every way of explaining what comes next in a layer.
    pub(super) fn advance(&mut self, layer: usize) {
        let mut order = self.layers[layer].clone();
        order.sort_by(|a, b| self.nodes[*a as usize].cost.total_cmp(&self.nodes[*b as usize].cost));
        let Some(&first) = order.first() else { return };
        let best = self.nodes[first as usize].cost;
        let rest = (self.sheet.entries.len() - layer) as f32;
        let mut failed = Vec::new();
        let mut moves = Vec::new();
        for (rank, &id) in order.iter().enumerate() {
            let cost = self.nodes[id as usize].cost;
            if self.menu_of(id).is_empty() {
                let end = (self.finale)(&self.nodes[id as usize].pos);
                self.ends.push((id, 4.0 + 6.0 * rest + end, Ending::Over));
                continue;
            }
            if !self.read(id, layer) {
                failed.push(id);
                if cost <= best + 1.0 {
                    self.alert = self.set.alert + 1;
                }
            }
            self.join(id, layer);
            self.delete(id, layer);
            let bound = best + self.set.window;
            if rank < 10 && cost + self.set.swap < bound {
                self.swap(id, layer, &mut moves);
                self.swap_own(id, layer, &mut moves);
            }
            if rank < 10 && cost + self.set.insert < bound {
                self.insert(id, layer, &mut moves);
            }
            if self.signal == Some(layer) {
                let end = (self.finale)(&self.nodes[id as usize].pos);
                self.ends.push((id, self.set.signal + end, Ending::Signal));
            }
            if rank < 2 {
                self.ends.push((id, self.set.stop + self.set.unexplained * rest, Ending::Unexplained));
            }
        }
        self.alert = self.alert.saturating_sub(1);
        self.ask_why(failed, layer, best);
    }

    /// Seeks the causes of the cheapest refusals of a layer.
    fn ask_why(&mut self, mut failed: Vec<u32>, layer: usize, best: f32) {
        let near = best + self.set.near;
        failed.retain(|&id| self.nodes[id as usize].cost <= near);
        for id in failed.into_iter().take(2) {
            if self.lookbacks < self.set.lookbacks {
                self.lookbacks += 1;
                let pairs = if self.nodes[id as usize].cost <= best + 1.5 { self.set.pairs } else { 0 };
                self.look_back(id, layer, pairs);
            }
        }
    }

    /// The entry as one move, whether well written or misread; tells whether any move fits it.
    fn read(&mut self, id: u32, layer: usize) -> bool {
        let cost = self.nodes[id as usize].cost;
        let mut fits = false;
        for i in self.menu_of(id) {
            let price = self.price(layer, i);
            fits |= price < 4.0;
            let c = self.choices[i];
            self.propose(cost + c.nats + price, id, Step::new(Kind::Match, layer, &[c.mv]));
        }
        fits
    }

    /// The entry and the next as one move.
    fn join(&mut self, id: u32, layer: usize) {
        let Some(e) = self.sheet.joined[layer].clone() else { return };
        let cost = self.nodes[id as usize].cost;
        for i in self.menu_of(id) {
            let c = self.choices[i];
            let price = self.sheet.channel.price(&e, self.shapes[i]).total()
                + self.sheet.channel.sign(&e, c.check, c.mate);
            if price < 5.0 {
                let total = cost + self.set.join + c.nats + price;
                self.propose(total, id, Step::new(Kind::Join, layer, &[c.mv]));
            }
        }
    }

    /// The entry, or a pair written twice, as no move.
    fn delete(&mut self, id: u32, layer: usize) {
        let cost = self.nodes[id as usize].cost;
        let deleted = cost + self.sheet.delete_cost(&self.set, layer);
        self.propose(deleted, id, Step::new(Kind::Delete, layer, &[]));
        let n = self.sheet.entries.len();
        if layer + 3 < n && self.sheet.same(layer, layer + 2) && self.sheet.same(layer + 1, layer + 3) {
            self.propose(cost + self.set.doubled + 0.5, id, Step::new(Kind::DeletePair, layer, &[]));
        }
    }

    /// The entry and the next in each other's place.
    fn swap(&mut self, id: u32, layer: usize, moves: &mut Vec<Move>) {
        if layer + 1 >= self.sheet.entries.len() || self.sheet.same(layer, layer + 1) {
            return;
        }
        let (Some(first), Some(second)) =
            (self.sheet.entries[layer + 1].plain, self.sheet.entries[layer].plain)
        else {
            return;
        };
        let (pos, context, cost) = self.place(id);
        let mut next = Vec::new();
        denoted(&pos, first, moves);
        for &a in moves.iter() {
            let mut after = pos.clone();
            after.play_unchecked(a);
            denoted(&after, second, &mut next);
            for &b in &next {
                let total = cost
                    + self.set.swap
                    + self.hidden(&pos, context, a, Some(layer + 1))
                    + self.hidden(&after, context.after(a), b, Some(layer));
                self.propose(total, id, Step::new(Kind::Swap, layer, &[a, b]));
            }
        }
    }

    /// The entry and the next of the same player in each other's place.
    fn swap_own(&mut self, id: u32, layer: usize, moves: &mut Vec<Move>) {
        if layer + 2 >= self.sheet.entries.len() || self.sheet.same(layer, layer + 2) {
            return;
        }
        let [Some(third), Some(second), Some(first)] = [0, 1, 2].map(|i| self.sheet.entries[layer + i].plain)
        else {
            return;
        };
        let (pos, context, cost) = self.place(id);
        let (mut next, mut last) = (Vec::new(), Vec::new());
        denoted(&pos, first, moves);
        for &a in moves.iter() {
            let mut after = pos.clone();
            after.play_unchecked(a);
            denoted(&after, second, &mut next);
            for &b in &next {
                let mut later = after.clone();
                later.play_unchecked(b);
                denoted(&later, third, &mut last);
                for &c in &last {
                    let between = context.after(a);
                    let total = cost
                        + self.set.swap_own
                        + self.hidden(&pos, context, a, Some(layer + 2))
                        + self.hidden(&after, between, b, Some(layer + 1))
                        + self.hidden(&later, between.after(b), c, Some(layer));
                    self.propose(total, id, Step::new(Kind::SwapOwn, layer, &[a, b, c]));
                }
            }
        }
    }

    /// A move without an entry, after which the next entry fits as written.
    fn insert(&mut self, id: u32, layer: usize, moves: &mut Vec<Move>) {
        let Some(plain) = self.sheet.entries[layer].plain else { return };
        let (pos, context, cost) = self.place(id);
        for i in self.menu_of(id) {
            let c = self.choices[i];
            let so_far = cost + self.set.insert + c.nats;
            if so_far > self.floor[layer + 1] + self.set.window {
                continue;
            }
            let mut after = pos.clone();
            after.play_unchecked(c.mv);
            denoted(&after, plain, moves);
            for &m in moves.iter() {
                let total = so_far + self.hidden(&after, context.after(c.mv), m, Some(layer));
                self.propose(total, id, Step::new(Kind::Insert, layer, &[c.mv, m]));
            }
        }
    }

    /// Position, moves before and cost of a node.
    fn place(&self, id: u32) -> (Chess, Context, f32) {
        let node = &self.nodes[id as usize];
        (node.pos.clone(), node.context, node.cost)
    }
}

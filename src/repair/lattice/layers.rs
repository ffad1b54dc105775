//! Layers filled: steps put forward, and the cheapest of them made arcs between nodes.

use shakmaty::{Chess, Position};

use super::{Arc, Candidate, NONE, Node, Search, Step, key};
use crate::repair::prior::Context;

impl Search<'_> {
    pub(super) fn add_node(&mut self, pos: Chess, context: Context, layer: usize, cost: f32) -> u32 {
        let id = self.nodes.len() as u32;
        self.keys[layer].insert(key(&pos), id);
        self.layers[layer].push(id);
        self.nodes.push(Node {
            pos,
            context,
            layer: layer as u32,
            cost,
            best: NONE,
            arcs: NONE,
            menu: (0, 0),
            expanded: false,
            probed: 0,
        });
        id
    }

    pub(super) fn add_arc(&mut self, to: u32, from: u32, cost: f32, step: Step) {
        let mut at = self.nodes[to as usize].arcs;
        while at != NONE {
            let a = &self.arcs[at as usize];
            if a.from == from && a.step.kind == step.kind && a.step.moves == step.moves {
                return;
            }
            at = a.next;
        }
        let id = self.arcs.len() as u32;
        let total = self.nodes[from as usize].cost + cost;
        let node = &mut self.nodes[to as usize];
        self.arcs.push(Arc { from, next: node.arcs, cost, step });
        node.arcs = id;
        if node.best == NONE || total < node.cost {
            node.best = id;
            node.cost = total;
        }
    }

    /// Puts a step forward for the layer that it leads to.
    pub(super) fn propose(&mut self, cost: f32, from: u32, step: Step) {
        let target = self.nodes[from as usize].layer as usize + step.kind.entries();
        if target >= self.floor.len() || cost > self.floor[target] + self.set.window {
            return;
        }
        self.floor[target] = self.floor[target].min(cost);
        let extra = cost - self.nodes[from as usize].cost;
        self.pending[target].push(Candidate { cost, extra, from, step });
    }

    /// Makes nodes of a layer out of the cheapest steps that lead to it.
    pub(super) fn admit(&mut self, layer: usize) {
        let mut candidates = std::mem::take(&mut self.pending[layer]);
        candidates.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        let limit = self.floor[layer] + self.set.window;
        let width = if self.alert > 0 { self.set.width } else { self.set.calm };
        for c in candidates.into_iter().take(4 * width) {
            if c.cost > limit {
                break;
            }
            let from = &self.nodes[c.from as usize];
            let (mut pos, mut context) = (from.pos.clone(), from.context);
            for m in c.step.moves() {
                pos.play_unchecked(m);
                context = context.after(m);
            }
            let k = key(&pos);
            let id = match self.keys[layer].get(&k) {
                Some(&id) => id,
                None if self.layers[layer].len() < width => self.add_node(pos, context, layer, c.cost),
                None => continue,
            };
            self.add_arc(id, c.from, c.extra, c.step);
        }
    }
}

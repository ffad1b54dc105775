//! The best paths of a finished lattice, cheapest first, and the probability of all together.

use std::{cmp::Ordering, collections::BinaryHeap};

use super::{Ending, Found, NONE, Path, Search};

impl Search<'_> {
    /// Forward costs exactly, then the best paths backward.
    pub(super) fn finish(mut self) -> Found {
        let n = self.sheet.entries.len();
        for &id in &self.layers[n] {
            self.ends.push((id, (self.finale)(&self.nodes[id as usize].pos), Ending::Whole));
        }
        let count = self.nodes.len();
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_by_key(|&id| (self.nodes[id as usize].layer, id));
        let mut least = vec![f64::INFINITY; count];
        let mut sum = vec![f64::NEG_INFINITY; count];
        for id in order {
            let node = &self.nodes[id as usize];
            if node.layer == 0 && id == 0 {
                least[0] = 0.0;
                sum[0] = 0.0;
                continue;
            }
            let mut at = node.arcs;
            let (mut low, mut logs) = (f64::INFINITY, f64::NEG_INFINITY);
            while at != NONE {
                let a = &self.arcs[at as usize];
                low = low.min(least[a.from as usize] + f64::from(a.cost));
                logs = log_add(logs, sum[a.from as usize] - f64::from(a.cost));
                at = a.next;
            }
            least[id as usize] = low;
            sum[id as usize] = logs;
        }
        let mut total = f64::NEG_INFINITY;
        let mut heap = BinaryHeap::new();
        // A tail is one arc more than the tail that it points to.
        let mut tails: Vec<(u32, u32)> = Vec::new();
        for (i, &(id, cost, _)) in self.ends.iter().enumerate() {
            total = log_add(total, sum[id as usize] - f64::from(cost));
            heap.push(Open {
                total: least[id as usize] + f64::from(cost),
                so_far: f64::from(cost),
                node: id,
                tail: NONE,
                end: i as u32,
            });
        }
        let mut paths: Vec<Path> = Vec::new();
        let mut games: Vec<u64> = Vec::new();
        let mut pops = 0;
        while let Some(open) = heap.pop() {
            pops += 1;
            if pops > 60_000
                || paths.len() >= 400
                || paths.first().is_some_and(|p| open.total > p.cost + 14.0)
            {
                break;
            }
            if open.node == 0 {
                let mut steps = Vec::new();
                let mut at = open.tail;
                while at != NONE {
                    let (arc, next) = tails[at as usize];
                    let a = &self.arcs[arc as usize];
                    steps.push((a.step, a.cost));
                    at = next;
                }
                let (end, _, ending) = self.ends[open.end as usize];
                let explained = self.nodes[end as usize].layer as usize;
                let path = Path { cost: open.total, steps, ending, explained };
                let signature = path.moves().fold(u64::from(ending == Ending::Unexplained), |h, m| {
                    (h.rotate_left(7)
                        ^ (m.from().map_or(0, |s| s as u64) << 9
                            | (m.to() as u64) << 3
                            | m.promotion().map_or(0, |r| r as u64)))
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                });
                if !games.contains(&signature) {
                    if games.len() >= self.set.games {
                        break;
                    }
                    games.push(signature);
                }
                paths.push(path);
                continue;
            }
            let mut at = self.nodes[open.node as usize].arcs;
            while at != NONE {
                let a = &self.arcs[at as usize];
                let so_far = open.so_far + f64::from(a.cost);
                tails.push((at, open.tail));
                heap.push(Open {
                    total: so_far + least[a.from as usize],
                    so_far,
                    node: a.from,
                    tail: tails.len() as u32 - 1,
                    end: open.end,
                });
                at = a.next;
            }
        }
        Found { paths, total: -total, expanded: self.expanded }
    }
}

fn log_add(a: f64, b: f64) -> f64 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    if low == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
}

struct Open {
    total: f64,
    so_far: f64,
    node: u32,
    tail: u32,
    end: u32,
}

impl PartialEq for Open {
    fn eq(&self, other: &Open) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Open {
    fn cmp(&self, other: &Open) -> Ordering {
        other.total.total_cmp(&self.total).then(other.node.cmp(&self.node)).then(other.tail.cmp(&self.tail))
    }
}

//! Least-cost search over (written entry, position); knows nothing of text.
//!
//! Layer `i` holds the positions reached when the first `i` entries are explained. An arc explains one to three entries
//! by zero to three moves. Layers are beams; positions that agree are one node, whatever led to them. Where a node finds
//! no move for the next entry, every single change anywhere on the way to it is tried against all entries in between
//! (the cause of a refusal lies often plies before it), so that a late discovery does not depend on the beam's width.

mod causes;
mod known;
mod paths;

pub use known::price_of;

use shakmaty::{Chess, EnPassantMode, Move, Position, zobrist::Zobrist64};

use super::channel::{Shape, Sheet, shapes};
use super::entry::denoted;
use super::prior::{Choice, Context, Prior};
use super::table::Table;

/// How one arc explains entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One entry, one move: as written or misread.
    Match,
    /// A move without an entry, then one entry.
    Insert,
    /// Two moves without entries, then one entry.
    InsertPair,
    /// An entry that is no move.
    Delete,
    /// Two entries that are no moves.
    DeletePair,
    /// Two neighbouring entries in each other's place.
    Swap,
    /// Two entries of one player in each other's place, one of the other player's between.
    SwapOwn,
    /// One move broken into two entries.
    Join,
}

impl Kind {
    /// How many entries it explains.
    pub fn entries(self) -> usize {
        match self {
            Kind::Match | Kind::Insert | Kind::InsertPair | Kind::Delete => 1,
            Kind::DeletePair | Kind::Swap | Kind::Join => 2,
            Kind::SwapOwn => 3,
        }
    }
}

/// One way of explaining the next entries.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// How.
    pub kind: Kind,
    /// The first entry explained.
    pub entry: u32,
    moves: [Option<Move>; 3],
}

impl Step {
    fn new(kind: Kind, entry: usize, moves: &[Move]) -> Step {
        let mut m = [None; 3];
        for (slot, &mv) in m.iter_mut().zip(moves) {
            *slot = Some(mv);
        }
        Step { kind, entry: entry as u32, moves: m }
    }

    /// The moves played.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves.iter().flatten().copied()
    }
}

/// Rates of the operators in nats, and how far the search goes.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Weight of the prior: below 1 because what makes one move unlikely (a piece left hanging) makes its neighbours
    /// unlikely too, and counts once only.
    pub prior: f32,
    /// Positions kept in a layer soon after a refusal.
    pub width: usize,
    /// Positions kept in a layer where all is well.
    pub calm: usize,
    /// For how many layers after a refusal the beam stays wide.
    pub alert: usize,
    /// Hypotheses costlier than a layer's best by this many nats are dropped.
    pub window: f32,
    /// How many entries back a cause is sought.
    pub lookback: usize,
    /// Below a layer's best only this far, in nats, is a cause sought.
    pub near: f32,
    /// How many entries back a lost pair is sought.
    pub pairs: usize,
    /// How many causes of one refusal are followed.
    pub causes: usize,
    /// How many searches for a cause in all.
    pub lookbacks: usize,
    /// How many distinct games are returned at most.
    pub games: usize,
    /// A move that is not written.
    pub insert: f32,
    /// A pair of moves that is not written.
    pub insert_pair: f32,
    /// An entry written twice.
    pub doubled: f32,
    /// An entry that is no move of the game.
    pub spurious: f32,
    /// A blank that is no move of the game.
    pub no_blank: f32,
    /// Neighbours exchanged.
    pub swap: f32,
    /// Entries of one player exchanged.
    pub swap_own: f32,
    /// A move broken in two.
    pub join: f32,
    /// To stop explaining.
    pub stop: f32,
    /// For each entry that is left unexplained.
    pub unexplained: f32,
    /// For the game to end where the rules do not end it (result says mate etc.): a contradiction.
    pub contradiction: f32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            prior: 0.65,
            width: 80,
            calm: 30,
            alert: 12,
            window: 15.0,
            lookback: 60,
            near: 4.0,
            pairs: 36,
            causes: 80,
            lookbacks: 40,
            games: 12,
            insert: 6.8,
            insert_pair: 7.4,
            doubled: 6.8,
            spurious: 11.0,
            no_blank: 3.5,
            swap: 7.4,
            swap_own: 7.4,
            join: 5.0,
            stop: 10.0,
            unexplained: 6.5,
            contradiction: 5.0,
        }
    }
}

/// How a hypothesis ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every entry is explained.
    Whole,
    /// The game is over by the rules; entries follow.
    Over,
    /// The remaining entries are kings put on centre squares.
    Signal,
    /// Nothing plausible was found for the rest.
    Unexplained,
}

/// One path through the lattice.
#[derive(Clone, Debug)]
pub struct Path {
    /// Nats.
    pub cost: f64,
    /// The steps in order.
    pub steps: Vec<(Step, f32)>,
    /// How it ends.
    pub ending: Ending,
    /// The first entry (from 0) that no step explains.
    pub explained: usize,
}

impl Path {
    /// The moves played.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.steps.iter().flat_map(|(s, _)| s.moves.iter().flatten().copied())
    }
}

/// What the search found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The best paths, cheapest first; several may play the same game.
    pub paths: Vec<Path>,
    /// `-ln` of the summed probability of all paths of the lattice.
    pub total: f64,
    /// Positions expanded.
    pub expanded: usize,
}

struct Arc {
    from: u32,
    next: u32,
    cost: f32,
    step: Step,
}

struct Node {
    pos: Chess,
    context: Context,
    layer: u32,
    cost: f32,
    best: u32,
    arcs: u32,
    menu: (u32, u32),
    expanded: bool,
    /// How thoroughly causes were sought from here: not at all, single changes, lost pairs too.
    probed: u8,
}

struct Candidate {
    cost: f32,
    extra: f32,
    from: u32,
    step: Step,
}

const NONE: u32 = u32::MAX;

struct Search<'a> {
    sheet: &'a mut Sheet,
    prior: &'a Prior,
    set: Settings,
    nodes: Vec<Node>,
    arcs: Vec<Arc>,
    layers: Vec<Vec<u32>>,
    keys: Vec<Table<u32>>,
    pending: Vec<Vec<Candidate>>,
    floor: Vec<f32>,
    choices: Vec<Choice>,
    shapes: Vec<Shape>,
    menu: Vec<Choice>,
    scratch: Vec<Shape>,
    ends: Vec<(u32, f32, Ending)>,
    expanded: usize,
    lookbacks: usize,
    alert: usize,
    signal: Option<usize>,
    finale: &'a dyn Fn(&Chess) -> f32,
}

/// Finds the cheapest ways of explaining the sheet from `start`. `signal` is the entry from which on only kings on centre
/// squares follow; `finale` prices the last position against the sheet's result.
pub fn search(
    sheet: &mut Sheet,
    prior: &Prior,
    start: &Chess,
    set: Settings,
    signal: Option<usize>,
    finale: &dyn Fn(&Chess) -> f32,
) -> Found {
    let n = sheet.entries.len();
    let mut s = Search {
        sheet,
        prior,
        set,
        nodes: Vec::new(),
        arcs: Vec::new(),
        layers: vec![Vec::new(); n + 1],
        keys: vec![Table::default(); n + 1],
        pending: (0..=n).map(|_| Vec::new()).collect(),
        floor: vec![f32::INFINITY; n + 1],
        choices: Vec::new(),
        shapes: Vec::new(),
        menu: Vec::new(),
        scratch: Vec::new(),
        ends: Vec::new(),
        expanded: 0,
        lookbacks: 0,
        alert: 0,
        signal,
        finale,
    };
    s.add_node(start.clone(), Context::default(), 0, 0.0);
    for layer in 0..=n {
        s.admit(layer);
        if layer < n {
            s.advance(layer);
        }
    }
    s.finish()
}

fn key(pos: &Chess) -> u64 {
    pos.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

impl Sheet {
    /// The price of an entry that is no move.
    fn delete_cost(&self, set: &Settings, entry: usize) -> f32 {
        if self.entries[entry].blank {
            set.no_blank
        } else if entry + 1 < self.entries.len() && self.same(entry, entry + 1) {
            set.doubled
        } else {
            set.spurious
        }
    }
}

impl Search<'_> {
    fn add_node(&mut self, pos: Chess, context: Context, layer: usize, cost: f32) -> u32 {
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

    fn add_arc(&mut self, to: u32, from: u32, cost: f32, step: Step) {
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

    fn propose(&mut self, cost: f32, from: u32, step: Step) {
        let target = self.nodes[from as usize].layer as usize + step.kind.entries();
        if target >= self.floor.len() || cost > self.floor[target] + self.set.window {
            return;
        }
        self.floor[target] = self.floor[target].min(cost);
        let extra = cost - self.nodes[from as usize].cost;
        self.pending[target].push(Candidate { cost, extra, from, step });
    }

    fn admit(&mut self, layer: usize) {
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

    /// The legal moves of a node with prices of the prior; computed once.
    fn menu_of(&mut self, id: u32) -> std::ops::Range<usize> {
        let node = &mut self.nodes[id as usize];
        if !node.expanded {
            node.expanded = true;
            self.expanded += 1;
            self.prior.menu(&node.pos, node.context, self.set.prior, &mut self.menu);
            shapes(self.menu.iter().map(|c| c.mv), &mut self.scratch);
            let start = self.choices.len() as u32;
            self.choices.extend_from_slice(&self.menu);
            self.shapes.extend_from_slice(&self.scratch);
            node.menu = (start, self.choices.len() as u32);
        }
        node.menu.0 as usize..node.menu.1 as usize
    }

    fn price(&mut self, entry: usize, i: usize) -> f32 {
        let c = self.choices[i];
        self.sheet.channel.price(&self.sheet.entries[entry], self.shapes[i]).total()
            + self.sheet.channel.sign(&self.sheet.entries[entry], c.check, c.mate)
    }

    /// Cost of playing `m` from a position that is no node, written as `entry`; `None` for an unwritten move.
    fn hidden(&mut self, pos: &Chess, context: Context, m: Move, entry: Option<usize>) -> f32 {
        self.expanded += 1;
        self.prior.menu(pos, context, self.set.prior, &mut self.menu);
        let Some(i) = self.menu.iter().position(|c| c.mv == m) else { return f32::INFINITY };
        let c = self.menu[i];
        let mut cost = c.nats;
        if let Some(e) = entry {
            shapes(self.menu.iter().map(|c| c.mv), &mut self.scratch);
            cost += self.sheet.channel.price(&self.sheet.entries[e], self.scratch[i]).total()
                + self.sheet.channel.sign(&self.sheet.entries[e], c.check, c.mate);
        }
        cost
    }

    fn advance(&mut self, layer: usize) {
        let n = self.sheet.entries.len();
        let mut order = self.layers[layer].clone();
        order.sort_by(|a, b| self.nodes[*a as usize].cost.total_cmp(&self.nodes[*b as usize].cost));
        let Some(&first) = order.first() else { return };
        let best = self.nodes[first as usize].cost;
        let mut failed = Vec::new();
        let mut moves = Vec::new();
        for (rank, &id) in order.iter().enumerate() {
            let cost = self.nodes[id as usize].cost;
            let range = self.menu_of(id);
            if range.is_empty() {
                let rest = (n - layer) as f32;
                self.ends.push((
                    id,
                    4.0 + 6.0 * rest + (self.finale)(&self.nodes[id as usize].pos),
                    Ending::Over,
                ));
                continue;
            }
            let mut fits = false;
            for i in range.clone() {
                let price = self.price(layer, i);
                fits |= price < 4.0;
                let c = self.choices[i];
                self.propose(cost + c.nats + price, id, Step::new(Kind::Match, layer, &[c.mv]));
            }
            if !fits {
                failed.push(id);
                if cost <= best + 1.0 {
                    self.alert = self.set.alert + 1;
                }
            }
            if let Some(e) = self.sheet.joined[layer].clone() {
                for i in range.clone() {
                    let c = self.choices[i];
                    let price = self.sheet.channel.price(&e, self.shapes[i]).total()
                        + self.sheet.channel.sign(&e, c.check, c.mate);
                    if price < 5.0 {
                        let total = cost + self.set.join + c.nats + price;
                        self.propose(total, id, Step::new(Kind::Join, layer, &[c.mv]));
                    }
                }
            }
            self.propose(
                cost + self.sheet.delete_cost(&self.set, layer),
                id,
                Step::new(Kind::Delete, layer, &[]),
            );
            if layer + 3 < n && self.sheet.same(layer, layer + 2) && self.sheet.same(layer + 1, layer + 3) {
                self.propose(cost + self.set.doubled + 0.5, id, Step::new(Kind::DeletePair, layer, &[]));
            }
            let bound = best + self.set.window;
            if rank < 10 && layer + 1 < n && cost + self.set.swap < bound {
                self.exchange(id, layer, &mut moves);
            }
            if rank < 10 && cost + self.set.insert < bound {
                self.insert(id, layer, &mut moves);
            }
            if self.signal == Some(layer) {
                let end = (self.finale)(&self.nodes[id as usize].pos);
                self.ends.push((id, 9.0 + end, Ending::Signal));
            }
            if rank < 2 {
                let rest = (n - layer) as f32;
                self.ends.push((id, self.set.stop + self.set.unexplained * rest, Ending::Unexplained));
            }
        }
        self.alert = self.alert.saturating_sub(1);
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

    /// Exchanged neighbours and exchanged entries of one player.
    fn exchange(&mut self, id: u32, layer: usize, moves: &mut Vec<Move>) {
        let n = self.sheet.entries.len();
        let (pos, context, cost) = {
            let node = &self.nodes[id as usize];
            (node.pos.clone(), node.context, node.cost)
        };
        let mut second = Vec::new();
        let mut third = Vec::new();
        if let Some(plain) = self.sheet.entries[layer + 1].plain
            && !self.sheet.same(layer, layer + 1)
        {
            denoted(&pos, plain, moves);
            for &a in moves.iter() {
                let mut after = pos.clone();
                after.play_unchecked(a);
                if let Some(p) = self.sheet.entries[layer].plain {
                    denoted(&after, p, &mut second);
                    for &b in &second {
                        let total = cost
                            + self.set.swap
                            + self.hidden(&pos, context, a, Some(layer + 1))
                            + self.hidden(&after, context.after(a), b, Some(layer));
                        self.propose(total, id, Step::new(Kind::Swap, layer, &[a, b]));
                    }
                }
            }
        }
        if layer + 2 < n
            && !self.sheet.same(layer, layer + 2)
            && let (Some(p0), Some(p1), Some(p2)) = (
                self.sheet.entries[layer].plain,
                self.sheet.entries[layer + 1].plain,
                self.sheet.entries[layer + 2].plain,
            )
        {
            denoted(&pos, p2, moves);
            for &a in moves.iter() {
                let mut after = pos.clone();
                after.play_unchecked(a);
                denoted(&after, p1, &mut second);
                for &b in &second {
                    let mut later = after.clone();
                    later.play_unchecked(b);
                    denoted(&later, p0, &mut third);
                    for &c in &third {
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
    }

    /// A move without an entry, after which the next entry fits as written.
    fn insert(&mut self, id: u32, layer: usize, moves: &mut Vec<Move>) {
        let Some(plain) = self.sheet.entries[layer].plain else { return };
        let (pos, context, cost) = {
            let node = &self.nodes[id as usize];
            (node.pos.clone(), node.context, node.cost)
        };
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
}

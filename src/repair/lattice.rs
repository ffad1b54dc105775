//! Least-cost search over (written entry, position); knows nothing of text.
//!
//! Layer `i` holds the positions reached when the first `i` entries are explained. An arc explains one to three entries
//! by zero to three moves. Layers are beams; positions that agree are one node, whatever led to them. Where a node finds
//! no move for the next entry, every single change anywhere on the way to it is tried against all entries in between
//! (the cause of a refusal lies often plies before it), so that a late discovery does not depend on the beam's width.

mod causes;
mod known;
mod layers;
mod operators;
mod paths;
mod settings;
mod step;

pub use known::price_of;
pub use settings::Settings;
pub use step::{Kind, Step};

use shakmaty::{Chess, EnPassantMode, Move, Position, zobrist::Zobrist64};

use super::channel::{Shape, Sheet, shapes};
use super::prior::{Choice, Context, Prior};
use super::table::Table;

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

/// A step into a node; `next` is another one into the same node.
struct Arc {
    from: u32,
    next: u32,
    cost: f32,
    step: Step,
}

/// A position reached when the entries before its layer are explained.
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

/// A step put forward, with the cost of the way up to its end and its own.
struct Candidate {
    cost: f32,
    extra: f32,
    from: u32,
    step: Step,
}

/// No node, no arc.
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

impl Search<'_> {
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
}

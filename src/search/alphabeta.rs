//! The search of the built-in engine: iterative deepening, principal variation search, quiescence.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use shakmaty::{Bitboard, Chess, EnPassantMode, Move, MoveList, Position, zobrist::Zobrist64};

use super::{
    evaluate::evaluate,
    exchange,
    order::{Experience, KILLER_RANK, Packed, Ranked, is_quiet, pick},
    table::{Bound, Entry, Table, from_table, to_table},
};

/// Score of mate on the board; a mate in `n` plies scores `MATE - n`.
pub const MATE: i32 = 32_000;
/// Scores beyond this are mates.
pub const MATE_BOUND: i32 = MATE - 256;
/// The longest line.
pub const MAX_PLY: usize = 96;

const INFINITE: i32 = MATE + 1;

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Score from the mover's view: centipawns, or `±(MATE - plies)`.
    pub score: i32,
    /// Principal variation; empty only where there is no move.
    pub line: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
    /// What each depth said, from 1: score and first move.
    pub depths: Vec<(i32, Move)>,
}

/// One searcher with its memory; `generate` lists the legal moves of a position in any order.
pub struct Searcher<G> {
    pub(super) generate: G,
    pub(super) table: Table,
    pub(super) experience: Experience,
    pub(super) path: Vec<u64>,
    evals: [i32; MAX_PLY + 1],
    pub(super) lines: Vec<Vec<Move>>,
    pub(super) ranked: Vec<Vec<Ranked>>,
    pub(super) nodes: u64,
    root_depth: i32,
    interrupt: Arc<AtomicBool>,
    stopped: bool,
}

/// Nodes between two looks at the interrupt flag, less one: some milliseconds.
const LOOK: u64 = (1 << 12) - 1;

impl<G: FnMut(&Chess) -> MoveList> Searcher<G> {
    /// A searcher with a table of `2^table_bits` entries.
    pub fn new(table_bits: u32, generate: G) -> Searcher<G> {
        Searcher {
            generate,
            table: Table::new(table_bits),
            experience: Experience::default(),
            path: Vec::with_capacity(MAX_PLY + 1),
            evals: [0; MAX_PLY + 1],
            lines: vec![Vec::new(); MAX_PLY + 2],
            ranked: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            root_depth: 0,
            interrupt: Arc::default(),
            stopped: false,
        }
    }

    /// Has every search end soon once `flag` is up; what it then says is worth nothing.
    pub fn heed(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = flag;
    }

    /// Counts a node; tells whether the search is to end.
    pub(super) fn ends(&mut self) -> bool {
        if self.nodes & LOOK == 0 {
            self.stopped |= self.interrupt.load(Ordering::Relaxed);
        }
        self.nodes += 1;
        self.stopped
    }

    /// Positions visited by the last search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches `position` to `depth` plies with empty memory, so that the answer depends on the two alone.
    ///
    /// The halfmove clock is not looked at: the answer is the same whenever the position occurs.
    pub fn search(&mut self, position: &Chess, depth: u32) -> Found {
        self.table.clear();
        self.experience.clear();
        self.path.clear();
        self.nodes = 0;
        self.stopped = false;

        let key = hash(position);
        let mut found = Found { score: 0, line: Vec::new(), nodes: 0, depths: Vec::new() };
        for depth in 1..=(depth.clamp(1, 64) as i32) {
            self.root_depth = depth;
            found.score = self.aspire(position, key, depth, found.score);
            found.line.clone_from(&self.lines[0]);
            found.depths.extend(found.line.first().map(|&mv| (found.score, mv)));
            if self.stopped {
                break;
            }
        }
        found.nodes = self.nodes;
        found
    }

    /// Searches with a window around the last depth's score, widened until the score lies within.
    fn aspire(&mut self, position: &Chess, key: u64, depth: i32, last: i32) -> i32 {
        let mut margin = 25;
        let (mut alpha, mut beta) = if depth >= 5 && last.abs() < MATE_BOUND {
            (last - margin, last + margin)
        } else {
            (-INFINITE, INFINITE)
        };
        loop {
            let score = self.node(position, key, alpha, beta, depth, 0, false);
            if self.stopped {
                return score;
            }
            margin *= 3;
            if score <= alpha {
                alpha = if margin > 600 { -INFINITE } else { (last - margin).max(-INFINITE) };
            } else if score >= beta {
                beta = if margin > 600 { INFINITE } else { (last + margin).min(INFINITE) };
            } else {
                return score;
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn node(
        &mut self,
        position: &Chess,
        key: u64,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        may_pass: bool,
    ) -> i32 {
        self.lines[ply].clear();
        let root = ply == 0;
        let principal = beta - alpha > 1;
        let check = position.is_check();
        if check && ply < 2 * self.root_depth as usize {
            depth += 1;
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiesce(position, key, alpha, beta, ply);
        }
        if self.ends() {
            return 0;
        }

        if !root {
            if self.path.contains(&key) || position.is_insufficient_material() {
                return 0;
            }
            alpha = alpha.max(-MATE + ply as i32);
            beta = beta.min(MATE - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        let known = self.table.get(key);
        if let Some(entry) = known
            && !principal
            && i32::from(entry.depth) >= depth
        {
            let score = from_table(entry.score, ply);
            match entry.bound {
                Bound::Exact => return score,
                Bound::Lower if score >= beta => return score,
                Bound::Upper if score <= alpha => return score,
                _ => {}
            }
        }
        let known_best = known.map_or(Packed::NONE, |entry| entry.best);

        let eval = self.static_eval(position, check, known);
        self.evals[ply] = if check { -INFINITE } else { eval };
        let improving = !check && ply >= 2 && eval > self.evals[ply - 2];

        if !principal && !check && beta.abs() < MATE_BOUND {
            if depth <= 6 && eval - 90 * (depth - i32::from(improving)) >= beta {
                return eval;
            }
            if depth <= 2 && eval + 250 * depth <= alpha {
                let score = self.quiesce(position, key, alpha, alpha + 1, ply);
                if score <= alpha {
                    return score;
                }
            }
            if may_pass && depth >= 3 && eval >= beta && has_pieces(position) {
                let score = self.pass(position, key, beta, depth, ply, eval);
                if let Some(score) = score {
                    return score;
                }
            }
        }

        if depth >= 5 && known_best == Packed::NONE {
            depth -= 1;
        }

        let moves = (self.generate)(position);
        if moves.is_empty() {
            return if check { -MATE + ply as i32 } else { 0 };
        }
        let mut ranked = std::mem::take(&mut self.ranked[ply]);
        self.experience.rank(position, &moves, known_best, ply, &mut ranked);

        let mut best = -INFINITE;
        let mut best_move = Packed::NONE;
        let mut bound = Bound::Upper;
        let mut quiets_tried = [Packed::NONE; 64];
        let mut quiet_count = 0;
        self.path.push(key);
        for index in 0..ranked.len() {
            let chosen = pick(&mut ranked, index);
            let (mv, packed, rank) = (chosen.mv, chosen.packed(), chosen.rank());
            let quiet = is_quiet(mv);
            if !principal && !check && best > -MATE_BOUND && index > 0 {
                if quiet && rank < KILLER_RANK {
                    let late = 4 + depth * depth / if improving { 1 } else { 2 };
                    if depth <= 4 && quiet_count as i32 >= late {
                        continue;
                    }
                    if depth <= 5 && eval + 100 + 90 * depth <= alpha {
                        continue;
                    }
                }
                if depth <= 5 && rank < 0 {
                    let allowance = if quiet { -60 * depth } else { -25 * depth * depth };
                    if exchange::gain(position, mv) < allowance {
                        continue;
                    }
                }
            }

            let child_key = next_hash(position, key, mv);
            let mut child = position.clone();
            child.play_unchecked(mv);
            let child_key = child_key.unwrap_or_else(|| hash(&child));

            let mut score;
            if index == 0 {
                score = -self.node(&child, child_key, -beta, -alpha, depth - 1, ply + 1, true);
            } else {
                let mut reduction = 0;
                if depth >= 3 && index >= 2 + usize::from(root) && (quiet || rank < 0) && !check {
                    reduction = late_reduction(depth, index);
                    reduction -= i32::from(principal);
                    reduction += i32::from(!improving);
                    reduction -= i32::from(rank >= KILLER_RANK);
                    if quiet {
                        reduction -= (self.experience.of(position.turn(), packed) / 6000).clamp(-2, 2);
                    }
                    if child.is_check() {
                        reduction -= 1;
                    }
                    reduction = reduction.clamp(0, depth - 2);
                }
                let shallow = depth - 1 - reduction;
                score = -self.node(&child, child_key, -alpha - 1, -alpha, shallow, ply + 1, true);
                if score > alpha && reduction > 0 {
                    score = -self.node(&child, child_key, -alpha - 1, -alpha, depth - 1, ply + 1, true);
                }
                if score > alpha && score < beta {
                    score = -self.node(&child, child_key, -beta, -alpha, depth - 1, ply + 1, true);
                }
            }

            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = packed;
                    bound = Bound::Exact;
                    self.extend_line(ply, mv);
                    if score >= beta {
                        bound = Bound::Lower;
                        if quiet {
                            self.experience.reward(position.turn(), packed, ply, depth);
                            for &other in &quiets_tried[..quiet_count] {
                                self.experience.punish(position.turn(), other, depth);
                            }
                        }
                        break;
                    }
                }
            }
            if quiet && quiet_count < quiets_tried.len() {
                quiets_tried[quiet_count] = packed;
                quiet_count += 1;
            }
        }
        self.path.pop();
        self.ranked[ply] = ranked;
        self.table.put(Entry {
            key,
            best: best_move,
            score: to_table(best, ply),
            eval: eval as i16,
            depth: depth as i8,
            bound,
        });
        best
    }

    /// Lets the opponent move twice; a score that is still at least `beta` ends the node.
    fn pass(
        &mut self,
        position: &Chess,
        key: u64,
        beta: i32,
        depth: i32,
        ply: usize,
        eval: i32,
    ) -> Option<i32> {
        let passed = position.clone().swap_turn().ok()?;
        let reduction = 3 + depth / 4 + ((eval - beta) / 200).min(2);
        self.path.push(key);
        let child_key = hash(&passed);
        let score = -self.node(&passed, child_key, -beta, -beta + 1, depth - reduction, ply + 1, false);
        self.path.pop();
        if score < beta {
            return None;
        }
        let score = if score >= MATE_BOUND { beta } else { score };
        if depth < 8 {
            return Some(score);
        }
        // Zugzwang: deep nodes must hold without passing too.
        let verified = self.node(position, key, beta - 1, beta, depth - reduction, ply, false);
        (verified >= beta).then_some(score)
    }

    /// The static evaluation, from the table where it is known; none is needed in check.
    pub(super) fn static_eval(&self, position: &Chess, check: bool, known: Option<Entry>) -> i32 {
        match known {
            Some(entry) => i32::from(entry.eval),
            None if check => 0,
            None => evaluate(position),
        }
    }

    pub(super) fn extend_line(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.lines.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(mv);
        here[ply].extend_from_slice(&below[0]);
    }
}

fn has_pieces(position: &Chess) -> bool {
    let board = position.board();
    (position.us() & !board.pawns() & !board.kings()) != Bitboard::EMPTY
}

/// Plies that the `index`th move is searched less deeply: about `0.75 + ln(depth) ln(index) / 2.25`, in whole numbers.
fn late_reduction(depth: i32, index: usize) -> i32 {
    (192 + log2_64(depth as u32) * log2_64(index as u32) * 55 / 4096) / 256
}

/// 64 times the logarithm to base 2, linear between powers of two.
fn log2_64(n: u32) -> i32 {
    let whole = n.max(1).ilog2();
    let part = (n << 6 >> whole) as i32 - 64;
    whole as i32 * 64 + part
}

pub(super) fn hash(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

pub(super) fn next_hash(position: &Chess, key: u64, mv: Move) -> Option<u64> {
    position.update_zobrist_hash(Zobrist64(key), mv, EnPassantMode::Legal).map(|Zobrist64(key)| key)
}

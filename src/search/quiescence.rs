//! Quiescence: from the last ply of the search on only captures, promotions and answers to checks are played out.

use shakmaty::{Chess, MoveList, Position};

use super::{
    alphabeta::{MATE, MAX_PLY, Searcher, hash, next_hash},
    evaluate::evaluate,
    order::{Packed, is_quiet, pick, promise},
    table::{Bound, Entry, from_table, to_table},
};

/// What a capture must be able to bring beyond its own gain to be tried, centipawns.
const HOPE: i32 = 200;

impl<G: FnMut(&Chess) -> MoveList> Searcher<G> {
    /// Score from the mover's view once nothing hangs; the mover may decline every capture unless in check.
    pub(super) fn quiesce(
        &mut self,
        position: &Chess,
        key: u64,
        mut alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        self.lines[ply].clear();
        if self.ends() {
            return 0;
        }
        if self.path.contains(&key) || position.is_insufficient_material() {
            return 0;
        }
        if ply >= MAX_PLY {
            return evaluate(position);
        }
        let principal = beta - alpha > 1;
        let known = self.table.get(key);
        if let Some(entry) = known
            && !principal
        {
            let score = from_table(entry.score, ply);
            match entry.bound {
                Bound::Exact => return score,
                Bound::Lower if score >= beta => return score,
                Bound::Upper if score <= alpha => return score,
                _ => {}
            }
        }

        let check = position.is_check();
        let eval = self.static_eval(position, check, known);
        let mut best = -MATE + ply as i32;
        let mut bound = Bound::Upper;
        if !check {
            best = eval;
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }

        let mut moves = (self.generate)(position);
        if moves.is_empty() {
            return if check { best } else { 0 };
        }
        if !check {
            moves.retain(|mv| !is_quiet(*mv));
        }
        let known_best = known.map_or(Packed::NONE, |entry| entry.best);
        let mut ranked = std::mem::take(&mut self.ranked[ply]);
        self.experience.rank(position, &moves, known_best, ply, &mut ranked);
        let mut best_move = Packed::NONE;
        self.path.push(key);
        for index in 0..ranked.len() {
            let chosen = pick(&mut ranked, index);
            let (mv, packed, rank) = (chosen.mv, chosen.packed(), chosen.rank());
            if !check {
                if rank < 0 {
                    // Captures that lose material rank below zero, and so do all that follow.
                    break;
                }
                if eval + HOPE + promise(mv) <= alpha {
                    best = best.max(eval + HOPE + promise(mv));
                    continue;
                }
            }
            let child_key = next_hash(position, key, mv);
            let mut child = position.clone();
            child.play_unchecked(mv);
            let child_key = child_key.unwrap_or_else(|| hash(&child));
            let score = -self.quiesce(&child, child_key, -beta, -alpha, ply + 1);
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = packed;
                    bound = Bound::Exact;
                    self.extend_line(ply, mv);
                    if score >= beta {
                        bound = Bound::Lower;
                        break;
                    }
                }
            }
        }
        self.path.pop();
        self.ranked[ply] = ranked;
        self.table.put(Entry {
            key,
            best: best_move,
            score: to_table(best, ply),
            eval: eval as i16,
            depth: 0,
            bound,
        });
        best
    }
}

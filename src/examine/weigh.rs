//! Lets an engine weigh readings that the sheet alone hardly tells apart: under the wrong one, the moves that follow blunder.

use std::collections::HashMap;

use shakmaty::{Chess, Color, EnPassantMode, Move, Position, zobrist::Zobrist64};

use crate::repair::{Op, Reading, Repair, Verdict};
use crate::search::Engine;

/// Depth, in plies, at which the built-in engine looks.
pub const DEPTH: u32 = 10;
/// Readings that are compared.
const READINGS: usize = 4;
/// A reading this many times less likely than the best one is not compared.
const FAR: f64 = 25.0;
/// A best reading more probable than this stands.
const SURE: f64 = 0.9;
/// Plies that are looked at from the first one on at which the readings differ.
const PLIES: usize = 10;
/// Scores beyond this many centipawns are alike to a player.
const WON: i32 = 1200;
/// One move is charged at most this many centipawns.
const WORST: i32 = 600;
/// Nats for a hundred centipawns lost: between a half and one, more games with known faults are found than without.
pub const NATS: f64 = 1.0;

/// Weighs those readings of `repair` that change the same entries as the best one by what their moves lose in the eyes
/// of the built-in engine, `nats` for each hundred centipawns; the best may become another one of them. Probabilities
/// keep their sum.
///
/// No other reading is touched: a weak move is what an audit is to find, so an engine's opinion neither adds an edit nor
/// changes an entry that would be left alone without it. It makes nothing certain either.
pub fn weigh(start: &Chess, repair: &mut Repair, depth: u32, nats: f64) {
    if repair.verdict == Verdict::Unexplained || repair.best.probability > SURE {
        return;
    }
    let least = repair.best.probability / FAR;
    let changed = entries(&repair.best);
    let rivals = |r: &Reading| r.probability >= least && entries(r) == changed;
    let chosen: Vec<usize> = (0..repair.alternatives.len())
        .filter(|&i| rivals(&repair.alternatives[i]))
        .take(READINGS - 1)
        .collect();
    if chosen.is_empty() {
        return;
    }
    let mut compared = vec![repair.best.clone()];
    compared.extend(chosen.iter().map(|&i| repair.alternatives[i].clone()));
    let first = (0..compared[0].moves.len())
        .find(|&i| compared.iter().any(|r| r.moves[i] != compared[0].moves[i]))
        .unwrap_or(0);
    let mut judge = Judge { engine: Engine::default(), depth, known: HashMap::new() };
    let weights: Vec<f64> = compared
        .iter()
        .map(|r| r.probability * (-nats / 100.0 * f64::from(judge.loss(start, &r.moves, first))).exp())
        .collect();
    let (mass, sum) = (compared.iter().map(|r| r.probability).sum::<f64>(), weights.iter().sum::<f64>());
    if sum <= 0.0 {
        return;
    }
    for (reading, weight) in compared.iter_mut().zip(weights) {
        reading.probability = mass * weight / sum;
    }
    compared.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    repair.best = compared.remove(0);
    for (at, reading) in chosen.into_iter().zip(compared) {
        repair.alternatives[at] = reading;
    }
    repair.alternatives.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    let rival = repair.alternatives.first().map_or(0.0, |r| r.probability);
    repair.verdict = match Verdict::of(repair.best.probability, rival) {
        Verdict::Certain => Verdict::Likely,
        verdict => verdict,
    };
}

/// What a reading does to which written entries.
fn entries(reading: &Reading) -> Vec<(Op, u32, Option<u32>)> {
    reading.edits.iter().map(|edit| (edit.op, edit.written_ply, edit.other_ply)).collect()
}

struct Judge {
    engine: Engine,
    depth: u32,
    known: HashMap<u64, i32>,
}

impl Judge {
    /// Centipawns from White's view.
    fn score(&mut self, pos: &Chess) -> i32 {
        let key = pos.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
        if let Some(&score) = self.known.get(&key) {
            return score;
        }
        let score = self.engine.best(pos, self.depth).score.cp.clamp(-WON, WON);
        self.known.insert(key, score);
        score
    }

    /// Centipawns that the moves from `first` on lose, both sides together.
    fn loss(&mut self, start: &Chess, moves: &[Move], first: usize) -> i32 {
        let mut pos = start.clone();
        let mut sum = 0;
        let mut before = None;
        for (i, &m) in moves.iter().enumerate().take(first + PLIES) {
            if i >= first && before.is_none() {
                before = Some(self.score(&pos));
            }
            let side = pos.turn();
            pos.play_unchecked(m);
            if let Some(was) = before {
                let now = self.score(&pos);
                let lost = if side == Color::White { was - now } else { now - was };
                sum += lost.clamp(0, WORST);
                before = Some(now);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::san::San;

    fn reading(text: &str, probability: f64) -> Reading {
        let mut pos = Chess::default();
        let mut moves = Vec::new();
        for word in text.split_ascii_whitespace() {
            let m = word.parse::<San>().expect("SAN").to_move(&pos).expect("a legal move");
            pos.play_unchecked(m);
            moves.push(m);
        }
        let sans = text.split_ascii_whitespace().map(str::to_owned).collect();
        Reading { probability, moves, sans, edits: Vec::new() }
    }

    /// Under the likelier reading a knight can be taken for moves, and is not.
    fn weighed(hanging: f64, sound: f64) -> Repair {
        let mut repair = Repair {
            verdict: Verdict::Ambiguous,
            best: reading("e4 e5 Nf3 Nc6 Nxe5 Nf6 d3 d6", hanging),
            alternatives: vec![reading("e4 e5 Nf3 Nc6 Nc3 Nf6 d3 d6", sound)],
            unexplained_from: None,
        };
        weigh(&Chess::default(), &mut repair, 6, NATS);
        repair
    }

    #[test]
    fn a_reading_under_which_a_knight_hangs_for_moves_gives_way() {
        let repair = weighed(0.5, 0.4);
        assert_eq!(repair.best.sans[4], "Nc3");
        assert_eq!(repair.verdict, Verdict::Likely);
        let sum = repair.best.probability + repair.alternatives[0].probability;
        assert!((sum - 0.9).abs() < 1e-9, "{sum}");
    }

    #[test]
    fn an_opinion_makes_nothing_certain() {
        let repair = weighed(0.55, 0.449);
        assert!(repair.best.probability > 0.99, "{}", repair.best.probability);
        assert_eq!(repair.verdict, Verdict::Likely);
    }

    #[test]
    fn what_is_sure_stands() {
        assert_eq!(weighed(0.95, 0.04).best.sans[4], "Nxe5");
    }
}

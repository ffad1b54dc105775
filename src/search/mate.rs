//! Mates in one, two or three moves: proofs by exhaustive search, with every first move that forces them.
//!
//! Two predicates say whether a move forces mate: one searches likely moves first and drops what cannot matter, one is
//! the definition written down. A proof holds only where both agree on every first move.

use shakmaty::{Chess, Color, Move, Position, san::SanPlus};

use crate::engine::Evaluation;

/// The longest mate that is looked for, moves of the mating side.
pub const LONGEST: u32 = 3;

/// Positions that one proof may visit with each predicate, if the caller has no wish of its own.
pub const BUDGET: u64 = 4_000_000;

/// What exhaustive search says about a mate within so many moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateProof {
    /// The side to move mates whatever the other does.
    Proven {
        /// Moves of the mating side that it takes, the last one mating: the fewest possible.
        n: u32,
        /// Every first move that mates within `n`, in the order of their SAN.
        first_moves: Vec<Move>,
    },
    /// There is no such mate.
    Refuted,
    /// The budget ran out before either was certain.
    Unverifiable,
}

/// Looks for the shortest mate of the side to move in at most `n` moves (at most [`LONGEST`]).
///
/// `budget` bounds the positions visited by each of the two predicates.
pub fn prove(position: &Chess, n: u32, budget: u64) -> MateProof {
    let mut search = Solver { left: budget, refuters: [None; LONGEST as usize + 1] };
    let mut check = Definition { left: budget };
    for n in 1..=n.min(LONGEST) {
        let mut first_moves = Vec::new();
        for mv in position.legal_moves() {
            let (Some(found), Some(defined)) =
                (search.forces(position, mv, n), check.forces(position, mv, n))
            else {
                return MateProof::Unverifiable;
            };
            debug_assert_eq!(found, defined, "two readings of mate in {n} by {mv} differ");
            if found != defined {
                return MateProof::Unverifiable;
            }
            if found {
                first_moves.push(mv);
            }
        }
        if !first_moves.is_empty() {
            first_moves.sort_by_cached_key(|&mv| san(position, mv));
            return MateProof::Proven { n, first_moves };
        }
    }
    MateProof::Refuted
}

fn san(position: &Chess, mv: Move) -> String {
    SanPlus::from_move(position.clone(), mv).to_string()
}

fn after(position: &Chess, mv: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}

/// Mate by search: checks first, last mates must be checks, the reply that refuted the last try is tried first.
struct Solver {
    left: u64,
    refuters: [Option<Move>; LONGEST as usize + 1],
}

impl Solver {
    /// Whether `mv` leads to mate in at most `n` moves, itself counted; `None` when the budget is spent.
    fn forces(&mut self, position: &Chess, mv: Move, n: u32) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        let next = after(position, mv);
        let check = next.is_check();
        if n == 1 && !check {
            return Some(false);
        }
        let mut replies = next.legal_moves();
        if replies.is_empty() {
            return Some(check);
        }
        if n == 1 {
            return Some(false);
        }
        if let Some(refuter) = self.refuters[n as usize]
            && let Some(at) = replies.iter().position(|&reply| reply == refuter)
        {
            replies.swap(0, at);
        }
        for &reply in &replies {
            if !self.mates(&after(&next, reply), n - 1)? {
                self.refuters[n as usize] = Some(reply);
                return Some(false);
            }
        }
        Some(true)
    }

    fn mates(&mut self, position: &Chess, n: u32) -> Option<bool> {
        let moves = position.legal_moves();
        let (checks, quiets): (Vec<Move>, Vec<Move>) =
            moves.into_iter().partition(|&mv| after(position, mv).is_check());
        let quiets = if n == 1 { Vec::new() } else { quiets };
        for mv in checks.into_iter().chain(quiets) {
            if self.forces(position, mv, n)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

/// Mate by definition: some move, so that for every reply some move, so that ... it is mate.
struct Definition {
    left: u64,
}

impl Definition {
    fn forces(&mut self, position: &Chess, mv: Move, n: u32) -> Option<bool> {
        let plies = 2 * n - 1;
        Some(-self.value(&after(position, mv), plies - 1)? == 1)
    }

    /// 1: the mover has mated in so many plies, -1: the mover is mated, 0: neither.
    fn value(&mut self, position: &Chess, plies: u32) -> Option<i32> {
        self.left = self.left.checked_sub(1)?;
        if plies == 0 {
            return Some(if position.is_checkmate() { -1 } else { 0 });
        }
        if position.legal_moves().is_empty() {
            return Some(if position.is_check() { -1 } else { 0 });
        }
        let mut best = -1;
        for mv in position.legal_moves() {
            best = best.max(-self.value(&after(position, mv), plies - 1)?);
            // An odd number of plies left: the mating side is to move and wants 1; else the other, who is content with 0.
            if best >= (plies % 2) as i32 {
                break;
            }
        }
        Some(best)
    }
}

/// A mate that was on the board, or that an engine claimed to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mate {
    /// The ply, from 1, that could begin it; one more than there are moves for the last position.
    pub ply: u32,
    /// Who mates.
    pub side: Color,
    /// Moves that it takes: as proven, else as claimed.
    pub moves_to_mate: u32,
    /// SAN of every first move that forces it, sorted; empty unless proven.
    pub first_moves: Vec<String>,
    /// What the exhaustive search says.
    pub verdict: Verdict,
    /// The moves that the engine claimed, if it claimed a mate here.
    pub claimed: Option<u32>,
    /// Whether the move played is one of the first moves; `None` where no move was played or nothing is proven.
    pub kept: Option<bool>,
}

/// How far a [`Mate`] is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is there, and the first moves are complete.
    Proven,
    /// An engine claimed it, and there is no mate within so many moves.
    Refuted,
    /// An engine claimed it, and the budget did not suffice to say.
    Unverifiable,
}

/// Finds and proves the mates in at most [`LONGEST`] moves of a game.
///
/// `positions` are those before each move and after the last; `moves` are the moves between them; `evaluations`, where
/// an engine has spoken, belong to the positions in order (there may be fewer). Every position is looked at, claim or
/// no claim; `budget` is [`prove`]'s, for each of them. Where it does not suffice only a claim is worth a word.
pub fn mates(positions: &[Chess], moves: &[Move], evaluations: &[Evaluation], budget: u64) -> Vec<Mate> {
    let mut found = Vec::new();
    for (index, position) in positions.iter().enumerate() {
        let own = evaluations
            .get(index)
            .map(|evaluation| position.turn().fold_wb(evaluation.score.cp, -evaluation.score.cp));
        let claimed = own.and_then(claimed_mate).filter(|&n| n <= LONGEST);
        let proof = prove(position, LONGEST, budget);
        let (moves_to_mate, first_moves, verdict) = match (proof, claimed) {
            (MateProof::Proven { n, first_moves }, _) => (n, first_moves, Verdict::Proven),
            (MateProof::Refuted, Some(n)) => (n, Vec::new(), Verdict::Refuted),
            (MateProof::Unverifiable, Some(n)) => (n, Vec::new(), Verdict::Unverifiable),
            (_, None) => continue,
        };
        let kept = moves
            .get(index)
            .filter(|_| verdict == Verdict::Proven)
            .map(|played| first_moves.contains(played));
        found.push(Mate {
            ply: index as u32 + 1,
            side: position.turn(),
            moves_to_mate,
            first_moves: first_moves.iter().map(|&mv| san(position, mv)).collect(),
            verdict,
            claimed,
            kept,
        });
    }
    found
}

/// The moves to mate in a mover's score of `10000 - moves`.
fn claimed_mate(cp: i32) -> Option<u32> {
    (9001..10_000).contains(&cp).then_some((10_000 - cp) as u32)
}

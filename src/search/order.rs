//! One total order on the moves of a position, so that nothing depends on how a generator lists them.
//!
//! The move that the table knows comes first, then captures and promotions that lose nothing, then quiet moves that
//! refuted a sibling (killers), then quiet moves by how often they refuted anything (history), then losing captures.

use shakmaty::{Chess, Color, Move, Position, Role, Square};

use super::{alphabeta::MAX_PLY, exchange};

/// A move in sixteen bits: origin, target and promotion.
///
/// Within one position two different legal moves never share a number (castling is written as king takes own
/// rook), so the number both names the move in the transposition table and breaks ties between equal moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Packed(pub u16);

impl Packed {
    /// No move; the pair a1a1 that no legal move has.
    pub const NONE: Packed = Packed(0);

    /// The number of `mv`.
    pub fn of(mv: Move) -> Packed {
        let from = mv.from().unwrap_or(Square::A1).to_u32();
        let to = mv.to().to_u32();
        let promotion = mv.promotion().map_or(0, u32::from);
        Packed((from | to << 6 | promotion << 12) as u16)
    }
}

/// A move with what the search expects of it.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    /// The move.
    pub mv: Move,
    /// Its place in the total order: the rank above, its number below.
    key: i64,
}

impl Ranked {
    /// `mv` with its rank.
    pub fn new(mv: Move, packed: Packed, rank: i32) -> Ranked {
        Ranked { mv, key: i64::from(rank) << 16 | i64::from(packed.0) }
    }

    /// Higher is tried earlier.
    pub fn rank(self) -> i32 {
        (self.key >> 16) as i32
    }

    /// The move's number.
    pub fn packed(self) -> Packed {
        Packed(self.key as u16)
    }
}

/// Brings the best of `moves[from..]` to `from` and returns it: highest rank, then highest number.
pub fn pick(moves: &mut [Ranked], from: usize) -> Ranked {
    let mut best = from;
    for index in from + 1..moves.len() {
        if moves[index].key > moves[best].key {
            best = index;
        }
    }
    moves.swap(from, best);
    moves[from]
}

/// Rank of the second killer; quiet moves without merit rank below, everything before them above.
pub const KILLER_RANK: i32 = 1 << 20;
const KNOWN_RANK: i32 = 1 << 24;
const CAPTURE_RANK: i32 = 1 << 22;
const HISTORY_LIMIT: i32 = 16_384;

/// What a capture or promotion wins at once, centipawns.
pub fn promise(mv: Move) -> i32 {
    mv.capture().map_or(0, exchange::value)
        + mv.promotion().map_or(0, |role| exchange::value(role) - exchange::value(Role::Pawn))
}

/// Neither a capture nor a promotion to a queen.
pub fn is_quiet(mv: Move) -> bool {
    !mv.is_capture() && mv.promotion() != Some(Role::Queen)
}

/// What the search has learnt about quiet moves.
#[derive(Clone, Debug)]
pub struct Experience {
    history: Box<[[[i32; 64]; 64]; 2]>,
    killers: [[Packed; 2]; MAX_PLY + 1],
}

impl Default for Experience {
    fn default() -> Experience {
        Experience { history: Box::new([[[0; 64]; 64]; 2]), killers: [[Packed::NONE; 2]; MAX_PLY + 1] }
    }
}

impl Experience {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.history.as_flattened_mut().as_flattened_mut().fill(0);
        self.killers = [[Packed::NONE; 2]; MAX_PLY + 1];
    }

    /// Lists `moves` in `ranked` with what each promises.
    pub fn rank(
        &self,
        position: &Chess,
        moves: &[Move],
        known_best: Packed,
        ply: usize,
        ranked: &mut Vec<Ranked>,
    ) {
        let killers = self.killers[ply];
        ranked.clear();
        ranked.extend(moves.iter().map(|&mv| {
            let packed = Packed::of(mv);
            let rank = if packed == known_best {
                KNOWN_RANK
            } else if !is_quiet(mv) {
                let order = promise(mv) * 16 - exchange::value(mv.role()).min(2000) / 8;
                let loses = exchange::value(mv.role()) > promise(mv) && exchange::gain(position, mv) < 0;
                if loses { order - CAPTURE_RANK } else { order + CAPTURE_RANK }
            } else if packed == killers[0] {
                KILLER_RANK + 1
            } else if packed == killers[1] {
                KILLER_RANK
            } else {
                self.of(position.turn(), packed)
            };
            Ranked::new(mv, packed, rank)
        }));
    }

    /// How well a quiet move has done, within ±16384.
    pub fn of(&self, turn: Color, packed: Packed) -> i32 {
        let (from, to) = squares(packed);
        self.history[turn as usize][from][to]
    }

    /// A quiet move refuted its siblings' parent at `ply` with `depth` plies to go.
    pub fn reward(&mut self, turn: Color, packed: Packed, ply: usize, depth: i32) {
        let killers = &mut self.killers[ply];
        if killers[0] != packed {
            killers[1] = killers[0];
            killers[0] = packed;
        }
        self.note(turn, packed, bonus(depth));
    }

    /// A quiet move was tried before the one that refuted, and failed.
    pub fn punish(&mut self, turn: Color, packed: Packed, depth: i32) {
        self.note(turn, packed, -bonus(depth));
    }

    /// Moves the history of a quiet move by `amount`, less the nearer it is to its limit.
    fn note(&mut self, turn: Color, packed: Packed, amount: i32) {
        let (from, to) = squares(packed);
        let entry = &mut self.history[turn as usize][from][to];
        *entry += amount - *entry * amount.abs() / HISTORY_LIMIT;
    }
}

fn bonus(depth: i32) -> i32 {
    (depth * depth * 16).min(1600)
}

fn squares(packed: Packed) -> (usize, usize) {
    (usize::from(packed.0 & 63), usize::from(packed.0 >> 6 & 63))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    #[test]
    fn numbers_are_unique_in_a_position() {
        for fen in [
            "r3k2r/pP4pp/8/3pP3/8/8/PP4PP/R3K2R w KQkq d6 0 1",
            "2n1n3/3P4/8/8/8/7k/8/K2QQ3 w - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ] {
            let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let moves = position.legal_moves();
            let numbers: BTreeSet<Packed> = moves.iter().map(|&mv| Packed::of(mv)).collect();
            assert_eq!(numbers.len(), moves.len());
            assert!(!numbers.contains(&Packed::NONE));
        }
    }
}

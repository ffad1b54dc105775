//! One total order on the moves of a position, so that nothing depends on how a generator lists them.

use shakmaty::{Move, Square};

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
    /// Its number.
    pub packed: Packed,
    /// Higher is tried earlier.
    pub rank: i32,
}

/// Brings the best of `moves[from..]` to `from` and returns it: highest rank, then highest number.
pub fn pick(moves: &mut [Ranked], from: usize) -> Ranked {
    let mut best = from;
    for index in from + 1..moves.len() {
        if (moves[index].rank, moves[index].packed) > (moves[best].rank, moves[best].packed) {
            best = index;
        }
    }
    moves.swap(from, best);
    moves[from]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

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

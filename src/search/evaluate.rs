//! The static evaluation: weighted terms, tapered between opening and endgame, scaled down where material can't win.

use shakmaty::{Bitboard, Board, Chess, Color, Position};

use super::{
    exchange,
    terms::{self, FULL_PHASE, Tally, index},
    weights::WEIGHTS,
};

/// Scale of a score that stands as it is.
pub const FULL_SCALE: i32 = 64;

#[derive(Default)]
struct Sum {
    opening: i32,
    endgame: i32,
}

impl Tally for Sum {
    fn add(&mut self, term: usize, count: i32) {
        let (opening, endgame) = WEIGHTS[term];
        self.opening += i32::from(opening) * count;
        self.endgame += i32::from(endgame) * count;
    }
}

/// Centipawns from the mover's view, without looking a ply ahead.
///
/// The mirrored position (colours exchanged, board turned) has the same value.
pub fn evaluate(position: &Chess) -> i32 {
    let board = position.board();
    let mut sum = Sum::default();
    terms::walk(board, &mut sum);
    sum.add(index::TEMPO, position.turn().fold_wb(1, -1));
    let phase = terms::phase(board);
    let raw = (sum.opening * phase + sum.endgame * (FULL_PHASE - phase)) / FULL_PHASE;
    let stronger = if raw >= 0 { Color::White } else { Color::Black };
    let scaled = (raw * scale(board, stronger) / FULL_SCALE).clamp(-9000, 9000);
    position.turn().fold_wb(scaled, -scaled)
}

/// How much of an advantage of `stronger` counts, out of [`FULL_SCALE`].
///
/// Without pawns a minor piece more wins nothing; bishops of opposite colours alone halve the rest.
pub fn scale(board: &Board, stronger: Color) -> i32 {
    let mine = board.by_color(stronger);
    if (board.pawns() & mine).is_empty() {
        let (own, other) = (pieces(board, stronger), pieces(board, !stronger));
        if own - other <= exchange::value(shakmaty::Role::Bishop) {
            return if own < exchange::value(shakmaty::Role::Rook) { 0 } else { FULL_SCALE / 8 };
        }
    }
    let bishops = board.bishops();
    let only_bishops = (board.occupied() & !board.pawns() & !board.kings()) == bishops;
    let opposite = bishops.count() == 2
        && (bishops & board.white()).count() == 1
        && (bishops & Bitboard::LIGHT_SQUARES).count() == 1;
    if only_bishops && opposite { FULL_SCALE / 2 } else { FULL_SCALE }
}

fn pieces(board: &Board, side: Color) -> i32 {
    use shakmaty::Role::{Bishop, Knight, Queen, Rook};
    [Knight, Bishop, Rook, Queen]
        .into_iter()
        .map(|role| (board.by_role(role) & board.by_color(side)).count() as i32 * exchange::value(role))
        .sum()
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    #[test]
    fn a_piece_more_is_better() {
        let up = position("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert!(evaluate(&up) > 150, "{}", evaluate(&up));
        let down = position("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
        assert!(evaluate(&down) < -150, "{}", evaluate(&down));
    }

    #[test]
    fn lone_minor_pieces_win_nothing() {
        assert_eq!(evaluate(&position("4k3/8/8/8/8/8/8/3BK3 w - - 0 1")), 0);
        assert_eq!(evaluate(&position("4k3/p7/8/8/8/8/8/3NK3 b - - 0 1")).min(0), 0);
        let rook_against_bishop = evaluate(&position("4kb2/8/8/8/8/8/8/3RK3 w - - 0 1"));
        assert!((0..100).contains(&rook_against_bishop), "{rook_against_bishop}");
    }
}

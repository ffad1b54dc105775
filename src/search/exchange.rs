//! Static exchange evaluation: what a series of captures on one square wins.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role, Square};

/// What a piece counts for in an exchange, centipawns.
pub const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 950,
        Role::King => 20_000,
    }
}

/// Centipawns that the mover wins (negative: loses) by `mv`, if from then on both sides capture on its target square
/// with their least valuable piece as long as that pays.
///
/// Pieces behind sliders join in; pins are not looked at. A quiet move counts what is lost on its target square.
/// The swap-off algorithm as described at <https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>.
pub fn gain(position: &Chess, mv: Move) -> i32 {
    let (Some(from), false) = (mv.from(), mv.is_castle()) else {
        return 0;
    };
    let board = position.board();
    let target = mv.to();
    let mut occupied = board.occupied().without(from);
    if mv.is_en_passant() {
        occupied.discard(Square::from_coords(target.file(), from.rank()));
    }

    let mut gains = [0i32; 33];
    gains[0] = mv.capture().map_or(0, value);
    let mut standing = value(mv.role());
    if let Some(promotion) = mv.promotion() {
        gains[0] += value(promotion) - value(Role::Pawn);
        standing = value(promotion);
    }

    let mut side = !position.turn();
    let mut last = 0;
    while let Some((attacker, role)) = cheapest_attacker(board, target, side, occupied) {
        if role == Role::King && attackers(board, target, !side, occupied.without(attacker)).any() {
            break;
        }
        last += 1;
        gains[last] = standing - gains[last - 1];
        standing = value(role);
        if role == Role::Pawn && (Bitboard::BACKRANKS).contains(target) {
            gains[last] += value(Role::Queen) - value(Role::Pawn);
            standing = value(Role::Queen);
        }
        occupied.discard(attacker);
        side = !side;
    }
    while last > 0 {
        gains[last - 1] = -gains[last].max(-gains[last - 1]);
        last -= 1;
    }
    gains[0]
}

fn attackers(board: &Board, target: Square, side: Color, occupied: Bitboard) -> Bitboard {
    board.attacks_to(target, side, occupied) & occupied
}

fn cheapest_attacker(
    board: &Board,
    target: Square,
    side: Color,
    occupied: Bitboard,
) -> Option<(Square, Role)> {
    let all = attackers(board, target, side, occupied);
    if all.is_empty() {
        return None;
    }
    Role::ALL.into_iter().find_map(|role| (all & board.by_role(role)).first().map(|sq| (sq, role)))
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, uci::UciMove};

    use super::*;

    fn gain_of(fen: &str, uci: &str) -> i32 {
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let mv = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        gain(&position, mv)
    }

    #[test]
    fn takes_what_is_free() {
        assert_eq!(gain_of("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5"), 100);
    }

    #[test]
    fn counts_pieces_behind_sliders() {
        let fen = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1";
        assert_eq!(gain_of(fen, "d3e5"), 100 - 320);
    }

    #[test]
    fn stops_when_taking_back_does_not_pay() {
        // The rook takes a defended pawn and is lost for it; the pawn takes a defended knight and wins.
        assert_eq!(gain_of("4k3/8/3p4/4p3/8/8/4R3/4K3 w - - 0 1", "e2e5"), 100 - 500);
        assert_eq!(gain_of("4k3/8/3p4/4n3/3P4/8/8/4K3 w - - 0 1", "d4e5"), 320 - 100);
    }

    #[test]
    fn a_king_does_not_take_a_defended_piece() {
        assert_eq!(gain_of("8/8/8/3k4/4p3/8/4R3/4RK2 w - - 0 1", "e2e4"), 100);
        assert_eq!(gain_of("8/8/8/3k4/4p3/8/4R3/5K2 w - - 0 1", "e2e4"), 100 - 500);
    }

    #[test]
    fn promotion_and_en_passant() {
        assert_eq!(gain_of("3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q"), 500 + 850);
        assert_eq!(gain_of("3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8q"), 850 - 950);
        assert_eq!(gain_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), 100);
        assert_eq!(gain_of("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), 0);
    }
}

//! The one door to the board for a move that no check of its legality has passed.

use shakmaty::{Bitboard, CastlingSide, Chess, Move, Piece, Position, Rank, Role, Square, attacks};

/// The position after a move that may be against the rules; `None` where the board cannot hold it.
///
/// Kings' safety does not count here. What does: the piece stands where the move begins, nothing of its own side stands
/// where it ends, what is taken is there and is no king, a pawn on the last rank is promoted and nothing else is, and in
/// castling every square that king and rook pass or come to stand on is free but for the two.
pub fn play_unproven(pos: &Chess, mv: Move) -> Option<Chess> {
    possible(pos, mv).then(|| {
        let mut after = pos.clone();
        after.play_unchecked(mv);
        after
    })
}

fn possible(pos: &Chess, mv: Move) -> bool {
    let board = pos.board();
    let us = pos.turn();
    match mv {
        Move::Normal { role, from, capture, to, promotion } => {
            let last = matches!(to.rank(), Rank::First | Rank::Eighth);
            let becomes = promotion.is_none_or(|p| !matches!(p, Role::Pawn | Role::King));
            board.piece_at(from) == Some(Piece { color: us, role })
                && !board.by_color(us).contains(to)
                && board.role_at(to) == capture
                && capture != Some(Role::King)
                && promotion.is_some() == (role == Role::Pawn && last)
                && becomes
        }
        Move::EnPassant { from, to } => {
            board.piece_at(from) == Some(Piece { color: us, role: Role::Pawn })
                && pos.legal_ep_square() == Some(to)
                && attacks::pawn_attacks(us, from).contains(to)
        }
        Move::Castle { king, rook } => {
            board.piece_at(king) == Some(Piece { color: us, role: Role::King })
                && board.piece_at(rook) == Some(Piece { color: us, role: Role::Rook })
                && king.rank() == rook.rank()
                && way_is_free(pos, king, rook)
        }
        Move::Put { .. } => false,
    }
}

/// Whether nothing stands where king and rook pass and come to stand.
fn way_is_free(pos: &Chess, king: Square, rook: Square) -> bool {
    let side = if king < rook { CastlingSide::KingSide } else { CastlingSide::QueenSide };
    let king_to = Square::from_coords(side.king_to_file(), king.rank());
    let rook_to = Square::from_coords(side.rook_to_file(), king.rank());
    let way = attacks::between(king, king_to).with(king_to) | attacks::between(rook, rook_to).with(rook_to);
    let own = Bitboard::from(king).with(rook);
    ((way & !own) & pos.board().occupied()).is_empty()
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        let fen: Fen = fen.parse().expect("a FEN");
        fen.into_position(CastlingMode::Chess960).expect("a position")
    }

    #[test]
    fn castling_needs_room_where_king_and_rook_come_to_stand() {
        let pos = position("bnr1nqkr/pp1p1ppp/4pb2/2p5/4P3/1PN5/P1PP1PPP/B1RBNQKR w KQkq - 2 7");
        let king = pos.board().king_of(pos.turn()).expect("a king");
        for rook in [Square::H1, Square::C1] {
            // f1 holds the queen; d1 and e1 stand in the long way.
            assert!(play_unproven(&pos, Move::Castle { king, rook }).is_none(), "{rook}");
        }
    }

    #[test]
    fn what_the_board_cannot_hold_is_not_played() {
        let pos = position("4k3/P7/8/8/8/8/8/4K2R w K - 0 1");
        let pawn =
            |to, promotion| Move::Normal { role: Role::Pawn, from: Square::A7, capture: None, to, promotion };
        assert!(play_unproven(&pos, pawn(Square::A8, None)).is_none());
        assert!(play_unproven(&pos, pawn(Square::A8, Some(Role::King))).is_none());
        assert!(play_unproven(&pos, pawn(Square::A8, Some(Role::Queen))).is_some());
        let rook = |from, capture, to| Move::Normal { role: Role::Rook, from, capture, to, promotion: None };
        assert!(play_unproven(&pos, rook(Square::H2, None, Square::H5)).is_none());
        assert!(play_unproven(&pos, rook(Square::H1, None, Square::E1)).is_none());
        assert!(play_unproven(&pos, rook(Square::H1, Some(Role::King), Square::E8)).is_none());
        assert!(play_unproven(&pos, rook(Square::H1, None, Square::H8)).is_some());
    }
}

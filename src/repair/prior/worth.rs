//! What pieces are worth, and what exchanging them wins.

use shakmaty::{Bitboard, Board, Color, Role, Square};

/// The worth of a piece in pawns.
pub(super) fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 100,
    }
}

/// The class of a gain or loss of so many pawns, 0 to 4: nothing, a pawn, a minor piece, a rook, more.
pub(super) fn class_of(pawns: i32) -> usize {
    match pawns {
        ..=0 => 0,
        1 => 1,
        2..=3 => 2,
        4..=5 => 3,
        _ => 4,
    }
}

/// Static exchange value in pawns of moving `role` from `from` to `to`, where `gain` is captured first.
pub(super) fn exchange(board: &Board, us: Color, from: Square, to: Square, role: Role, gain: i32) -> i32 {
    let mut gains = [0i32; 32];
    gains[0] = gain;
    let mut occupied = board.occupied().without(from);
    let mut standing = value(role);
    let mut side = !us;
    let mut depth = 0;
    loop {
        let attackers = board.attacks_to(to, side, occupied) & occupied;
        let Some((square, next)) = cheapest(board, attackers) else { break };
        depth += 1;
        gains[depth] = standing - gains[depth - 1];
        if gains[depth].max(-gains[depth - 1]) < 0 || depth == 31 {
            break;
        }
        standing = value(next);
        occupied = occupied.without(square);
        side = !side;
    }
    while depth > 0 {
        gains[depth - 1] = -gains[depth].max(-gains[depth - 1]);
        depth -= 1;
    }
    gains[0]
}

/// The cheapest of some attackers.
pub(super) fn cheapest(board: &Board, attackers: Bitboard) -> Option<(Square, Role)> {
    if attackers.is_empty() {
        return None;
    }
    Role::ALL.into_iter().find_map(|r| (attackers & board.by_role(r)).first().map(|s| (s, r)))
}

//! Moves that are against the rules only because a king is or passes in check: players do play them.

use shakmaty::{
    Bitboard, CastlingSide, Chess, Color, File, Move, Piece, Position, Rank, Role, Square, attacks,
};

use super::{
    Problem, Slot,
    channel::Sheet,
    entry::{Plain, denoted},
};
use crate::replay::play_unproven;

/// The written plies (from 1) that are illegal but were probably played, if everything after them fits as written.
///
/// `burden` is what the best legal reading costs in edits, in nats: cheap legal readings are believed first.
pub(super) fn probably_played(
    problem: &Problem,
    slots: &[Slot],
    sheet: &Sheet,
    burden: f64,
) -> Vec<(u32, String)> {
    // An illegal move goes unnoticed in about one game in a hundred: 9.5 nats a ply; the rest is a margin.
    if burden < 13.0 {
        return Vec::new();
    }
    let mut pos = problem.start.clone();
    let mut out = Vec::new();
    let mut moves = Vec::new();
    for (slot, entry) in slots.iter().zip(&sheet.entries) {
        let Some(plain) = entry.plain else { return Vec::new() };
        moves.clear();
        if out.is_empty() {
            denoted(&pos, plain, &mut moves);
        }
        if moves.is_empty() {
            moves = loose(&pos, plain);
            moves.retain(|&m| play_unproven(&pos, m).is_some());
            let [m] = moves[..] else { return Vec::new() };
            if !sound(&pos, m) {
                let mover = pos.turn();
                out.push((slot.cell as u32 + 1, reason(&pos, m, mover, &problem.cells[slot.cell].text)));
                if out.len() > 2 {
                    return Vec::new();
                }
            }
        }
        let [m] = moves[..] else { return Vec::new() };
        let Some(after) = play_unproven(&pos, m) else { return Vec::new() };
        pos = after;
    }
    out
}

fn attacked(pos: &Chess, square: Square, by: Color, occupied: Bitboard) -> bool {
    pos.board().attacks_to(square, by, occupied).any()
}

/// Whether the mover's king is safe afterwards and, castling, on its way.
fn sound(pos: &Chess, m: Move) -> bool {
    let us = pos.turn();
    if let Move::Castle { king, rook } = m {
        let to = Square::from_coords(if king < rook { File::G } else { File::C }, king.rank());
        let way = attacks::between(king, to).with(king).with(to);
        return way.into_iter().all(|s| !attacked(pos, s, !us, pos.board().occupied()));
    }
    let Some(after) = play_unproven(pos, m) else { return false };
    after.board().king_of(us).is_none_or(|k| !attacked(&after, k, !us, after.board().occupied()))
}

fn reason(pos: &Chess, m: Move, mover: Color, written: &str) -> String {
    let who = if mover.is_white() { "White" } else { "Black" };
    if m.is_castle() {
        format!(
            "{written} castles out of or through check; everything after it fits as written, so {who} probably played it"
        )
    } else if pos.is_check() {
        format!(
            "{written} leaves the king in check; everything after it fits as written, so {who} probably played it"
        )
    } else {
        format!(
            "{written} exposes the king to check; everything after it fits as written, so {who} probably played it"
        )
    }
}

/// The moves that an entry denotes when no king's safety counts.
fn loose(pos: &Chess, plain: Plain) -> Vec<Move> {
    let board = pos.board();
    let us = pos.turn();
    let ours = board.by_color(us);
    let mut out = Vec::new();
    match plain {
        Plain::Castle(side) => {
            if let (Some(king), Some(rook)) = (board.king_of(us), pos.castles().rook(us, side)) {
                let corner = if side == CastlingSide::KingSide { File::H } else { File::A };
                if rook.file() == corner && (attacks::between(king, rook) & board.occupied()).is_empty() {
                    out.push(Move::Castle { king, rook });
                }
            }
        }
        Plain::Move { role, file, rank, to, promotion, .. } => {
            if ours.contains(to) {
                return out;
            }
            let capture = board.role_at(to);
            for from in ours & board.by_role(role) {
                let reaches = if role == Role::Pawn {
                    let steps = i32::from(u8::from(to.rank())) - i32::from(u8::from(from.rank()));
                    let forward = if us.is_white() { steps } else { -steps };
                    let home = from.rank() == if us.is_white() { Rank::Second } else { Rank::Seventh };
                    if capture.is_some() {
                        attacks::pawn_attacks(us, from).contains(to)
                    } else {
                        from.file() == to.file()
                            && (forward == 1
                                || forward == 2
                                    && home
                                    && (attacks::between(from, to) & board.occupied()).is_empty())
                    }
                } else {
                    attacks::attacks(from, Piece { color: us, role }, board.occupied()).contains(to)
                };
                let last = matches!(to.rank(), Rank::First | Rank::Eighth);
                let promotion = (role == Role::Pawn && last).then(|| promotion.unwrap_or(Role::Queen));
                if reaches && file.is_none_or(|f| from.file() == f) && rank.is_none_or(|r| from.rank() == r) {
                    out.push(Move::Normal { role, from, capture, to, promotion });
                }
            }
        }
        Plain::Squares(from, to, promotion) => {
            if let Some(role) = board.role_at(from) {
                let (file, rank) = (Some(from.file()), Some(from.rank()));
                return loose(pos, Plain::Move { role, file, rank, takes: false, to, promotion });
            }
        }
        Plain::Files(..) => {}
    }
    out
}

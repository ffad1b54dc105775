//! Moves against the rules that were played all the same, because nobody noticed: the reading in which they stand.
//!
//! Only what a player may overlook is read so: a king that is in check, comes into check or castles without the right.

use shakmaty::{CastlingSide, Chess, File, Move, Piece, Position, Rank, Role, Square, attacks};

use super::{
    Edit, Op, Problem, Slot,
    channel::{Sheet, shapes},
    entry::{Plain, denoted},
    lattice::Settings,
    prior::{Context, Prior},
};
use crate::replay::play_unproven;

/// The game as it is written, in which some moves are against the rules.
pub(super) struct AsPlayed {
    /// Every move as written.
    pub moves: Vec<Move>,
    /// Their SAN; of those against the rules the text.
    pub sans: Vec<String>,
    /// Those against the rules.
    pub edits: Vec<Edit>,
    /// In nats, as of a path through the lattice.
    pub cost: f64,
}

/// Moves against the rules that may stand in one game.
const MOST: usize = 2;

/// What a move costs, in nats, where a king could be taken: the prior knows no such position. The mean over moves of
/// games (2.0 nats a ply held out), weighted as the prior is.
const UNKNOWN: f32 = 1.3;

/// The game in which everything written was played, if it can be on a board and the rules alone forbid some of it.
///
/// `finale` prices the last position against the sheet's result.
pub(super) fn as_played(
    problem: &Problem,
    slots: &[Slot],
    sheet: &mut Sheet,
    prior: &Prior,
    set: &Settings,
    finale: &dyn Fn(&Chess) -> f32,
) -> Option<AsPlayed> {
    if slots.iter().any(|slot| slot.missing) {
        return None;
    }
    let mut pos = problem.start.clone();
    let mut context = Context::default();
    let (mut legal, mut menu, mut list) = (Vec::new(), Vec::new(), Vec::new());
    let mut found = AsPlayed { moves: Vec::new(), sans: Vec::new(), edits: Vec::new(), cost: 0.0 };
    for (i, slot) in slots.iter().enumerate() {
        let plain = sheet.entries[i].plain?;
        denoted(&pos, plain, &mut legal);
        legal.retain(|m| m.capture() != Some(Role::King));
        let mv = match legal[..] {
            [mv] => mv,
            [] => {
                let [mv] = loose(&pos, plain)[..] else { return None };
                // Behind mate and stalemate nothing is played any more.
                if found.edits.len() == MOST || pos.legal_moves().is_empty() {
                    return None;
                }
                found.edits.push(edit(problem, slot, i, &pos, mv, set.illegal));
                mv
            }
            _ => return None,
        };
        let after = play_unproven(&pos, mv)?;
        if legal.is_empty() {
            found.cost += f64::from(set.illegal);
            found.sans.push(problem.cells[slot.cell].text.clone());
        } else {
            found.sans.extend(super::spell(&pos, &[mv]));
            let known = !king_can_be_taken(&pos);
            if known {
                prior.menu(&pos, context, set.prior, &mut menu);
                shapes(menu.iter().map(|c| c.mv), &mut list);
            }
            let choice = menu.iter().position(|c| c.mv == mv).filter(|_| known);
            found.cost += f64::from(choice.map_or(UNKNOWN, |k| {
                let entry = &sheet.entries[i];
                menu[k].nats
                    + sheet.channel.price(entry, list[k]).total()
                    + sheet.channel.sign(entry, menu[k].check, menu[k].mate)
            }));
        }
        found.moves.push(mv);
        context = context.after(mv);
        pos = after;
    }
    found.cost += f64::from(finale(&pos));
    (!found.edits.is_empty()).then_some(found)
}

fn edit(problem: &Problem, slot: &Slot, index: usize, pos: &Chess, mv: Move, cost: f32) -> Edit {
    let cell = &problem.cells[slot.cell];
    let offence = offence(pos, mv);
    Edit {
        op: Op::Played,
        written_ply: slot.cell as u32 + 1,
        ply: index as u32 + 1,
        other_ply: None,
        written: cell.text.clone(),
        san: String::new(),
        span: cell.span,
        cost: cost.into(),
        reason: format!("{} {offence}; all that is written fits if it was played all the same", cell.text),
    }
}

/// Whether the side to move could take the other side's king.
pub(crate) fn king_can_be_taken(pos: &Chess) -> bool {
    let (us, board) = (pos.turn(), pos.board());
    board.king_of(!us).is_some_and(|king| board.attacks_to(king, us, board.occupied()).any())
}

/// What a move does that the rules forbid.
fn offence(pos: &Chess, mv: Move) -> &'static str {
    let us = pos.turn();
    let attacked = |square| pos.board().attacks_to(square, !us, pos.board().occupied()).any();
    match mv {
        Move::Castle { king, rook } => {
            let side = if king < rook { CastlingSide::KingSide } else { CastlingSide::QueenSide };
            let to = Square::from_coords(side.king_to_file(), king.rank());
            if attacked(king) {
                "castles out of check"
            } else if attacks::between(king, to).into_iter().any(attacked) {
                "castles through check"
            } else if attacked(to) {
                "castles into check"
            } else {
                "castles after king or rook has moved"
            }
        }
        _ if pos.is_check() => "leaves the king in check",
        _ if mv.role() == Role::King => "moves the king into check",
        _ => "moves a piece that is pinned to its king",
    }
}

/// The moves that an entry denotes when no king's safety and no right to castle count.
fn loose(pos: &Chess, plain: Plain) -> Vec<Move> {
    let mut out = Vec::new();
    match plain {
        Plain::Castle(side) => out.extend(castling(pos, side)),
        Plain::Move { role, file, rank, to, promotion, .. } => {
            if pos.board().by_color(pos.turn()).contains(to) {
                return out;
            }
            let last = matches!(to.rank(), Rank::First | Rank::Eighth);
            let promotion = (role == Role::Pawn && last).then(|| promotion.unwrap_or(Role::Queen));
            for from in pos.board().by_piece(Piece { color: pos.turn(), role }) {
                let named = file.is_none_or(|f| from.file() == f) && rank.is_none_or(|r| from.rank() == r);
                if named && reaches(pos, role, from, to) {
                    out.push(Move::Normal { role, from, capture: pos.board().role_at(to), to, promotion });
                }
            }
        }
        Plain::Squares(from, to, promotion) => {
            if let Some(role) = pos.board().role_at(from) {
                let (file, rank) = (Some(from.file()), Some(from.rank()));
                return loose(pos, Plain::Move { role, file, rank, takes: false, to, promotion });
            }
        }
        Plain::Files(..) => {}
    }
    out
}

/// Castling of a king and a rook that stand in their places.
fn castling(pos: &Chess, side: CastlingSide) -> Option<Move> {
    let us = pos.turn();
    let home = us.fold_wb(Rank::First, Rank::Eighth);
    let corner = if side == CastlingSide::KingSide { File::H } else { File::A };
    let (king, rook) = (Square::from_coords(File::E, home), Square::from_coords(corner, home));
    let stands = |square, role| pos.board().piece_at(square) == Some(Piece { color: us, role });
    (stands(king, Role::King) && stands(rook, Role::Rook)).then_some(Move::Castle { king, rook })
}

/// Whether a piece moves so, the way being free.
fn reaches(pos: &Chess, role: Role, from: Square, to: Square) -> bool {
    let (us, occupied) = (pos.turn(), pos.board().occupied());
    if role != Role::Pawn {
        return attacks::attacks(from, Piece { color: us, role }, occupied).contains(to);
    }
    if occupied.contains(to) {
        return attacks::pawn_attacks(us, from).contains(to);
    }
    let forward = |square: Square, steps: i32| square.offset(us.fold_wb(8, -8) * steps);
    let home = us.fold_wb(Rank::Second, Rank::Seventh);
    let free = |square: Square| !occupied.contains(square);
    forward(from, 1) == Some(to)
        || from.rank() == home && forward(from, 2) == Some(to) && forward(from, 1).is_some_and(free)
}

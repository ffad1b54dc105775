//! One written move against one position: the legal move that it means, or why there is none.

use shakmaty::{CastlingSide, Chess, Move, MoveList, Position, Role, Square};

use super::{RefusalKind, explain};
use crate::sheet::notation::{self, Form, Written};

/// Why a written move is not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What kind of failure.
    pub kind: RefusalKind,
    /// The reason in chess terms.
    pub reason: String,
}

impl Refused {
    pub(super) fn new(kind: RefusalKind, reason: impl Into<String>) -> Refused {
        Refused { kind, reason: reason.into() }
    }
}

/// The one legal move that `form` (written as `written`) means in `pos`.
///
/// # Errors
/// A [`Refused`] with the reason in chess terms, where no legal move or more than one answers to it.
pub fn resolve(pos: &Chess, form: &Form, written: &str) -> Result<Move, Refused> {
    if form == &Form::Drop {
        return Err(Refused::new(
            RefusalKind::Unsupported,
            format!("'{written}' drops a piece: crazyhouse or bughouse, not standard chess"),
        ));
    }
    let legal = pos.legal_moves();
    if legal.is_empty() {
        let what = if pos.is_check() { "checkmate" } else { "stalemate" };
        return Err(Refused::new(RefusalKind::Extra, format!("the game was over by {what}")));
    }
    match form {
        Form::Blank if notation::is_null_move(written) => Err(Refused::new(
            RefusalKind::Missing,
            format!("no move is written here, only the null move {written}"),
        )),
        Form::Blank => Err(Refused::new(RefusalKind::Missing, "no move is written here")),
        Form::Castle(side, _) => castle(pos, &legal, *side),
        Form::Takes { role, victim, .. } => takes(&legal, *role, *victim),
        // A game that is written so is left alone; a lone entry is a slip like any other.
        Form::Descriptive => {
            Err(Refused::new(RefusalKind::Unreadable, format!("'{written}' is descriptive notation")))
        }
        Form::Move(m) => piece_move(pos, &legal, m),
        _ => Err(Refused::new(RefusalKind::Unreadable, format!("not a move: '{written}'"))),
    }
}

fn castle(pos: &Chess, legal: &MoveList, side: CastlingSide) -> Result<Move, Refused> {
    legal
        .iter()
        .find(|m| m.castling_side() == Some(side))
        .copied()
        .ok_or_else(|| Refused::new(RefusalKind::Illegal, explain::castling(pos, side)))
}

fn takes(legal: &MoveList, role: Role, victim: Role) -> Result<Move, Refused> {
    let found: Vec<Move> =
        legal.iter().copied().filter(|m| m.role() == role && m.capture() == Some(victim)).collect();
    let (role, victim) = (explain::name(role), explain::name(victim));
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(Refused::new(RefusalKind::Illegal, format!("no {role} can take a {victim}"))),
        several => {
            let count = several.len();
            Err(Refused::new(RefusalKind::Ambiguous, format!("{count} ways for a {role} to take a {victim}")))
        }
    }
}

fn piece_move(pos: &Chess, legal: &MoveList, m: &Written) -> Result<Move, Refused> {
    let mut found: Vec<Move> = legal.iter().copied().filter(|l| answers(*l, m)).collect();
    if found.is_empty()
        && let Some(role) = m.or_piece
    {
        // `bc4`: no pawn can do it, so the letter is a piece.
        let piece = Written { role: Some(role), file: None, or_piece: None, ..m.clone() };
        found = legal.iter().copied().filter(|l| answers(*l, &piece)).collect();
    }
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(explain::refusal(pos, legal, m)),
        several => Err(Refused::new(RefusalKind::Ambiguous, explain::ambiguity(several, m))),
    }
}

/// Whether a legal move is what is written; a missing or needless capture sign of a piece does not matter.
fn answers(legal: Move, m: &Written) -> bool {
    let (role, from, to) = match legal {
        Move::Castle { king, rook } => {
            // `e1g1`, `Ke1-g1`, and `e1h1` as some engines write it.
            let by_king = m.role.is_none() || m.role == Some(Role::King);
            return by_king
                && m.file == Some(king.file())
                && m.rank == Some(king.rank())
                && (castled_king(legal).is_some_and(|s| to_is(s, m))
                    || (m.role.is_none() && to_is(rook, m)));
        }
        Move::Normal { role, from, to, .. } => (role, from, to),
        Move::EnPassant { from, to } => (Role::Pawn, from, to),
        Move::Put { .. } => return false,
    };
    if m.role.is_some_and(|r| r != role) || !to_is(to, m) || legal.promotion() != m.promotion {
        return false;
    }
    if m.file.is_some_and(|f| f != from.file()) || m.rank.is_some_and(|r| r != from.rank()) {
        return false;
    }
    // `bb3` is no pawn move: a file before the square is that of a capture.
    if role == Role::Pawn && m.role.is_some() && m.rank.is_none() && m.file == Some(m.to_file) {
        return false;
    }
    // A pawn takes only where that is written: `c4` is no capture, and `exd5` no push.
    role != Role::Pawn
        || m.role.is_none()
        || (m.capture || m.file.is_some_and(|f| f != m.to_file)) == legal.is_capture()
}

fn to_is(square: Square, m: &Written) -> bool {
    square.file() == m.to_file && m.to_rank.is_none_or(|r| r == square.rank())
}

/// Where the king of a castling move ends up.
pub(super) fn castled_king(m: Move) -> Option<Square> {
    match m {
        Move::Castle { king, .. } => {
            m.castling_side().map(|side| Square::from_coords(side.king_to_file(), king.rank()))
        }
        _ => None,
    }
}

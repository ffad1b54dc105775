//! Reasons in chess terms.

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, File, Move, MoveList, Piece, Position, Rank, Role, Square,
    attacks,
};

use super::{RefusalKind, Refused};
use crate::sheet::notation::Written;

/// Why no legal move answers to `m`.
pub(super) fn refusal(pos: &Chess, legal: &MoveList, m: &Written) -> Refused {
    if m.promotion.is_none()
        && let Some(to) = m.to_rank.map(|r| Square::from_coords(m.to_file, r))
        && legal.iter().any(|l| {
            l.promotion().is_some()
                && l.to() == to
                && m.file.is_none_or(|f| l.from().is_some_and(|s| s.file() == f))
        })
        && matches!(m.role, None | Some(Role::Pawn))
    {
        return Refused::new(
            RefusalKind::Ambiguous,
            format!("the pawn reaches {to} and the piece that it becomes is not written"),
        );
    }
    Refused::new(RefusalKind::Illegal, illegal(pos, m))
}

/// Which pieces could all make the written move.
pub(super) fn ambiguity(moves: &[Move], m: &Written) -> String {
    let role = m.role.or(moves.first().map(|m| m.role()));
    if m.to_rank.is_none() {
        let to: Vec<String> = moves.iter().map(|m| format!("{}", m.to())).collect();
        return format!("the pawn can take on {}", list(&to));
    }
    let from: Vec<String> = moves.iter().filter_map(|m| m.from()).map(|s| s.to_string()).collect();
    let count = number_word(moves.len());
    format!("{count} {}s can go to {} (from {})", role.map_or("piece", name), moves[0].to(), list(&from))
}

fn illegal(pos: &Chess, m: &Written) -> String {
    let (turn, board) = (pos.turn(), pos.board());
    let color = color_name(turn);
    let Some(to) = m.to_rank.map(|r| Square::from_coords(m.to_file, r)) else {
        return format!(
            "no {color} pawn on the {}-file can take on the {}-file",
            m.file.map_or('?', File::char),
            m.to_file.char()
        );
    };
    let role = match (m.role, m.file, m.rank) {
        (Some(role), _, _) => role,
        (None, Some(file), Some(rank)) => {
            let from = Square::from_coords(file, rank);
            match board.piece_at(from) {
                None => return format!("there is no piece on {from}"),
                Some(piece) if piece.color != turn => {
                    return format!("the {} on {from} is not {}'s", name(piece.role), side_name(turn));
                }
                Some(piece) => piece.role,
            }
        }
        _ => Role::Pawn,
    };
    if let Some(piece) = board.piece_at(to).filter(|p| p.color == turn) {
        return format!("{}'s own {} stands on {to}", side_name(turn), name(piece.role));
    }
    let ours = board.by_color(turn) & board.by_role(role);
    if ours.is_empty() {
        return format!("{} has no {} left", side_name(turn), name(role));
    }
    let reaching: Vec<Square> =
        ours.into_iter().filter(|&s| reaches(board, pos, role, turn, s, to)).collect();
    let fitting: Vec<Square> = reaching
        .iter()
        .copied()
        .filter(|s| m.file.is_none_or(|f| f == s.file()) && m.rank.is_none_or(|r| r == s.rank()))
        .filter(|s| {
            role != Role::Pawn
                || m.role.is_none()
                || (s.file() != to.file()) == (m.capture || m.file.is_some_and(|f| f != m.to_file))
        })
        .collect();
    let Some(&from) = fitting.first() else { return unreached(pos, m, role, to, &reaching) };
    if m.promotion.is_some() && role != Role::Pawn {
        return format!("a {} does not promote", name(role));
    }
    if m.promotion.is_some() && !matches!(to.rank(), Rank::First | Rank::Eighth) {
        return format!("a pawn on {to} does not promote");
    }
    blocked_by_king(pos, role, from, to)
        .or_else(|| unpromotable(m, role))
        .unwrap_or_else(|| format!("no {color} {} can reach {to}", name(role)))
}

/// Why a pawn that can go there cannot become what is written.
fn unpromotable(m: &Written, role: Role) -> Option<String> {
    match (role, m.promotion?) {
        (Role::Pawn, Role::King) => Some("a pawn may not become a king".to_owned()),
        (Role::Pawn, Role::Pawn) => Some("a pawn on the last rank may not stay a pawn".to_owned()),
        _ => None,
    }
}

/// Why a move that the piece could make is forbidden: pin, check, attacked king.
fn blocked_by_king(pos: &Chess, role: Role, from: Square, to: Square) -> Option<String> {
    let (turn, board) = (pos.turn(), pos.board());
    let king = board.king_of(turn)?;
    if role == Role::King {
        let occupied = board.occupied().without(king);
        let attacker = board.attacks_to(to, !turn, occupied).without(to).first()?;
        let piece = board.role_at(attacker)?;
        return Some(format!(
            "the king would stand on {to}, which the {} on {attacker} attacks",
            name(piece)
        ));
    }
    let checkers = pos.checkers();
    let passing = role == Role::Pawn && from.file() != to.file() && board.piece_at(to).is_none();
    if passing && checkers.is_empty() {
        let taken = Square::from_coords(to.file(), from.rank());
        let occupied = board.occupied().without(from).without(taken).with(to);
        let attacker = board.attacks_to(king, !turn, occupied).without(taken).first()?;
        return Some(format!(
            "taking on {to} in passing would leave the king to the {} on {attacker}",
            name(board.role_at(attacker)?)
        ));
    }
    let pinner = (board.attacks_to(king, !turn, board.occupied().without(from).with(to)) & !checkers)
        .without(to)
        .first();
    if let Some(pinner) = pinner {
        let piece = board.role_at(pinner)?;
        return Some(format!(
            "the {} on {from} is pinned to the king by the {} on {pinner}",
            name(role),
            name(piece)
        ));
    }
    let checker = checkers.first()?;
    let piece = board.role_at(checker)?;
    let double = if checkers.count() > 1 { "double check" } else { "check" };
    Some(format!(
        "{} is in {double} from the {} on {checker}, and this does not end it",
        side_name(turn),
        name(piece)
    ))
}

fn unreached(pos: &Chess, m: &Written, role: Role, to: Square, reaching: &[Square]) -> String {
    let color = color_name(pos.turn());
    if role == Role::Pawn {
        let capture = m.capture || m.file.is_some_and(|f| f != m.to_file);
        if !capture && let Some(from) = reaching.iter().find(|s| s.file() != to.file()) {
            return format!("no {color} pawn can move to {to}: the pawn on {from} could only take there");
        }
        if capture {
            let file = m.file.map_or(String::new(), |f| format!(" on the {}-file", f.char()));
            let empty = pos.board().piece_at(to).is_none();
            let why = if empty { format!(": nothing stands on {to}") } else { String::new() };
            return format!("no {color} pawn{file} can take on {to}{why}");
        }
        return blocked_pawn(pos, to).unwrap_or_else(|| format!("no {color} pawn can move to {to}"));
    }
    let place = match (m.file, m.rank) {
        (Some(file), Some(rank)) => format!(" on {}", Square::from_coords(file, rank)),
        (Some(file), None) => format!(" on the {}-file", file.char()),
        (None, Some(rank)) => format!(" on the {} rank", ordinal(rank)),
        (None, None) => String::new(),
    };
    if !place.is_empty()
        && let Some(other) = reaching.first()
    {
        return format!("no {color} {}{place} can reach {to}, only the one on {other}", name(role));
    }
    let blocked = blocked(pos, m, role, to).unwrap_or_default();
    format!("no {color} {}{place} can reach {to}{blocked}", name(role))
}

/// What stands before the pawn that would go to `to`, one step or its first two.
fn blocked_pawn(pos: &Chess, to: Square) -> Option<String> {
    let (turn, board) = (pos.turn(), pos.board());
    let back = turn.fold_wb(-8, 8);
    let own = |s: &Square| board.piece_at(*s) == Some(Piece { color: turn, role: Role::Pawn });
    let behind = to.offset(back)?;
    let double = turn.fold_wb(Rank::Fourth, Rank::Fifth) == to.rank();
    let from = Some(behind).filter(own).or_else(|| behind.offset(back).filter(|s| double && own(s)))?;
    let color = color_name(turn);
    if let Some(role) = board.role_at(to) {
        return Some(format!(
            "no {color} pawn can move to {to}: the {} there blocks the one on {from}",
            name(role)
        ));
    }
    let role = board.role_at(behind)?;
    Some(format!("no {color} pawn can move to {to}: the {} on {behind} blocks the one on {from}", name(role)))
}

/// What stands in the way of the only bishop, rook or queen on a line with `to`.
fn blocked(pos: &Chess, m: &Written, role: Role, to: Square) -> Option<String> {
    let board = pos.board();
    let piece = Piece { color: pos.turn(), role };
    let ours = (board.by_color(pos.turn()) & board.by_role(role)).into_iter();
    let mut lined = ours
        .filter(|s| m.file.is_none_or(|f| f == s.file()) && m.rank.is_none_or(|r| r == s.rank()))
        .filter(|&s| attacks::attacks(s, piece, Bitboard::EMPTY).contains(to));
    let (from, None) = (lined.next()?, lined.next()) else { return None };
    let between = attacks::between(from, to) & board.occupied();
    let near = between.into_iter().min_by_key(|s| s.distance(from))?;
    let what = board.role_at(near)?;
    Some(format!(": the {} on {near} stands in the way of the one on {from}", name(what)))
}

/// Whether a piece could go from `from` to `to` if the safety of its king did not matter.
fn reaches(board: &Board, pos: &Chess, role: Role, turn: Color, from: Square, to: Square) -> bool {
    if role != Role::Pawn {
        let piece = shakmaty::Piece { color: turn, role };
        return attacks::attacks(from, piece, board.occupied()).contains(to);
    }
    if from.file() != to.file() {
        let target = board.by_color(!turn).contains(to)
            || pos.ep_square(shakmaty::EnPassantMode::PseudoLegal) == Some(to);
        return target && attacks::pawn_attacks(turn, from).contains(to);
    }
    let step = if turn.is_white() { 8 } else { -8 };
    let one = from.offset(step);
    let free = |s: Option<Square>| s.is_some_and(|s| !board.occupied().contains(s));
    let home = if turn.is_white() { Rank::Second } else { Rank::Seventh };
    free(one)
        && (one == Some(to) || (from.rank() == home && from.offset(2 * step) == Some(to) && free(Some(to))))
}

/// Why castling is impossible.
pub(super) fn castling(pos: &Chess, side: CastlingSide) -> String {
    let (turn, board) = (pos.turn(), pos.board());
    let who = side_name(turn);
    let wing = if side == CastlingSide::KingSide { "king side" } else { "queen side" };
    let Some(king) = board.king_of(turn) else { return format!("{who} has no king") };
    let Some(rook) = pos.castles().rook(turn, side) else {
        return format!("{who} may not castle on the {wing}: the king or that rook has moved or is gone");
    };
    if let Some(checker) = pos.checkers().first()
        && let Some(role) = board.role_at(checker)
    {
        return format!("{who} is in check from the {} on {checker} and may not castle", name(role));
    }
    let between = pos.castles().path(turn, side) & board.occupied();
    if let Some(square) = between.without(king).without(rook).first()
        && let Some(piece) = board.piece_at(square)
    {
        return format!("the {} on {square} stands between king and rook", name(piece.role));
    }
    let goal = Square::from_coords(side.king_to_file(), king.rank());
    let occupied = board.occupied().without(king);
    for square in attacks::between(king, goal).with(goal) {
        if let Some(attacker) = board.attacks_to(square, !turn, occupied).first()
            && let Some(role) = board.role_at(attacker)
        {
            let how = if square == goal { "castling into check on" } else { "castling through" };
            return format!("{how} {square}, which the {} on {attacker} attacks", name(role));
        }
    }
    format!("{who} cannot castle on the {wing}")
}

fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

fn number_word(n: usize) -> String {
    match n {
        2 => "two".into(),
        3 => "three".into(),
        4 => "four".into(),
        n => n.to_string(),
    }
}

fn ordinal(rank: Rank) -> &'static str {
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"][usize::from(rank)]
}

/// A piece's English name.
pub(super) fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

fn color_name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}

pub(super) fn side_name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

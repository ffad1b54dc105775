//! One written entry taken apart: what it says, and which legal moves that denotes.

use shakmaty::{Bitboard, CastlingSide, Chess, File, Move, Position, Rank, Role, Square, attacks};

/// The check sign of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// None.
    None,
    /// `+`.
    Check,
    /// `#` or `++`.
    Mate,
}

/// An entry that reads as a move: what it says, not whether it is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    /// Castling.
    Castle(CastlingSide),
    /// A move to a square.
    Move {
        /// The piece.
        role: Role,
        /// File of departure as written.
        file: Option<File>,
        /// Rank of departure as written.
        rank: Option<Rank>,
        /// Whether a capture is written.
        takes: bool,
        /// Destination.
        to: Square,
        /// Promotion piece as written.
        promotion: Option<Role>,
    },
    /// Two squares and no piece's letter (`g1f3`, `e2e4`): of departure and destination, and a promotion.
    Squares(Square, Square, Option<Role>),
    /// A pawn capture written by its files alone (`exd`).
    Files(File, File),
}

/// An entry taken apart.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The characters of the move, without check signs and glyphs.
    pub core: Vec<u8>,
    /// The check sign.
    pub sign: Sign,
    /// Nothing is written.
    pub blank: bool,
    /// What it reads as, if it reads as a move.
    pub plain: Option<Plain>,
    /// A promotion is written that the move cannot be, and is left out of `core`.
    pub promotes_nothing: bool,
    /// Entries with equal `core` share this number.
    pub id: u32,
}

impl Entry {
    /// Takes a cell's text apart. Never fails: what reads as nothing keeps its characters.
    pub fn read(text: &str) -> Entry {
        let text = text.trim();
        let mut core: Vec<u8> = text.bytes().filter(|b| b.is_ascii_graphic()).collect();
        let mut sign = Sign::None;
        let mut pluses = 0;
        while let Some(&last) = core.last() {
            match last {
                b'+' => pluses += 1,
                b'#' => sign = Sign::Mate,
                b'!' | b'?' if core.len() > 1 => {}
                _ => break,
            }
            core.pop();
        }
        if sign == Sign::None && pluses > 0 {
            sign = if pluses > 1 { Sign::Mate } else { Sign::Check };
        }
        if core.ends_with(b"e.p.") {
            core.truncate(core.len() - 4);
        } else if core.len() > 4 && core.ends_with(b"ep") {
            core.truncate(core.len() - 2);
        }
        let blank = core.iter().all(|b| b"-._?*~".contains(b)) || core == b"Z0";
        let promotes_nothing = false_promotion(&core);
        if promotes_nothing {
            core.truncate(core.len() - 2);
        }
        // What it says cannot be played; without the promotion its characters speak for a move as any others do.
        let plain = if blank || promotes_nothing { None } else { plain(&core) };
        Entry { core, sign, blank, plain, promotes_nothing, id: 0 }
    }
}

/// Whether a promotion is written where no pawn promotes: `e5=Q`, `Nf3=Q`.
fn false_promotion(core: &[u8]) -> bool {
    let [first, .., rank, b'=', b'N' | b'B' | b'R' | b'Q' | b'K'] = core else { return false };
    matches!(rank, b'2'..=b'7') || (matches!(rank, b'1' | b'8') && first.is_ascii_uppercase())
}

pub(super) fn plain(core: &[u8]) -> Option<Plain> {
    let bare: Vec<u8> =
        core.iter().filter(|b| **b != b'-').map(|&b| if b == b'0' || b == b'o' { b'O' } else { b }).collect();
    match bare.as_slice() {
        b"OO" => return Some(Plain::Castle(CastlingSide::KingSide)),
        b"OOO" => return Some(Plain::Castle(CastlingSide::QueenSide)),
        _ => {}
    }
    let mut rest = core;
    let role = match rest.first()? {
        b'N' => Role::Knight,
        b'B' => Role::Bishop,
        b'R' => Role::Rook,
        b'Q' => Role::Queen,
        b'K' => Role::King,
        _ => Role::Pawn,
    };
    if role != Role::Pawn || rest[0] == b'P' {
        rest = &rest[1..];
    }
    let mut promotion = None;
    if role == Role::Pawn && rest.len() > 2 {
        let (&last, before) = rest.split_last()?;
        promotion = match last {
            b'N' => Some(Role::Knight),
            b'B' => Some(Role::Bishop),
            b'R' => Some(Role::Rook),
            b'Q' => Some(Role::Queen),
            _ => None,
        };
        if promotion.is_some() {
            rest = before.strip_suffix(b"=").unwrap_or(before);
        }
    }
    let file = |b: u8| (b'a'..=b'h').contains(&b).then(|| File::new(u32::from(b - b'a')));
    let rank = |b: u8| (b'1'..=b'8').contains(&b).then(|| Rank::new(u32::from(b - b'1')));
    if role == Role::Pawn && promotion.is_none() {
        match *rest {
            [a, b] | [a, b'x', b] if file(a).is_some() && file(b).is_some() => {
                return Some(Plain::Files(file(a)?, file(b)?));
            }
            _ => {}
        }
    }
    let (&r, before) = rest.split_last()?;
    let (&f, before) = before.split_last()?;
    let to = Square::from_coords(file(f)?, rank(r)?);
    let (takes, before) = match before.split_last() {
        Some((b'x' | b':', b)) => (true, b),
        Some((b'-', b)) => (false, b),
        _ => (false, before),
    };
    if role == Role::Pawn
        && let [a, b] = *before
    {
        return Some(Plain::Squares(Square::from_coords(file(a)?, rank(b)?), to, promotion));
    }
    let (file, rank) = match *before {
        [] => (None, None),
        [a] if file(a).is_some() => (file(a), None),
        [a] if rank(a).is_some() && role != Role::Pawn => (None, rank(a)),
        [a, b] => (Some(file(a)?), Some(rank(b)?)),
        _ => return None,
    };
    Some(Plain::Move { role, file, rank, takes, to, promotion })
}

/// The legal moves that an entry denotes as written, leniently (a missing `x` or sign is style): none, one, or several.
pub fn denoted(pos: &Chess, plain: Plain, out: &mut Vec<Move>) {
    out.clear();
    if !conceivable(pos, plain) {
        return;
    }
    match plain {
        Plain::Castle(side) => out.extend(pos.castling_moves(side)),
        Plain::Move { role, file, rank, takes, to, promotion } => {
            let candidates = pos.san_candidates(role, to);
            for &m in &candidates {
                let Some(from) = m.from() else { continue };
                let promoted = match m.promotion() {
                    None => promotion.is_none(),
                    Some(p) => promotion.unwrap_or(Role::Queen) == p,
                };
                let origin = if role == Role::Pawn && file.is_none() {
                    !m.is_capture() || takes
                } else {
                    file.is_none_or(|f| from.file() == f)
                };
                if !m.is_castle() && promoted && origin && rank.is_none_or(|r| from.rank() == r) {
                    out.push(m);
                }
            }
            // `Ke1g1`.
            if let (Role::King, Some(file), Some(rank)) = (role, file, rank) {
                out.extend(castled(pos, Square::from_coords(file, rank), to));
            }
        }
        Plain::Squares(from, to, promotion) => {
            let Some(role) = pos.board().role_at(from) else { return };
            out.extend(pos.san_candidates(role, to).into_iter().filter(|m| {
                m.from() == Some(from)
                    && !m.is_castle()
                    && m.promotion().is_none_or(|p| promotion.unwrap_or(Role::Queen) == p)
                    && (promotion.is_none() || m.promotion().is_some())
            }));
            if role == Role::King {
                out.extend(castled(pos, from, to));
            }
        }
        Plain::Files(a, b) => {
            for r in Rank::ALL {
                let candidates = pos.san_candidates(Role::Pawn, Square::from_coords(b, r));
                for &m in &candidates {
                    if m.is_capture()
                        && m.from().is_some_and(|f| f.file() == a)
                        && m.promotion().is_none_or(|p| p == Role::Queen)
                    {
                        out.push(m);
                    }
                }
            }
        }
    }
}

/// The castling that takes the king so, or is written as the king taking its rook.
fn castled(pos: &Chess, from: Square, to: Square) -> Option<Move> {
    let sides = [CastlingSide::KingSide, CastlingSide::QueenSide];
    let all = sides.into_iter().flat_map(|side| pos.castling_moves(side));
    let mut fits = all.filter(|m| match *m {
        Move::Castle { king, rook } => king == from && king != to && (castled_king(*m) == to || rook == to),
        _ => false,
    });
    fits.next()
}

/// Where the king of a castling comes to stand.
pub(super) fn castled_king(m: Move) -> Square {
    match m.castling_side() {
        Some(side) => Square::from_coords(side.king_to_file(), m.to().rank()),
        None => m.to(),
    }
}

/// Whether any piece stands so that it might make the move: cheap, and never wrongly false.
fn conceivable(pos: &Chess, plain: Plain) -> bool {
    let board = pos.board();
    let ours = board.by_color(pos.turn());
    let Plain::Move { role, to, file, takes, .. } = plain else { return true };
    if ours.contains(to) {
        return false;
    }
    let occupied = board.occupied();
    let sources = match role {
        Role::Pawn if file.is_some() || takes => {
            attacks::pawn_attacks(!pos.turn(), to) | Bitboard::from_file(to.file())
        }
        Role::Pawn => Bitboard::from_file(to.file()),
        Role::Knight => attacks::knight_attacks(to),
        Role::Bishop => attacks::bishop_attacks(to, occupied),
        Role::Rook => attacks::rook_attacks(to, occupied),
        Role::Queen => attacks::queen_attacks(to, occupied),
        Role::King => attacks::king_attacks(to),
    };
    (sources & ours & board.by_role(role)).any()
}

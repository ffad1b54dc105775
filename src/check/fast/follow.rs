//! Follows a game move by move, asking shakmaty's attack tables only what canonical SAN leaves open.
//!
//! A move in canonical SAN names piece and target; the squares it can come from are one table lookup away.
//! Whether it leaves the own king attacked can matter only when the king is in check already or the piece stood
//! on a line with it, and whether it gives check only when it attacks the other king or leaves a line with it.
//! Everything rarer (castling, en passant, replies to a check) is shakmaty's own move generation, and every
//! move is made by shakmaty.
//!
//! Each method that plays gives the sign that the move must carry, or `None`, with the position as it was, where
//! the move is not legal, not the only one, or not written as canonical SAN has it.

use shakmaty::{
    Bitboard, ByColor, CastlingSide, Chess, Color, File, Move, Position, Rank, Role, Square, attacks,
};

/// The check sign that a move must carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// None.
    Quiet,
    /// `+`.
    Check,
    /// `#`.
    Mate,
}

/// A position and what the next move's tests need of it.
#[derive(Clone, Debug)]
pub struct Follower {
    pos: Chess,
    /// Rank, file and diagonals of each king.
    lines: ByColor<Bitboard>,
    /// Whether the side to move is in check.
    in_check: bool,
}

impl Follower {
    /// Begins at a position.
    pub fn new(pos: Chess) -> Self {
        let mut follower = Follower { lines: ByColor::default(), in_check: pos.is_check(), pos };
        follower.see_king(Color::White);
        follower.see_king(Color::Black);
        follower
    }

    /// The position now.
    pub fn position(&self) -> &Chess {
        &self.pos
    }

    /// A knight, bishop, rook or queen.
    #[inline(always)]
    pub fn piece(
        &mut self,
        role: Role,
        file: Option<File>,
        rank: Option<Rank>,
        capture: bool,
        to: Square,
    ) -> Option<Sign> {
        let board = self.pos.board();
        let us = self.pos.us();
        let occupied = board.occupied();
        if occupied.contains(to) != capture || us.contains(to) {
            return None;
        }
        let ours = us & board.by_role(role);
        let origins = match role {
            Role::Knight => ours & attacks::knight_attacks(to),
            _ => self.reaching(role, ours, to),
        };
        let from = match origins.single_square() {
            Some(from) if file.is_none() && rank.is_none() && self.keeps_king_safe(from, to) => from,
            Some(_) => return None,
            None => self.told_apart(origins, file, rank, to)?,
        };
        let captured = if capture { board.role_at(to) } else { None };
        self.pos.play_unchecked(Move::Normal { role, from, capture: captured, to, promotion: None });
        let king = self.attacked_king();
        let direct = match role {
            Role::Knight => attacks::knight_attacks(to).contains(king),
            _ => self.lines[self.pos.turn()].contains(to) && self.slides_to(role, to, king),
        };
        Some(self.sign(direct, king, from))
    }

    /// Those of `sliders` that attack `to`. A side has few of a kind, and one look at the squares between takes
    /// less memory than the tables of all attacks.
    #[inline(always)]
    fn reaching(&self, role: Role, sliders: Bitboard, to: Square) -> Bitboard {
        let mut reaching = Bitboard::EMPTY;
        for from in sliders {
            if self.slides_to(role, from, to) {
                reaching.add(from);
            }
        }
        reaching
    }

    /// Whether a slider on `from` attacks `to`.
    #[inline(always)]
    fn slides_to(&self, role: Role, from: Square, to: Square) -> bool {
        let straight = from.file() == to.file() || from.rank() == to.rank();
        let moves_so = match role {
            Role::Rook => straight,
            Role::Bishop => !straight && attacks::ray(from, to).any(),
            _ => straight || attacks::ray(from, to).any(),
        };
        moves_so && (attacks::between(from, to) & self.pos.board().occupied()).is_empty()
    }

    /// Whether one of the sliders of `them` on the line of `king` and `through` attacks the king, while the
    /// board's men stand on `occupied`; a slider on `taken` is gone.
    #[inline(always)]
    fn attacked_along(
        &self,
        king: Square,
        through: Square,
        occupied: Bitboard,
        them: Bitboard,
        taken: Option<Square>,
    ) -> bool {
        let board = self.pos.board();
        let straight = king.file() == through.file() || king.rank() == through.rank();
        let kind = if straight { board.rooks_and_queens() } else { board.bishops_and_queens() };
        let line = attacks::ray(king, through);
        (line & them & kind)
            .into_iter()
            .any(|from| taken != Some(from) && (attacks::between(king, from) & occupied).is_empty())
    }

    /// The one origin that a disambiguation means, if it is needed and written as shakmaty would write it.
    fn told_apart(
        &self,
        origins: Bitboard,
        file: Option<File>,
        rank: Option<Rank>,
        to: Square,
    ) -> Option<Square> {
        let mut legal = Bitboard::EMPTY;
        for from in origins {
            if self.keeps_king_safe(from, to) {
                legal.add(from);
            }
        }
        if let Some(from) = legal.single_square() {
            return (file.is_none() && rank.is_none()).then_some(from);
        }
        let mut named = legal;
        if let Some(file) = file {
            named &= Bitboard::from_file(file);
        }
        if let Some(rank) = rank {
            named &= Bitboard::from_rank(rank);
        }
        let from = named.single_square()?;
        let others = legal.without(from);
        let same_file = (others & Bitboard::from_file(from.file())).any();
        let same_rank = (others & Bitboard::from_rank(from.rank())).any();
        (file.is_some() == (!same_file || same_rank) && rank.is_some() == same_file).then_some(from)
    }

    /// A pawn; `file` is where a capturing one comes from.
    #[inline(always)]
    pub fn pawn(
        &mut self,
        file: Option<File>,
        capture: bool,
        to: Square,
        promotion: Option<Role>,
    ) -> Option<Sign> {
        let board = self.pos.board();
        let turn = self.pos.turn();
        let ours = self.pos.us() & board.pawns();
        let back = if turn.is_white() { -8 } else { 8 };
        let last = turn.fold_wb(Rank::Eighth, Rank::First);
        if (to.rank() == last) != promotion.is_some() {
            return None;
        }
        let behind = to.offset(back)?;
        let (from, captured) = if capture {
            let file = file?;
            if !board.occupied().contains(to) {
                return self.en_passant(file, to);
            }
            if self.pos.us().contains(to) {
                return None;
            }
            let from = Square::from_coords(file, behind.rank());
            if !attacks::pawn_attacks(!turn, to).contains(from) || !ours.contains(from) {
                return None;
            }
            (from, board.role_at(to))
        } else {
            if board.occupied().contains(to) {
                return None;
            }
            if ours.contains(behind) {
                (behind, None)
            } else {
                let fourth = turn.fold_wb(Rank::Fourth, Rank::Fifth);
                if to.rank() != fourth || board.occupied().contains(behind) {
                    return None;
                }
                (behind.offset(back).filter(|from| ours.contains(*from))?, None)
            }
        };
        if !self.keeps_king_safe(from, to) {
            return None;
        }
        self.pos.play_unchecked(Move::Normal { role: Role::Pawn, from, capture: captured, to, promotion });
        if promotion.is_some() {
            return Some(self.sign_in_full());
        }
        let king = self.attacked_king();
        Some(self.sign(attacks::pawn_attacks(turn, to).contains(king), king, from))
    }

    #[cold]
    fn en_passant(&mut self, file: File, to: Square) -> Option<Sign> {
        let mv = self
            .pos
            .en_passant_moves()
            .into_iter()
            .find(|m| m.to() == to && m.from().is_some_and(|from| from.file() == file))?;
        self.pos.play_unchecked(mv);
        Some(self.sign_in_full())
    }

    /// The king, but for castling.
    pub fn king(&mut self, capture: bool, to: Square) -> Option<Sign> {
        let board = self.pos.board();
        let us = self.pos.us();
        let from = board.king_of(self.pos.turn())?;
        if board.occupied().contains(to) != capture
            || us.contains(to)
            || !attacks::king_attacks(from).contains(to)
            || board.attacks_to(to, !self.pos.turn(), board.occupied().without(from)).any()
        {
            return None;
        }
        let captured = if capture { board.role_at(to) } else { None };
        let mover = self.pos.turn();
        self.pos.play_unchecked(Move::Normal {
            role: Role::King,
            from,
            capture: captured,
            to,
            promotion: None,
        });
        self.see_king(mover);
        let king = self.attacked_king();
        Some(self.sign(false, king, from))
    }

    /// Castling.
    #[cold]
    pub fn castle(&mut self, side: CastlingSide) -> Option<Sign> {
        let mv = self.pos.castling_moves(side).first().copied()?;
        let mover = self.pos.turn();
        self.pos.play_unchecked(mv);
        self.see_king(mover);
        Some(self.sign_in_full())
    }

    /// Whether the mover's king stays unattacked when a piece of its own goes `from`, `to`.
    #[inline]
    fn keeps_king_safe(&self, from: Square, to: Square) -> bool {
        let turn = self.pos.turn();
        if !self.in_check && !self.lines[turn].contains(from) {
            return true;
        }
        self.king_safe_after(from, to)
    }

    fn king_safe_after(&self, from: Square, to: Square) -> bool {
        let board = self.pos.board();
        let turn = self.pos.turn();
        let Some(king) = board.king_of(turn) else { return false };
        let occupied = board.occupied().without(from).with(to);
        if self.in_check {
            board.attacks_to(king, !turn, occupied).without(to).is_empty()
        } else {
            !self.attacked_along(king, from, occupied, self.pos.them(), Some(to))
        }
    }

    /// The king of the side that is to move now.
    #[inline(always)]
    fn attacked_king(&self) -> Square {
        self.pos.board().king_of(self.pos.turn()).expect("a chess position has both kings")
    }

    /// The sign after a move: `direct` says that the moved piece itself attacks the king.
    #[inline(always)]
    fn sign(&mut self, direct: bool, king: Square, from: Square) -> Sign {
        self.in_check = direct || (self.lines[self.pos.turn()].contains(from) && self.uncovered(king, from));
        if self.in_check { self.check_or_mate(king) } else { Sign::Quiet }
    }

    /// Whether a piece that left `from`, on a line with the king, uncovered an attack on it.
    fn uncovered(&self, king: Square, from: Square) -> bool {
        self.attacked_along(king, from, self.pos.board().occupied(), self.pos.them(), None)
    }

    #[cold]
    fn sign_in_full(&mut self) -> Sign {
        self.in_check = self.pos.is_check();
        if self.in_check { self.check_or_mate(self.attacked_king()) } else { Sign::Quiet }
    }

    /// A king with a safe square is not mated; where it has none, shakmaty lists the replies.
    fn check_or_mate(&self, king: Square) -> Sign {
        let board = self.pos.board();
        let without = board.occupied().without(king);
        let flight = attacks::king_attacks(king) & !self.pos.us();
        let escapes = flight.into_iter().any(|to| board.attacks_to(to, !self.pos.turn(), without).is_empty());
        if escapes || !self.pos.legal_moves().is_empty() { Sign::Check } else { Sign::Mate }
    }

    /// What the rules say of the position, when it is not checkmate: a draw by stalemate or dead position.
    pub fn drawn(&self) -> bool {
        let board = self.pos.board();
        let turn = self.pos.turn();
        let free = board.pawns() & self.pos.us() & !self.lines[turn];
        let ahead = free.shift(if turn.is_white() { 8 } else { -8 }) & !board.occupied();
        // A pawn that can step ahead and pins nothing to its king: neither stalemate nor a dead position.
        if ahead.any() && !self.in_check {
            return false;
        }
        self.pos.is_insufficient_material() || self.pos.is_stalemate()
    }

    fn see_king(&mut self, color: Color) {
        if let Some(king) = self.pos.board().king_of(color) {
            *self.lines.get_mut(color) = attacks::queen_attacks(king, Bitboard::EMPTY);
        }
    }
}

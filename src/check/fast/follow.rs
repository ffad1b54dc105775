//! Follows a game move by move, asking shakmaty's attack tables only what canonical SAN leaves open.
//!
//! A move in canonical SAN names piece and target; the squares it can come from are one table lookup away.
//! Whether it leaves the own king attacked can matter only when the king is in check already or the piece stood
//! on a line with it, and whether it gives check only when it attacks the other king or leaves a line with it.
//! Everything rarer (castling, en passant, replies to a check) is shakmaty's own move generation.

use shakmaty::{
    Bitboard, ByColor, CastlingSide, Chess, Color, File, Move, Position, Rank, Role, Square, attacks,
};

/// A move as canonical SAN has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// A piece or a pawn to a square.
    Normal {
        /// What moves.
        role: Role,
        /// The origin's file, where written.
        file: Option<File>,
        /// The origin's rank, where written.
        rank: Option<Rank>,
        /// Whether an `x` is written.
        capture: bool,
        /// The target.
        to: Square,
        /// What a pawn becomes.
        promotion: Option<Role>,
    },
    /// Castling.
    Castle(CastlingSide),
}

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

    /// Plays a written move if it is legal, means one move only, and is written exactly as canonical SAN has
    /// it; gives the sign that it must carry. `None` leaves the position as it was.
    #[inline]
    pub fn play(&mut self, written: Written) -> Option<Sign> {
        match written {
            Written::Normal { role: Role::Pawn, file, capture, to, promotion, .. } => {
                self.pawn(file, capture, to, promotion)
            }
            Written::Normal { role: Role::King, capture, to, .. } => self.king(capture, to),
            Written::Normal { role, file, rank, capture, to, .. } => {
                self.piece(role, file, rank, capture, to)
            }
            Written::Castle(side) => self.castle(side),
        }
    }

    #[inline]
    fn piece(
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
        let reach = match role {
            Role::Knight => attacks::knight_attacks(to),
            Role::Bishop => attacks::bishop_attacks(to, occupied),
            Role::Rook => attacks::rook_attacks(to, occupied),
            _ => attacks::queen_attacks(to, occupied),
        };
        let origins = reach & us & board.by_role(role);
        let from = match origins.single_square() {
            Some(from) if file.is_none() && rank.is_none() && self.keeps_king_safe(from, to) => from,
            Some(_) => return None,
            None => self.told_apart(origins, file, rank, to)?,
        };
        let captured = if capture { board.role_at(to) } else { None };
        self.pos.play_unchecked(Move::Normal { role, from, capture: captured, to, promotion: None });
        let king = self.king_attacked_next();
        let direct = match role {
            Role::Knight => attacks::knight_attacks(to).contains(king),
            _ => false,
        };
        Some(self.sign(direct, king, from, to, role != Role::Knight))
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

    #[inline]
    fn pawn(
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
        let king = self.king_attacked_next();
        if promotion.is_some() {
            return Some(self.sign_in_full());
        }
        Some(self.sign(attacks::pawn_attacks(turn, to).contains(king), king, from, to, false))
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

    fn king(&mut self, capture: bool, to: Square) -> Option<Sign> {
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
        let king = self.king_attacked_next();
        Some(self.sign(false, king, from, to, false))
    }

    #[cold]
    fn castle(&mut self, side: CastlingSide) -> Option<Sign> {
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
        let attackers = if self.in_check {
            board.attacks_to(king, !turn, occupied)
        } else {
            self.pos.them()
                & ((attacks::rook_attacks(king, occupied) & board.rooks_and_queens())
                    | (attacks::bishop_attacks(king, occupied) & board.bishops_and_queens()))
        };
        attackers.without(to).is_empty()
    }

    /// The king of the side that is to move now.
    #[inline]
    fn king_attacked_next(&self) -> Square {
        self.pos.board().king_of(self.pos.turn()).expect("a chess position has both kings")
    }

    /// The sign after a move: `direct` says that the moved piece attacks the king as knight or pawn.
    #[inline]
    fn sign(&mut self, direct: bool, king: Square, from: Square, to: Square, slider: bool) -> Sign {
        let lines = self.lines[self.pos.turn()];
        let on_line = lines.contains(from) || (slider && lines.contains(to));
        if !direct && !on_line {
            self.in_check = false;
            return Sign::Quiet;
        }
        let board = self.pos.board();
        let occupied = board.occupied();
        let check = direct
            || (self.pos.them()
                & ((attacks::rook_attacks(king, occupied) & board.rooks_and_queens())
                    | (attacks::bishop_attacks(king, occupied) & board.bishops_and_queens())))
            .any();
        self.in_check = check;
        if check { self.check_or_mate(king) } else { Sign::Quiet }
    }

    #[cold]
    fn sign_in_full(&mut self) -> Sign {
        self.in_check = self.pos.is_check();
        if self.in_check { self.check_or_mate(self.king_attacked_next()) } else { Sign::Quiet }
    }

    /// A king with a safe square is not mated; where it has none, shakmaty lists the replies.
    fn check_or_mate(&self, king: Square) -> Sign {
        let board = self.pos.board();
        let without = board.occupied().without(king);
        let flight = attacks::king_attacks(king) & !self.pos.us();
        let escapes = flight.into_iter().any(|to| board.attacks_to(to, !self.pos.turn(), without).is_empty());
        if escapes || !self.pos.legal_moves().is_empty() { Sign::Check } else { Sign::Mate }
    }

    fn see_king(&mut self, color: Color) {
        if let Some(king) = self.pos.board().king_of(color) {
            *self.lines.get_mut(color) = attacks::queen_attacks(king, Bitboard::EMPTY);
        }
    }
}

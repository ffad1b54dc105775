//! The features of a move.

use shakmaty::{
    Bitboard, Color, Move, Piece, Position, Role, Square,
    attacks::{attacks, ray},
};

use super::{
    landing,
    layout::*,
    scene::Scene,
    worth::{cheapest, class_of, exchange, value},
};

/// A move that is no castling, with what several features ask of it.
struct Going {
    mv: Move,
    /// Index of the piece, 0 to 5.
    piece: usize,
    from: Square,
    to: Square,
    /// What stands on `to` afterwards.
    becomes: Role,
    /// What an exchange on `to` wins, in pawns.
    balance: i32,
    /// Whether that is a loss, nothing or a gain, 0 to 2.
    sign: usize,
    /// The squares attacked from `to`.
    view: Bitboard,
    check: bool,
}

impl Going {
    fn new(scene: &Scene<'_>, mv: Move, check: bool) -> Going {
        let (from, to) = (mv.from().unwrap_or(mv.to()), landing(mv));
        let becomes = mv.promotion().unwrap_or(mv.role());
        let gain = mv.capture().map_or(0, value) + mv.promotion().map_or(0, |p| value(p) - 1);
        let balance = if scene.attacked.contains(to) {
            exchange(scene.board, scene.us, from, to, becomes, gain)
        } else {
            gain
        };
        let sign = match balance {
            ..=-1 => 0,
            0 => 1,
            _ => 2,
        };
        let view = attacks(to, Piece { color: scene.us, role: becomes }, scene.occupied.without(from));
        Going { mv, piece: mv.role() as usize - 1, from, to, becomes, balance, sign, view, check }
    }
}

impl Scene<'_> {
    /// Calls `feature` with the index of every feature that `m` has; returns whether it gives check and mate.
    pub fn features(&self, m: Move, mut feature: impl FnMut(usize)) -> (bool, bool) {
        let (check, discovered) = self.gives_check(m);
        let mate = check && {
            let mut after = self.pos.clone();
            after.play_unchecked(m);
            after.legal_moves().is_empty()
        };
        if let Move::Castle { king, rook } = m {
            feature(CASTLE + usize::from(king > rook));
            if check {
                feature(CHECK + 3 * (Role::King as usize - 1));
            }
            return (check, mate);
        }
        let going = Going::new(self, m, check);
        self.places(&going, &mut feature);
        self.gains(&going, &mut feature);
        self.dangers(&going, &mut feature);
        if check {
            feature(CHECK + going.piece * 3 + going.sign);
            if discovered {
                feature(DISCOVER);
            }
            if mate {
                feature(MATE);
            }
        }
        if let Some(p) = m.promotion() {
            feature(PROMOTE + (p as usize - 2));
        }
        self.sequel(&going, &mut feature);
        self.threats(&going, &mut feature);
        self.posture(&going, &mut feature);
        (check, mate)
    }

    /// Where the piece comes from and goes.
    fn places(&self, going: &Going, feature: &mut impl FnMut(usize)) {
        let (from, to) = (self.square(going.from), self.square(going.to));
        let phased = self.phase * 6 + going.piece;
        feature(TO + phased * 64 + to);
        feature(FROM + phased * 64 + from);
        feature(WAY + (phased * 64 + from) * 64 + to);
        let goes = going.piece * 64 + to;
        if let Some((_, last_to, _)) = self.context.last {
            feature(REPLY + goes * 64 + self.square(last_to));
        }
        if let Some((_, own_to, _)) = self.context.own {
            feature(FOLLOW + goes * 64 + self.square(own_to));
        }
        feature(COURTS + goes * 16 + self.courts);
        feature(STRUCTURE + goes * 16 + self.structure[going.to.file() as usize]);
    }

    /// What the move takes and leaves to be taken.
    fn gains(&self, going: &Going, feature: &mut impl FnMut(usize)) {
        let &Going { from, to, piece, balance, sign, check, .. } = going;
        let victim = going.mv.capture();
        if let Some(v) = victim {
            feature(CAPTURE + (piece * 6 + (v as usize - 1)) * 3 + sign);
            if let Some((_, last_to, captured)) = self.context.last
                && last_to == to
            {
                feature(RECAPTURE + usize::from(captured) * 3 + sign);
            }
            if sign == 1 {
                feature(TRADE + self.ahead);
            }
        } else {
            let danger = if balance >= 0 { usize::from(self.attacked.contains(to)) } else { 2 };
            feature(QUIET + piece * 3 + danger);
        }
        feature(BALANCE + 9 * usize::from(check) + (balance.clamp(-9, 9) + 9) as usize * 8 / 18);
        feature(LEFT + self.left(from, to) + 5 * if check { 2 } else { usize::from(victim.is_some()) });
    }

    /// Whether the move saves a piece that was in danger.
    fn dangers(&self, going: &Going, feature: &mut impl FnMut(usize)) {
        let &Going { from, piece, sign, view, .. } = going;
        let takes = going.mv.is_capture();
        if self.hanging.contains(from) {
            feature(ESCAPE + piece * 3 + sign.min(1) + usize::from(takes && sign == 2));
        } else if !takes && (view & self.hanging).any() {
            feature(GUARD + piece);
        }
        if self.chased.contains(from) {
            feature(CHASED + piece);
        }
    }

    /// How the move goes on from the last ones.
    fn sequel(&self, going: &Going, feature: &mut impl FnMut(usize)) {
        let &Going { from, to, view, .. } = going;
        let takes = going.mv.is_capture();
        if let Some((own_from, own_to, _)) = self.context.own
            && own_to == from
        {
            feature(AGAIN + self.phase * 3 + usize::from(takes) + 2 * usize::from(!takes && own_from == to));
        }
        if let Some((_, last_to, _)) = self.context.last {
            feature(NEAR + self.phase * 8 + last_to.distance(to) as usize);
            if view.contains(last_to) {
                feature(CHASE + going.piece);
            }
        }
    }

    /// What the piece attacks from its new square.
    fn threats(&self, going: &Going, feature: &mut impl FnMut(usize)) {
        let worth = value(going.becomes);
        let mut richer = Bitboard::EMPTY;
        for (rank, set) in [
            (1, self.board.pawns()),
            (3, self.board.knights() | self.board.bishops()),
            (5, self.board.rooks()),
            (9, self.board.queens()),
        ] {
            if rank > worth {
                richer |= set;
            }
        }
        let targets = going.view & self.theirs & (richer | !self.attacked) & !self.board.kings();
        feature(HIT + going.piece * 3 + targets.count().min(2));
        let most = targets
            .into_iter()
            .filter_map(|s| {
                let target = value(self.board.role_at(s)?);
                Some(if self.attacked.contains(s) { target - worth } else { target })
            })
            .max()
            .unwrap_or(0);
        feature(THREAT + class_of(most) + 5 * going.sign);
    }

    /// How the piece stands on its new square.
    fn posture(&self, going: &Going, feature: &mut impl FnMut(usize)) {
        let &Going { mv, piece, from, to, view, .. } = going;
        let role = mv.role();
        feature(
            COVER
                + piece * 4
                + usize::from(self.pawn_attacked.contains(to))
                + 2 * usize::from(self.pawn_covered.contains(to)),
        );
        feature(RING + piece * 4 + (view & self.ring).count().min(3));
        if role == Role::Pawn && self.is_passed(to) {
            feature(PASSED + self.square(to) / 8);
        }
        if role == Role::Rook {
            let pawns = self.board.pawns() & Bitboard::from_file(to.file());
            feature(FILES + if pawns.is_empty() { 2 } else { usize::from((pawns & self.ours).is_empty()) });
        }
        if self.checkers.any() {
            let way = match role {
                Role::King => usize::from(mv.is_capture()),
                _ if self.checkers.contains(to) => 2,
                _ => 3,
            };
            feature(EVADE + way);
        }
        if role != Role::Pawn {
            let before = attacks(from, Piece { color: self.us, role }, self.occupied);
            let delta = (view & !self.ours).count() as i32 - (before & !self.ours).count() as i32;
            feature(MOBILITY + piece * 9 + (delta.clamp(-4, 4) + 4) as usize);
        }
        if role == Role::King && self.pos.castles().has_color(self.us) {
            feature(LOSE_CASTLING + self.phase);
        }
    }

    /// Whether no opposing pawn can stop or take a pawn on this square on its way.
    fn is_passed(&self, pawn: Square) -> bool {
        let ahead = forward(pawn, self.us);
        let file = pawn.file();
        let mut front = ahead & Bitboard::from_file(file);
        for f in [file.offset(-1), file.offset(1)].into_iter().flatten() {
            front |= ahead & Bitboard::from_file(f);
        }
        (front & self.theirs & self.board.pawns()).is_empty()
    }

    fn gives_check(&self, m: Move) -> (bool, bool) {
        let Some(k) = self.king else { return (false, false) };
        match m {
            Move::Normal { role, from, to, promotion, .. } => {
                let direct = match promotion {
                    None => self.checks[role as usize - 1].contains(to),
                    Some(r) => attacks(to, Piece { color: self.us, role: r }, self.occupied.without(from))
                        .contains(k),
                };
                let discovered = self.discoverers.contains(from) && !ray(k, from).contains(to);
                (direct || discovered, discovered)
            }
            _ => {
                let mut after = self.pos.clone();
                after.play_unchecked(m);
                (after.is_check(), false)
            }
        }
    }

    fn square(&self, s: Square) -> usize {
        (if self.us.is_white() { s } else { s.flip_vertical() }) as usize
    }

    /// What the opponent can take at once after this move, the moved piece apart: 0 nothing, else by value.
    fn left(&self, from: Square, to: Square) -> usize {
        let occupied = self.occupied.without(from).with(to);
        let theirs = self.theirs.without(to);
        let mut worst = 0;
        for s in self.exposed.without(from).without(to) {
            let Some(role) = self.board.role_at(s) else { continue };
            let worth = value(role);
            if worth <= worst {
                continue;
            }
            let attackers = self.board.attacks_to(s, !self.us, occupied) & theirs;
            let Some((_, cheapest)) = cheapest(self.board, attackers) else { continue };
            let guards = self.board.attacks_to(s, self.us, occupied).without(from);
            let guarded = guards.any() || self.sees(from, to, s, occupied);
            let loss = if guarded { worth - value(cheapest) } else { worth };
            worst = worst.max(loss);
        }
        class_of(worst)
    }

    /// Whether the piece that goes from `from` to `to` guards `s` from there.
    fn sees(&self, from: Square, to: Square, s: Square, occupied: Bitboard) -> bool {
        self.board.piece_at(from).is_some_and(|p| attacks(to, p, occupied).contains(s))
    }
}

/// The ranks before a square.
fn forward(s: Square, color: Color) -> Bitboard {
    let rank = u32::from(s.rank());
    let mut out = Bitboard::EMPTY;
    for r in shakmaty::Rank::ALL {
        let ahead = if color.is_white() { u32::from(r) > rank } else { u32::from(r) < rank };
        if ahead {
            out |= Bitboard::from_rank(r);
        }
    }
    out
}

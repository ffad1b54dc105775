//! How likely a player plays this move here; knows nothing of text.
//!
//! A log-linear model over the features of a move: `P(m) = exp(w·f(m)) / Σ exp(w·f(m'))` over all legal moves.
//! The weights (`assets/prior.txt` in hundredths of a nat, `assets/pairs.bin` in 32nds) are fitted by
//! `examples/fit_prior.rs` on games over the board; `assets/book.bin` counts how often they reached an opening.

pub mod book;

use shakmaty::{
    Bitboard, Board, Chess, Color, File, Move, Piece, Position, Role, Square,
    attacks::{attacks, bishop_attacks, knight_attacks, pawn_attacks, ray, rook_attacks},
};

use book::Book;

/// The moves that led here, as far as they matter for the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The opponent's last move: from, to, whether it captured.
    pub last: Option<(Square, Square, bool)>,
    /// The mover's own last move: from, to, whether it captured.
    pub own: Option<(Square, Square, bool)>,
}

impl Context {
    /// The context after `m` was played in this one.
    #[must_use]
    pub fn after(self, m: Move) -> Context {
        let to = landing(m);
        Context { last: Some((m.from().unwrap_or(to), to, m.is_capture())), own: self.last }
    }
}

/// The square on which the moving piece stands afterwards (for castling the king's).
pub fn landing(m: Move) -> Square {
    match m {
        Move::Castle { king, rook } => {
            Square::from_coords(if king < rook { File::G } else { File::C }, king.rank())
        }
        _ => m.to(),
    }
}

/// A legal move with what the search needs to know about it.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// `-ln P(mv)`, in nats.
    pub nats: f32,
    /// Whether it gives check.
    pub check: bool,
    /// Whether it gives mate.
    pub mate: bool,
}

const PHASES: usize = 3;
const TO: usize = 0;
const FROM: usize = TO + PHASES * 6 * 64;
const CAPTURE: usize = FROM + PHASES * 6 * 64;
const RECAPTURE: usize = CAPTURE + 6 * 6 * 3;
const QUIET: usize = RECAPTURE + 2 * 3;
const ESCAPE: usize = QUIET + 6 * 3;
const CHECK: usize = ESCAPE + 6 * 3;
const DISCOVER: usize = CHECK + 6 * 3;
const MATE: usize = DISCOVER + 1;
const CASTLE: usize = MATE + 1;
const PROMOTE: usize = CASTLE + 2;
const AGAIN: usize = PROMOTE + 4;
const NEAR: usize = AGAIN + PHASES * 3;
const HIT: usize = NEAR + PHASES * 8;
const COVER: usize = HIT + 6 * 3;
const PASSED: usize = COVER + 6 * 4;
const FILES: usize = PASSED + 8;
const EVADE: usize = FILES + 3;
const MOBILITY: usize = EVADE + 4;
const RING: usize = MOBILITY + 6 * 9;
const CHASED: usize = RING + 6 * 4;
const CHASE: usize = CHASED + 6;
const LOSE_CASTLING: usize = CHASE + 6;
const TRADE: usize = LOSE_CASTLING + PHASES;
const GUARD: usize = TRADE + 3;
const BOOK: usize = GUARD + 6;
/// Share of moves that are as good as random.
const WILD: f32 = 0.03;
/// Where the weights of pairs begin: what is true of two squares at once needs many weights of one byte.
const LEFT: usize = BOOK + book::SHARES;
const BALANCE: usize = LEFT + 3 * 5;
const THREAT: usize = BALANCE + 2 * 9;
const PAIRS: usize = THREAT + 3 * 5;
/// Which way this piece goes, by phase.
const WAY: usize = PAIRS;
/// Where this piece goes after the opponent's last move went there.
const REPLY: usize = WAY + PHASES * 6 * 64 * 64;
/// Where this piece goes after the mover's last move went there.
const FOLLOW: usize = REPLY + 6 * 64 * 64;
/// Where this piece goes with the kings in these parts of the board.
const COURTS: usize = FOLLOW + 6 * 64 * 64;
/// Where this piece goes with these pawns on the file and the files beside it.
const STRUCTURE: usize = COURTS + 6 * 64 * 16;
/// How many weights the model has.
pub const WEIGHTS: usize = STRUCTURE + 6 * 64 * 16;

fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 100,
    }
}

/// The class of a gain or loss of so many pawns, 0 to 4: nothing, a pawn, a minor piece, a rook, more.
fn class_of(pawns: i32) -> usize {
    match pawns {
        ..=0 => 0,
        1 => 1,
        2..=3 => 2,
        4..=5 => 3,
        _ => 4,
    }
}

/// Static exchange value in pawns of moving `role` from `from` to `to`, where `gain` is captured first.
fn exchange(board: &Board, us: Color, from: Square, to: Square, role: Role, gain: i32) -> i32 {
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

fn cheapest(board: &Board, attackers: Bitboard) -> Option<(Square, Role)> {
    if attackers.is_empty() {
        return None;
    }
    Role::ALL.into_iter().find_map(|r| (attackers & board.by_role(r)).first().map(|s| (s, r)))
}

/// What all moves of one position share.
struct Scene<'a> {
    pos: &'a Chess,
    board: &'a Board,
    us: Color,
    occupied: Bitboard,
    ours: Bitboard,
    theirs: Bitboard,
    king: Option<Square>,
    phase: usize,
    attacked: Bitboard,
    pawn_attacked: Bitboard,
    pawn_covered: Bitboard,
    hanging: Bitboard,
    checks: [Bitboard; 6],
    discoverers: Bitboard,
    checkers: Bitboard,
    ring: Bitboard,
    ahead: usize,
    chased: Bitboard,
    /// Own pieces that an opposing piece attacks, or would if one piece stepped out of the way; the king apart.
    exposed: Bitboard,
    /// The parts of the board where the kings stand, 0 to 15.
    courts: usize,
    /// For each file which pawns stand on it and beside it, 0 to 15.
    structure: [usize; 8],
    context: Context,
}

fn exposed(board: &Board, us: Color, attacked: Bitboard) -> Bitboard {
    let ours = board.by_color(us) & !board.kings();
    let (occupied, mut seen) = (board.occupied(), attacked);
    for s in board.by_color(!us) & (board.bishops() | board.rooks() | board.queens()) {
        let Some(piece) = board.piece_at(s) else { continue };
        let first = attacks(s, piece, occupied);
        seen |= attacks(s, piece, occupied & !(first & board.by_color(us)));
    }
    ours & seen
}

/// The part of the board where a king stands: its home, the short side, the long side, elsewhere.
fn court(king: Option<Square>, color: Color) -> usize {
    let Some(king) = king else { return 3 };
    let rank = if color.is_white() { u32::from(king.rank()) } else { 7 - u32::from(king.rank()) };
    match (rank, king.file()) {
        (0 | 1, File::F | File::G | File::H) => 1,
        (0 | 1, File::A | File::B | File::C) => 2,
        (0, _) => 0,
        _ => 3,
    }
}

fn pawn_span(pawns: Bitboard, color: Color) -> Bitboard {
    let mut out = Bitboard::EMPTY;
    for s in pawns {
        out |= pawn_attacks(color, s);
    }
    out
}

impl<'a> Scene<'a> {
    fn new(pos: &'a Chess, context: Context) -> Scene<'a> {
        let board = pos.board();
        let us = pos.turn();
        let occupied = board.occupied();
        let (ours, theirs) = (board.by_color(us), board.by_color(!us));
        let mut attacked = Bitboard::EMPTY;
        for s in theirs {
            attacked |= board.attacks_from(s);
        }
        let mut covered = Bitboard::EMPTY;
        for s in ours {
            covered |= board.attacks_from(s);
        }
        let mut hanging = Bitboard::EMPTY;
        for s in ours & attacked & !board.kings() {
            let role = board.role_at(s).unwrap_or(Role::Pawn);
            let least = cheapest(board, board.attacks_to(s, !us, occupied));
            if let Some((_, r)) = least
                && (value(r) < value(role) || !covered.contains(s))
            {
                hanging = hanging.with(s);
            }
        }
        let king = board.king_of(!us);
        let mut checks = [Bitboard::EMPTY; 6];
        let mut discoverers = Bitboard::EMPTY;
        if let Some(k) = king {
            let (diagonal, straight) = (bishop_attacks(k, occupied), rook_attacks(k, occupied));
            checks = [
                pawn_attacks(!us, k),
                knight_attacks(k),
                diagonal,
                straight,
                diagonal | straight,
                Bitboard::EMPTY,
            ];
            let snipers = ours
                & ((bishop_attacks(k, Bitboard::EMPTY) & board.bishops_and_queens())
                    | (rook_attacks(k, Bitboard::EMPTY) & board.rooks_and_queens()));
            for s in snipers {
                let blockers = shakmaty::attacks::between(k, s) & occupied;
                if !blockers.more_than_one() {
                    discoverers |= blockers & ours;
                }
            }
        }
        let pieces = |c: Bitboard| -> i32 {
            3 * (c & (board.knights() | board.bishops())).count() as i32
                + 5 * (c & board.rooks()).count() as i32
                + 9 * (c & board.queens()).count() as i32
        };
        let (mine, other) = (pieces(ours), pieces(theirs));
        let home = Bitboard::from_square(Square::B1)
            | Square::C1
            | Square::F1
            | Square::G1
            | Square::B8
            | Square::C8
            | Square::F8
            | Square::G8;
        let undeveloped = (home & (board.knights() | board.bishops())).count();
        let phase = if mine + other <= 26 {
            2
        } else if undeveloped >= 3 {
            0
        } else {
            1
        };
        let pawns = |c: Bitboard| (c & board.pawns()).count() as i32;
        let balance = mine + pawns(ours) - other - pawns(theirs);
        let chased = context.last.map_or(Bitboard::EMPTY, |(_, to, _)| board.attacks_from(to) & ours);
        Scene {
            pos,
            board,
            us,
            occupied,
            ours,
            theirs,
            king,
            phase,
            attacked,
            pawn_attacked: pawn_span(theirs & board.pawns(), !us),
            pawn_covered: pawn_span(ours & board.pawns(), us),
            hanging,
            checks,
            discoverers,
            checkers: pos.checkers(),
            ring: king.map_or(Bitboard::EMPTY, |k| shakmaty::attacks::king_attacks(k).with(k)),
            ahead: match balance {
                ..=-2 => 0,
                -1..=1 => 1,
                _ => 2,
            },
            chased,
            exposed: exposed(board, us, attacked),
            courts: court(board.king_of(us), us) * 4 + court(king, !us),
            structure: std::array::from_fn(|f| {
                let file = File::new(f as u32);
                let on = Bitboard::from_file(file) & board.pawns();
                let beside = [file.offset(-1), file.offset(1)]
                    .into_iter()
                    .flatten()
                    .fold(Bitboard::EMPTY, |b, f| b | Bitboard::from_file(f))
                    & board.pawns();
                usize::from((on & ours).any())
                    + 2 * usize::from((on & theirs).any())
                    + 4 * usize::from((beside & ours).any())
                    + 8 * usize::from((beside & theirs).any())
            }),
            context,
        }
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

    /// Calls `feature` with the index of every feature that `m` has; returns whether it gives check and mate.
    fn features(&self, m: Move, mut feature: impl FnMut(usize)) -> (bool, bool) {
        let role = m.role();
        let r = role as usize - 1;
        let from = m.from().unwrap_or(m.to());
        let to = landing(m);
        let phase = self.phase;
        let after_role = m.promotion().unwrap_or(role);
        let (check, discovered) = self.gives_check(m);
        let mut mate = false;
        if check {
            let mut after = self.pos.clone();
            after.play_unchecked(m);
            mate = after.legal_moves().is_empty();
        }
        if let Move::Castle { king, rook } = m {
            feature(CASTLE + usize::from(king > rook));
            if check {
                feature(CHECK + 3 * r);
            }
            return (check, mate);
        }
        feature(TO + (phase * 6 + r) * 64 + self.square(to));
        feature(FROM + (phase * 6 + r) * 64 + self.square(from));
        let (at, goes) = (self.square(from), r * 64 + self.square(to));
        feature(WAY + ((phase * 6 + r) * 64 + at) * 64 + self.square(to));
        if let Some((_, last_to, _)) = self.context.last {
            feature(REPLY + goes * 64 + self.square(last_to));
        }
        if let Some((_, own_to, _)) = self.context.own {
            feature(FOLLOW + goes * 64 + self.square(own_to));
        }
        feature(COURTS + goes * 16 + self.courts);
        feature(STRUCTURE + goes * 16 + self.structure[to.file() as usize]);
        let victim = m.capture();
        let gain = victim.map_or(0, value) + m.promotion().map_or(0, |p| value(p) - 1);
        let loss_possible = self.attacked.contains(to);
        let balance =
            if loss_possible { exchange(self.board, self.us, from, to, after_role, gain) } else { gain };
        let sign = match balance {
            ..=-1 => 0,
            0 => 1,
            _ => 2,
        };
        if let Some(v) = victim {
            feature(CAPTURE + (r * 6 + (v as usize - 1)) * 3 + sign);
            if let Some((_, last_to, captured)) = self.context.last
                && last_to == to
            {
                feature(RECAPTURE + usize::from(captured) * 3 + sign);
            }
            if sign == 1 {
                feature(TRADE + self.ahead);
            }
        } else {
            let danger = if balance >= 0 { usize::from(loss_possible) } else { 2 };
            feature(QUIET + r * 3 + danger);
        }
        feature(BALANCE + 9 * usize::from(check) + (balance.clamp(-9, 9) + 9) as usize * 8 / 18);
        feature(LEFT + self.left(from, to) + 5 * if check { 2 } else { usize::from(victim.is_some()) });
        if self.hanging.contains(from) {
            feature(ESCAPE + r * 3 + sign.min(1) + usize::from(victim.is_some() && sign == 2));
        } else if (self.hanging & !Bitboard::from_square(from)).any() && victim.is_none() {
            let now = attacks(to, Piece { color: self.us, role: after_role }, self.occupied.without(from));
            if (now & self.hanging).any() {
                feature(GUARD + r);
            }
        }
        if self.chased.contains(from) {
            feature(CHASED + r);
        }
        if check {
            feature(CHECK + r * 3 + sign);
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
        if let Some((own_from, own_to, _)) = self.context.own
            && own_to == from
        {
            feature(
                AGAIN
                    + phase * 3
                    + usize::from(victim.is_some())
                    + 2 * usize::from(victim.is_none() && own_from == to),
            );
        }
        let view = attacks(to, Piece { color: self.us, role: after_role }, self.occupied.without(from));
        if let Some((_, last_to, _)) = self.context.last {
            feature(NEAR + phase * 8 + last_to.distance(to) as usize);
            if view.contains(last_to) {
                feature(CHASE + r);
            }
        }
        let mut richer = Bitboard::EMPTY;
        for (rank, bb) in [
            (1, self.board.pawns()),
            (3, self.board.knights() | self.board.bishops()),
            (5, self.board.rooks()),
            (9, self.board.queens()),
        ] {
            if rank > value(after_role) {
                richer |= bb;
            }
        }
        let targets = view & self.theirs & (richer | !self.attacked) & !self.board.kings();
        feature(HIT + r * 3 + targets.count().min(2));
        let most = targets
            .into_iter()
            .filter_map(|s| {
                let worth = value(self.board.role_at(s)?);
                Some(if self.attacked.contains(s) { worth - value(after_role) } else { worth })
            })
            .max()
            .unwrap_or(0);
        feature(THREAT + class_of(most) + 5 * sign);
        feature(
            COVER
                + r * 4
                + usize::from(self.pawn_attacked.contains(to))
                + 2 * usize::from(self.pawn_covered.contains(to)),
        );
        feature(RING + r * 4 + (view & self.ring).count().min(3));
        match role {
            Role::Pawn => {
                let ahead = forward(to, self.us);
                let file = to.file();
                let mut front = ahead & Bitboard::from_file(file);
                for f in [file.offset(-1), file.offset(1)].into_iter().flatten() {
                    front |= ahead & Bitboard::from_file(f);
                }
                if (front & self.theirs & self.board.pawns()).is_empty() {
                    feature(PASSED + self.square(to) / 8);
                }
            }
            Role::Rook => {
                let pawns = self.board.pawns() & Bitboard::from_file(to.file());
                feature(
                    FILES + if pawns.is_empty() { 2 } else { usize::from((pawns & self.ours).is_empty()) },
                );
            }
            _ => {}
        }
        if self.checkers.any() {
            feature(
                EVADE
                    + if role == Role::King {
                        usize::from(victim.is_some())
                    } else if self.checkers.contains(to) {
                        2
                    } else {
                        3
                    },
            );
        }
        if role != Role::Pawn {
            let before = attacks(from, Piece { color: self.us, role }, self.occupied);
            let delta = (view & !self.ours).count() as i32 - (before & !self.ours).count() as i32;
            feature(MOBILITY + r * 9 + (delta.clamp(-4, 4) + 4) as usize);
        }
        if role == Role::King && self.pos.castles().has_color(self.us) {
            feature(LOSE_CASTLING + phase);
        }
        (check, mate)
    }
}

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

/// The features of every legal move: for fitting. `counts` tells how often a position (by [`book::key`]) was reached in
/// other games.
pub fn features_of(pos: &Chess, context: Context, counts: impl Fn(u64) -> u32) -> Vec<(Move, Vec<u32>)> {
    let scene = Scene::new(pos, context);
    let reached = counts(book::key(pos));
    pos.legal_moves()
        .into_iter()
        .map(|m| {
            let mut list = Vec::with_capacity(32);
            scene.features(m, |f| list.push(f as u32));
            if reached >= book::LEAST {
                let mut after = pos.clone();
                after.play_unchecked(m);
                list.push((BOOK + book::share(reached, counts(book::key(&after)))) as u32);
            }
            (m, list)
        })
        .collect()
}

/// How many of the weights stand in the text, in hundredths of a nat; those after them take one byte each.
pub const DENSE: usize = PAIRS;

/// How many units of a weight of one byte make a nat.
pub const UNITS: f32 = 32.0;

/// The fitted model.
#[derive(Clone, Debug)]
pub struct Prior {
    dense: Vec<f32>,
    pairs: &'static [u8],
    book: Book,
}

impl Prior {
    /// The weights shipped with the program.
    pub fn embedded() -> Prior {
        let mut dense: Vec<f32> = include_str!("../../assets/prior.txt")
            .split_ascii_whitespace()
            .map(|w| w.parse::<f32>().unwrap_or(0.0) / 100.0)
            .collect();
        dense.resize(DENSE, 0.0);
        Prior { dense, pairs: include_bytes!("../../assets/pairs.bin"), book: Book::embedded() }
    }

    fn weight(&self, feature: usize) -> f32 {
        match self.dense.get(feature) {
            Some(w) => *w,
            None => self.pairs.get(feature - DENSE).map_or(0.0, |&b| f32::from(b as i8) / UNITS),
        }
    }

    /// All legal moves with `weight` times `-ln` of their probability, in the order of the move generator.
    pub fn menu(&self, pos: &Chess, context: Context, weight: f32, out: &mut Vec<Choice>) {
        out.clear();
        let scene = Scene::new(pos, context);
        let reached = self.book.reached(pos);
        let mut top = f32::NEG_INFINITY;
        for mv in pos.legal_moves() {
            let mut score = 0.0;
            let (check, mate) = scene.features(mv, |f| score += self.weight(f));
            if reached >= book::LEAST {
                let mut after = pos.clone();
                after.play_unchecked(mv);
                score += self.weight(BOOK + book::share(reached, self.book.reached(&after)));
            }
            top = top.max(score);
            out.push(Choice { mv, nats: score, check, mate });
        }
        let total: f32 = out.iter().map(|c| (c.nats - top).exp()).sum();
        // A few moves in a hundred follow no rule that the features know.
        let any = WILD / out.len().max(1) as f32;
        for c in out.iter_mut() {
            c.nats = -((1.0 - WILD) * (c.nats - top).exp() / total + any).ln() * weight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_those_of_the_features() {
        let prior = Prior::embedded();
        assert_eq!(prior.dense.len() + prior.pairs.len(), WEIGHTS);
        let words = include_str!("../../assets/prior.txt").split_ascii_whitespace();
        assert_eq!(words.filter(|w| w.parse::<f32>().is_ok()).count(), DENSE);
    }

    #[test]
    fn probabilities_of_all_moves_sum_to_one() {
        let mut menu = Vec::new();
        Prior::embedded().menu(&Chess::default(), Context::default(), 1.0, &mut menu);
        let sum: f32 = menu.iter().map(|c| (-c.nats).exp()).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
    }
}

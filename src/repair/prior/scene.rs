//! What all moves of one position share.

use shakmaty::{
    Bitboard, Board, Chess, Color, File, Position, Role, Square,
    attacks::{attacks, between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks},
};

use super::{
    Context,
    worth::{cheapest, value},
};

/// What all moves of one position share.
pub(super) struct Scene<'a> {
    pub pos: &'a Chess,
    pub board: &'a Board,
    pub us: Color,
    pub occupied: Bitboard,
    pub ours: Bitboard,
    pub theirs: Bitboard,
    pub king: Option<Square>,
    pub phase: usize,
    pub attacked: Bitboard,
    pub pawn_attacked: Bitboard,
    pub pawn_covered: Bitboard,
    pub hanging: Bitboard,
    pub checks: [Bitboard; 6],
    pub discoverers: Bitboard,
    pub checkers: Bitboard,
    pub ring: Bitboard,
    pub ahead: usize,
    pub chased: Bitboard,
    /// Own pieces that an opposing piece attacks, or would if one piece stepped out of the way; the king apart.
    pub exposed: Bitboard,
    /// The parts of the board where the kings stand, 0 to 15.
    pub courts: usize,
    /// For each file which pawns stand on it and beside it, 0 to 15.
    pub structure: [usize; 8],
    pub context: Context,
}

impl<'a> Scene<'a> {
    pub fn new(pos: &'a Chess, context: Context) -> Scene<'a> {
        let board = pos.board();
        let us = pos.turn();
        let (ours, theirs) = (board.by_color(us), board.by_color(!us));
        let attacked = attacked_by(board, theirs);
        let king = board.king_of(!us);
        let (checks, discoverers) = king.map_or_else(Default::default, |k| checking(board, us, k));
        let (mine, other) = (pieces(board, ours), pieces(board, theirs));
        let pawns = |c: Bitboard| (c & board.pawns()).count() as i32;
        let balance = mine + pawns(ours) - other - pawns(theirs);
        Scene {
            pos,
            board,
            us,
            occupied: board.occupied(),
            ours,
            theirs,
            king,
            phase: phase(board, mine + other),
            attacked,
            pawn_attacked: pawn_span(theirs & board.pawns(), !us),
            pawn_covered: pawn_span(ours & board.pawns(), us),
            hanging: hanging(board, us, attacked),
            checks,
            discoverers,
            checkers: pos.checkers(),
            ring: king.map_or(Bitboard::EMPTY, |k| king_attacks(k).with(k)),
            ahead: match balance {
                ..=-2 => 0,
                -1..=1 => 1,
                _ => 2,
            },
            chased: context.last.map_or(Bitboard::EMPTY, |(_, to, _)| board.attacks_from(to) & ours),
            exposed: exposed(board, us, attacked),
            courts: court(board.king_of(us), us) * 4 + court(king, !us),
            structure: structure(board, ours, theirs),
            context,
        }
    }
}

/// The squares that the pieces of a set attack.
fn attacked_by(board: &Board, pieces: Bitboard) -> Bitboard {
    pieces.into_iter().fold(Bitboard::EMPTY, |seen, s| seen | board.attacks_from(s))
}

/// Own pieces that can be taken with profit.
fn hanging(board: &Board, us: Color, attacked: Bitboard) -> Bitboard {
    let ours = board.by_color(us);
    let covered = attacked_by(board, ours);
    let mut hanging = Bitboard::EMPTY;
    for s in ours & attacked & !board.kings() {
        let role = board.role_at(s).unwrap_or(Role::Pawn);
        let least = cheapest(board, board.attacks_to(s, !us, board.occupied()));
        if let Some((_, r)) = least
            && (value(r) < value(role) || !covered.contains(s))
        {
            hanging = hanging.with(s);
        }
    }
    hanging
}

/// From where each kind of piece gives check to the king on `k`, and which pieces uncover a check by leaving.
fn checking(board: &Board, us: Color, k: Square) -> ([Bitboard; 6], Bitboard) {
    let (occupied, ours) = (board.occupied(), board.by_color(us));
    let (diagonal, straight) = (bishop_attacks(k, occupied), rook_attacks(k, occupied));
    let checks =
        [pawn_attacks(!us, k), knight_attacks(k), diagonal, straight, diagonal | straight, Bitboard::EMPTY];
    let snipers = ours
        & ((bishop_attacks(k, Bitboard::EMPTY) & board.bishops_and_queens())
            | (rook_attacks(k, Bitboard::EMPTY) & board.rooks_and_queens()));
    let mut discoverers = Bitboard::EMPTY;
    for s in snipers {
        let blockers = between(k, s) & occupied;
        if !blockers.more_than_one() {
            discoverers |= blockers & ours;
        }
    }
    (checks, discoverers)
}

/// The worth of the pieces of a set, pawns and king apart.
fn pieces(board: &Board, set: Bitboard) -> i32 {
    3 * (set & (board.knights() | board.bishops())).count() as i32
        + 5 * (set & board.rooks()).count() as i32
        + 9 * (set & board.queens()).count() as i32
}

/// Opening, middle game or ending, 0 to 2; `material` is the worth of all pieces.
fn phase(board: &Board, material: i32) -> usize {
    let home = Bitboard::from_square(Square::B1)
        | Square::C1
        | Square::F1
        | Square::G1
        | Square::B8
        | Square::C8
        | Square::F8
        | Square::G8;
    let undeveloped = (home & (board.knights() | board.bishops())).count();
    if material <= 26 {
        2
    } else if undeveloped >= 3 {
        0
    } else {
        1
    }
}

/// For each file which pawns stand on it and beside it, 0 to 15.
fn structure(board: &Board, ours: Bitboard, theirs: Bitboard) -> [usize; 8] {
    std::array::from_fn(|f| {
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
    })
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

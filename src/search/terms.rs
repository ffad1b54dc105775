//! What the evaluation sees on a board: a list of terms, each counted for White minus Black.
//!
//! One walk serves two readers: the evaluation adds up weights, and the fitting of the weights writes the counts down.

use shakmaty::{Bitboard, Board, Color, File, Rank, Role, attacks};

/// Takes each term as it is found.
pub trait Tally {
    /// `term` occurs `count` times more for White than was told so far (negative: for Black).
    fn add(&mut self, term: usize, count: i32);
}

/// Where each group of terms begins in the list of weights.
pub mod index {
    /// Pawn, knight, bishop, rook, queen.
    pub const MATERIAL: usize = 0;
    /// Six roles of 32 squares: rank from the owner's side, file folded onto a to d.
    pub const PLACE: usize = MATERIAL + 5;
    /// Two bishops.
    pub const BISHOP_PAIR: usize = PLACE + 6 * 32;
    /// A pawn with another of its own before it.
    pub const DOUBLED: usize = BISHOP_PAIR + 1;
    /// A pawn without a neighbour on the next files.
    pub const ISOLATED: usize = DOUBLED + 1;
    /// A pawn whose stop square is under a pawn's attack and that no pawn can support any more.
    pub const BACKWARD: usize = ISOLATED + 1;
    /// A pawn defended by a pawn, by rank.
    pub const SUPPORTED: usize = BACKWARD + 1;
    /// A pawn with a neighbour on its rank, by rank.
    pub const PHALANX: usize = SUPPORTED + 8;
    /// A passed pawn, by rank.
    pub const PASSED: usize = PHALANX + 8;
    /// A passed pawn with a piece before it, by rank.
    pub const PASSED_BLOCKED: usize = PASSED + 8;
    /// A passed pawn of the fourth rank or beyond: steps from the own king to its stop square.
    pub const PASSED_OWN_KING: usize = PASSED_BLOCKED + 8;
    /// The same from the other king.
    pub const PASSED_THEIR_KING: usize = PASSED_OWN_KING + 1;
    /// Squares that a knight can go to, 0 to 8.
    pub const KNIGHT_MOBILITY: usize = PASSED_THEIR_KING + 1;
    /// Squares that a bishop can go to, 0 to 13.
    pub const BISHOP_MOBILITY: usize = KNIGHT_MOBILITY + 9;
    /// Squares that a rook can go to, 0 to 14.
    pub const ROOK_MOBILITY: usize = BISHOP_MOBILITY + 14;
    /// Squares that a queen can go to, 0 to 27.
    pub const QUEEN_MOBILITY: usize = ROOK_MOBILITY + 15;
    /// A knight, then a bishop, defended by a pawn beyond the reach of the other pawns.
    pub const OUTPOST: usize = QUEEN_MOBILITY + 28;
    /// A rook on a file without pawns.
    pub const ROOK_OPEN: usize = OUTPOST + 2;
    /// A rook on a file without own pawns.
    pub const ROOK_HALF_OPEN: usize = ROOK_OPEN + 1;
    /// Own pawns on the two ranks before the king, 0 to 5 and more.
    pub const KING_SHIELD: usize = ROOK_HALF_OPEN + 1;
    /// Files at the king without own pawns, 0 to 3.
    pub const KING_FILES: usize = KING_SHIELD + 6;
    /// Weight of the attack on the other king's neighbourhood, 0 to 19 and more.
    pub const KING_ATTACK: usize = KING_FILES + 4;
    /// Squares from which a knight, bishop, rook, queen could give a check that nothing answers by capture.
    pub const SAFE_CHECK: usize = KING_ATTACK + 20;
    /// A pawn attacks a knight or bishop, a rook, a queen.
    pub const PAWN_THREAT: usize = SAFE_CHECK + 4;
    /// A knight or bishop attacks a rook, a queen.
    pub const MINOR_THREAT: usize = PAWN_THREAT + 3;
    /// A rook attacks a queen.
    pub const ROOK_THREAT: usize = MINOR_THREAT + 2;
    /// An attacked pawn, then an attacked piece, without a defender.
    pub const HANGING: usize = ROOK_THREAT + 1;
    /// To be on move.
    pub const TEMPO: usize = HANGING + 2;
    /// How many terms there are.
    pub const COUNT: usize = TEMPO + 1;
}

/// Weight of all pieces in the opening: one for a minor piece, two for a rook, four for a queen.
pub const FULL_PHASE: i32 = 24;

/// How much of the opening is left on the board, 0 to [`FULL_PHASE`].
pub fn phase(board: &Board) -> i32 {
    let minors = (board.knights() | board.bishops()).count() as i32;
    let rooks = board.rooks().count() as i32;
    let queens = board.queens().count() as i32;
    (minors + 2 * rooks + 4 * queens).min(FULL_PHASE)
}

/// What one side attacks.
struct Reach {
    pawns: Bitboard,
    by_role: [Bitboard; 7],
    all: Bitboard,
    twice: Bitboard,
}

impl Reach {
    fn of(board: &Board, side: Color) -> Reach {
        let mut reach = Reach {
            pawns: Bitboard::EMPTY,
            by_role: [Bitboard::EMPTY; 7],
            all: Bitboard::EMPTY,
            twice: Bitboard::EMPTY,
        };
        let pawns = board.pawns() & board.by_color(side);
        let (left, right) = pawn_attacks(pawns, side);
        reach.pawns = left | right;
        reach.add(Role::Pawn, left);
        reach.add(Role::Pawn, right);
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
            for from in board.by_role(role) & board.by_color(side) {
                reach.add(role, attacks::attacks(from, role.of(side), board.occupied()));
            }
        }
        reach
    }

    fn add(&mut self, role: Role, squares: Bitboard) {
        self.twice |= self.all & squares;
        self.all |= squares;
        self.by_role[usize::from(role)] |= squares;
    }
}

const NOT_A: Bitboard = Bitboard(!0x0101_0101_0101_0101);
const NOT_H: Bitboard = Bitboard(!0x8080_8080_8080_8080);

fn pawn_attacks(pawns: Bitboard, side: Color) -> (Bitboard, Bitboard) {
    let (left, right) = side.fold_wb((7, 9), (-9, -7));
    ((pawns & NOT_A).shift(left), (pawns & NOT_H).shift(right))
}

fn adjacent_files(file: File) -> Bitboard {
    let own = Bitboard::from_file(file);
    (own & NOT_A).shift(-1) | (own & NOT_H).shift(1)
}

/// The ranks beyond `rank`, as `side` sees it.
fn ahead(side: Color, rank: Rank) -> Bitboard {
    let number = rank.to_u32();
    match side {
        Color::White if number == 7 => Bitboard::EMPTY,
        Color::White => Bitboard(!0 << (8 * (number + 1))),
        Color::Black => Bitboard((1 << (8 * number)) - 1),
    }
}

/// Tells `tally` every term of the board. The side to move is not looked at; its term is the caller's.
pub fn walk<T: Tally>(board: &Board, tally: &mut T) {
    let reach = [Reach::of(board, Color::White), Reach::of(board, Color::Black)];
    for (side, sign) in [(Color::White, 1), (Color::Black, -1)] {
        let (own, other) = side.fold_wb((&reach[0], &reach[1]), (&reach[1], &reach[0]));
        place(board, side, sign, tally);
        pawns(board, side, sign, own, other, tally);
        pieces(board, side, sign, own, other, tally);
        king(board, side, sign, own, other, tally);
        threats(board, side, sign, own, other, tally);
    }
}

fn place<T: Tally>(board: &Board, side: Color, sign: i32, tally: &mut T) {
    for role in Role::ALL {
        let base = index::PLACE + (usize::from(role) - 1) * 32;
        for square in board.by_role(role) & board.by_color(side) {
            if role != Role::King {
                tally.add(index::MATERIAL + usize::from(role) - 1, sign);
            }
            let rank = side.relative_rank(square.rank()).to_usize();
            let file = square.file().to_usize();
            tally.add(base + rank * 4 + file.min(7 - file), sign);
        }
    }
    if (board.bishops() & board.by_color(side)).count() >= 2 {
        tally.add(index::BISHOP_PAIR, sign);
    }
}

fn pawns<T: Tally>(board: &Board, side: Color, sign: i32, own: &Reach, other: &Reach, tally: &mut T) {
    let mine = board.pawns() & board.by_color(side);
    let theirs = board.pawns() & board.by_color(!side);
    for square in mine {
        let relative = side.relative_rank(square.rank()).to_usize();
        let front = ahead(side, square.rank());
        let file = Bitboard::from_file(square.file());
        let beside = adjacent_files(square.file());
        let stop = square.offset(side.fold_wb(8, -8));

        let doubled = (mine & file & front).any();
        if doubled {
            tally.add(index::DOUBLED, sign);
        }
        if (mine & beside).is_empty() {
            tally.add(index::ISOLATED, sign);
        } else if (mine & beside & !front).is_empty() && stop.is_some_and(|stop| other.pawns.contains(stop)) {
            tally.add(index::BACKWARD, sign);
        }
        if own.pawns.contains(square) {
            tally.add(index::SUPPORTED + relative, sign);
        }
        if (mine & beside & Bitboard::from_rank(square.rank())).any() {
            tally.add(index::PHALANX + relative, sign);
        }
        if !doubled && (theirs & (file | beside) & front).is_empty() {
            tally.add(index::PASSED + relative, sign);
            let Some(stop) = stop else { continue };
            if board.occupied().contains(stop) {
                tally.add(index::PASSED_BLOCKED + relative, sign);
            }
            if relative >= 3 {
                for (king, term) in [(side, index::PASSED_OWN_KING), (!side, index::PASSED_THEIR_KING)] {
                    if let Some(king) = board.king_of(king) {
                        tally.add(term, sign * king.distance(stop) as i32);
                    }
                }
            }
        }
    }
}

fn pieces<T: Tally>(board: &Board, side: Color, sign: i32, own: &Reach, other: &Reach, tally: &mut T) {
    let mine = board.by_color(side);
    let my_pawns = board.pawns() & mine;
    let their_pawns = board.pawns() & board.by_color(!side);
    let open_to = !other.pawns & !my_pawns & !(board.kings() & mine);
    for (role, base) in [
        (Role::Knight, index::KNIGHT_MOBILITY),
        (Role::Bishop, index::BISHOP_MOBILITY),
        (Role::Rook, index::ROOK_MOBILITY),
        (Role::Queen, index::QUEEN_MOBILITY),
    ] {
        for square in board.by_role(role) & mine {
            let reached = attacks::attacks(square, role.of(side), board.occupied());
            tally.add(base + (reached & open_to).count(), sign);
            if role == Role::Rook {
                let file = Bitboard::from_file(square.file());
                if (board.pawns() & file).is_empty() {
                    tally.add(index::ROOK_OPEN, sign);
                } else if (my_pawns & file).is_empty() {
                    tally.add(index::ROOK_HALF_OPEN, sign);
                }
            }
            let minor = matches!(role, Role::Knight | Role::Bishop);
            if minor
                && own.pawns.contains(square)
                && side.relative_rank(square.rank()) >= Rank::Fourth
                && (their_pawns & adjacent_files(square.file()) & ahead(side, square.rank())).is_empty()
            {
                tally.add(index::OUTPOST + usize::from(role == Role::Bishop), sign);
            }
        }
    }
}

fn king<T: Tally>(board: &Board, side: Color, sign: i32, own: &Reach, other: &Reach, tally: &mut T) {
    if let Some(king) = board.king_of(side) {
        let mine = board.pawns() & board.by_color(side);
        let files = Bitboard::from_file(king.file()) | adjacent_files(king.file());
        let front = ahead(side, king.rank());
        let two_ranks = front & !king_step(king.rank(), side);
        tally.add(index::KING_SHIELD + (mine & files & two_ranks).count().min(5), sign);
        let bare = File::ALL
            .into_iter()
            .map(Bitboard::from_file)
            .filter(|&file| (file & files).any() && (file & mine).is_empty())
            .count();
        tally.add(index::KING_FILES + bare, sign);
    }

    let Some(target) = board.king_of(!side) else { return };
    let ring = attacks::king_attacks(target).with(target);
    let mut units = 0;
    for (role, weight) in [(Role::Knight, 2), (Role::Bishop, 2), (Role::Rook, 3), (Role::Queen, 4)] {
        for square in board.by_role(role) & board.by_color(side) {
            let hits = attacks::attacks(square, role.of(side), board.occupied()) & ring;
            if hits.any() {
                units += weight + (hits & !other.pawns).count().min(3) - 1;
            }
        }
    }
    tally.add(index::KING_ATTACK + units.min(19), sign);

    let safe = !board.by_color(side)
        & (!other.all | (own.twice & !other.twice & other.by_role[usize::from(Role::King)] & !other.pawns));
    let straight = attacks::rook_attacks(target, board.occupied());
    let diagonal = attacks::bishop_attacks(target, board.occupied());
    for (slot, (role, from)) in [
        (Role::Knight, attacks::knight_attacks(target)),
        (Role::Bishop, diagonal),
        (Role::Rook, straight),
        (Role::Queen, straight | diagonal),
    ]
    .into_iter()
    .enumerate()
    {
        let checks = (from & safe & own.by_role[usize::from(role)]).count() as i32;
        if checks > 0 {
            tally.add(index::SAFE_CHECK + slot, sign * checks.min(2));
        }
    }
}

/// Everything beyond the two ranks before `rank`, as `side` sees it.
fn king_step(rank: Rank, side: Color) -> Bitboard {
    rank.offset(side.fold_wb(2, -2)).map_or(Bitboard::EMPTY, |second| ahead(side, second))
}

fn threats<T: Tally>(board: &Board, side: Color, sign: i32, own: &Reach, other: &Reach, tally: &mut T) {
    let theirs = board.by_color(!side);
    let minors = (board.knights() | board.bishops()) & theirs;
    let rooks = board.rooks() & theirs;
    let queens = board.queens() & theirs;
    let by_minor = own.by_role[usize::from(Role::Knight)] | own.by_role[usize::from(Role::Bishop)];
    let loose = own.all & !other.all;
    for (term, squares) in [
        (index::PAWN_THREAT, own.pawns & minors),
        (index::PAWN_THREAT + 1, own.pawns & rooks),
        (index::PAWN_THREAT + 2, own.pawns & queens),
        (index::MINOR_THREAT, by_minor & rooks),
        (index::MINOR_THREAT + 1, by_minor & queens),
        (index::ROOK_THREAT, own.by_role[usize::from(Role::Rook)] & queens),
        (index::HANGING, loose & board.pawns() & theirs),
        (index::HANGING + 1, loose & (minors | rooks | queens)),
    ] {
        if squares.any() {
            tally.add(term, sign * squares.count() as i32);
        }
    }
}

//! Mate proofs against a plain enumeration of every line.

#![allow(clippy::unwrap_used)] // a test may fail by a panic

use pgn_audit::{
    engine::{Evaluation, WhiteScore},
    search::mate::{BUDGET, MateProof, Verdict, mates, prove},
};
use proptest::prelude::*;
use shakmaty::{Board, CastlingMode, Chess, Color, Move, Position, Role, Setup, Square, fen::Fen, san::San};

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

fn after(position: &Chess, mv: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}

/// Best outcome for the mover within so many plies, every move looked at: 1 mates, -1 is mated, 0 neither.
fn negamax(position: &Chess, plies: u32) -> i32 {
    let values: Vec<i32> = position
        .legal_moves()
        .iter()
        .map(|&mv| if plies == 0 { 0 } else { -negamax(&after(position, mv), plies - 1) })
        .collect();
    match values.iter().max() {
        Some(&best) => best,
        None if position.is_check() => -1,
        None => 0,
    }
}

fn enumerate(position: &Chess, longest: u32) -> MateProof {
    for n in 1..=longest {
        let mut first_moves: Vec<Move> = position
            .legal_moves()
            .into_iter()
            .filter(|&mv| negamax(&after(position, mv), 2 * n - 2) == -1)
            .collect();
        if !first_moves.is_empty() {
            first_moves.sort_by_cached_key(|&mv| sans(position, &[mv]));
            return MateProof::Proven { n, first_moves };
        }
    }
    MateProof::Refuted
}

fn sans(position: &Chess, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&mv| shakmaty::san::SanPlus::from_move(position.clone(), mv).to_string()).collect()
}

/// Kings and up to four heavy pieces, where legal.
fn few_pieces() -> impl Strategy<Value = Chess> {
    let piece = (0usize..64, 1u32..6, any::<bool>());
    (0usize..64, 0usize..64, prop::collection::vec(piece, 1..5)).prop_filter_map(
        "not a legal position",
        |(white, black, pieces)| {
            let mut board = Board::empty();
            for (square, role, own) in pieces {
                let color = if own { Color::White } else { Color::Black };
                board.set_piece_at(Square::new(square as u32), Role::try_from(role).ok()?.of(color));
            }
            board.set_piece_at(Square::new(white as u32), Role::King.of(Color::White));
            board.set_piece_at(Square::new(black as u32), Role::King.of(Color::Black));
            let setup = Setup { board, ..Setup::empty() };
            setup.position::<Chess>(CastlingMode::Standard).ok()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn agrees_with_enumeration(position in few_pieces()) {
        prop_assert_eq!(prove(&position, 2, BUDGET), enumerate(&position, 2));
    }
}

#[test]
fn finds_every_first_move() {
    for (fen, n, moves) in [
        ("6k1/5ppp/8/8/8/8/8/K2RR3 w - - 0 1", 1, vec!["Rd8#", "Re8#"]),
        ("k7/7Q/1K6/8/8/8/8/8 w - - 0 1", 1, vec!["Qa7#", "Qb7#", "Qg8#", "Qh8#"]),
    ] {
        let position = position(fen);
        let MateProof::Proven { n: found, first_moves } = prove(&position, 3, BUDGET) else {
            panic!("{fen}: not proven");
        };
        assert_eq!(
            (found, sans(&position, &first_moves)),
            (n, moves.iter().map(|m| m.to_string()).collect()),
            "{fen}"
        );
    }
}

#[test]
fn three_moves_as_enumerated() {
    for fen in [
        "7k/8/8/8/8/8/1R6/R5K1 w - - 0 1",
        "k7/8/2K5/8/8/8/8/6R1 w - - 0 1",
        "7k/4K3/8/6PP/8/8/8/8 w - - 0 1",
    ] {
        let position = position(fen);
        assert_eq!(prove(&position, 3, BUDGET), enumerate(&position, 3), "{fen}");
    }
}

#[test]
fn a_spent_budget_is_no_refutation() {
    let position = position("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 1");
    assert_eq!(prove(&position, 3, 500), MateProof::Unverifiable);
    assert_eq!(prove(&position, 2, BUDGET), MateProof::Refuted);
}

/// The game from the start by SAN: positions before each move and after the last, and the moves.
fn game(sans: &str) -> (Vec<Chess>, Vec<Move>) {
    let (mut positions, mut moves) = (vec![Chess::default()], Vec::new());
    for san in sans.split_whitespace() {
        let last = positions.last().unwrap();
        let mv = san.parse::<San>().unwrap().to_move(last).unwrap();
        positions.push(after(last, mv));
        moves.push(mv);
    }
    (positions, moves)
}

fn word(cp: i32) -> Evaluation {
    Evaluation { score: WhiteScore { cp }, best: None, depth: 1, pv: Vec::new(), steps: Vec::new() }
}

#[test]
fn mates_of_a_game_played_missed_and_claimed() {
    let (positions, moves) = game("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7");
    let found = mates(&positions, &moves, &[], BUDGET);
    let last = found.last().unwrap();
    assert_eq!((last.ply, last.side, last.moves_to_mate), (7, Color::White, 1));
    assert_eq!((last.verdict, last.kept, last.claimed), (Verdict::Proven, Some(true), None));
    assert_eq!(last.first_moves, ["Qxf7#"]);

    let (positions, moves) = game("f3 e5 g4 d6 Nc3 Be7");
    let missed = &mates(&positions, &moves, &[], BUDGET)[0];
    assert_eq!((missed.ply, missed.side, missed.kept), (4, Color::Black, Some(false)));
    assert_eq!(missed.first_moves, ["Qh4#"]);

    let (positions, moves) = game("e4 e5");
    let claims = [word(9_998), word(20), word(9_997)];
    let found = mates(&positions, &moves, &claims, 2_000);
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].ply, found[0].claimed, found[0].kept), (1, Some(2), None));
    assert_eq!((found[1].ply, found[1].verdict), (3, Verdict::Unverifiable));
    assert_eq!(mates(&positions, &moves, &claims, BUDGET)[0].verdict, Verdict::Refuted);
}

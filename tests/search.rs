//! What the built-in engine promises: the answer depends on position and depth alone, and colours don't matter.

#![allow(clippy::unwrap_used)] // a test may fail by a panic

use pgn_audit::search::{self, Engine, evaluate::evaluate, mirrored};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen, uci::UciMove};

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

/// The position after a game of random moves.
fn wander(choices: &[u16]) -> Chess {
    let mut position = Chess::default();
    for &choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play_unchecked(moves[choice as usize % moves.len()]);
    }
    position
}

/// Lists legal moves in an order that is different each time.
fn shuffler(seed: u64) -> impl FnMut(&Chess) -> shakmaty::MoveList {
    let mut state = seed | 1;
    move |position| {
        let mut moves = position.legal_moves();
        for last in (1..moves.len()).rev() {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            moves.swap(last, (state % (last as u64 + 1)) as usize);
        }
        moves
    }
}

const MIDDLEGAMES: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R b KQkq - 0 1",
    "r2q1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 w - - 0 1",
    "8/2p3k1/1p1p2p1/p2P3p/P1P2K1P/6P1/8/8 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4r1k1/5ppp/8/8/8/2B5/5PPP/Q5K1 b - - 0 1",
];

#[test]
fn the_order_of_generation_changes_nothing() {
    for fen in MIDDLEGAMES {
        let position = position(fen);
        let mut straight = Engine::default();
        let expected = straight.best(&position, 6);
        for seed in [3, 1_000_003, 77_777_777_777] {
            let mut shuffled = Engine::new(shuffler(seed));
            let found = shuffled.best(&position, 6);
            assert_eq!(found.score, expected.score, "{fen}");
            assert_eq!(found.pv, expected.pv, "{fen}");
            assert_eq!(shuffled.nodes(), straight.nodes(), "{fen}: not the same tree");
        }
    }
}

#[test]
fn earlier_searches_change_nothing() {
    let mut engine = Engine::default();
    for fen in MIDDLEGAMES {
        let used = engine.best(&position(fen), 5);
        let fresh = search::best(&position(fen), 5);
        assert_eq!((used.score, used.pv), (fresh.score, fresh.pv), "{fen}");
    }
}

#[test]
fn counters_change_nothing() {
    let mut engine = Engine::default();
    let early = engine.best(&position("8/2p3k1/1p1p2p1/p2P3p/P1P2K1P/6P1/8/8 w - - 0 1"), 6);
    let late = engine.best(&position("8/2p3k1/1p1p2p1/p2P3p/P1P2K1P/6P1/8/8 w - - 97 90"), 6);
    assert_eq!((early.score, early.pv), (late.score, late.pv));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn mirrored_positions_score_the_negative(choices in prop::collection::vec(any::<u16>(), 0..120)) {
        let position = wander(&choices);
        let mirror = mirrored(&position).expect("a position of a game");
        prop_assert_eq!(evaluate(&position), evaluate(&mirror));
        let mut engine = Engine::default();
        let (one, other) = (engine.best(&position, 4), engine.best(&mirror, 4));
        prop_assert_eq!(one.score.cp, -other.score.cp);
        prop_assert_eq!(one.best.map(|mv| mv.to_mirrored()), other.best);
        prop_assert_eq!(one.pv.len(), other.pv.len());
    }

    #[test]
    fn the_variation_is_legal(choices in prop::collection::vec(any::<u16>(), 0..120)) {
        let mut position = wander(&choices);
        let word = search::best(&position, 4);
        prop_assert_eq!(word.best, word.pv.first().copied());
        prop_assert_eq!(word.best.is_none(), position.is_game_over());
        for mv in word.pv {
            prop_assert!(position.is_legal(mv));
            position.play_unchecked(mv);
        }
    }
}

#[test]
fn finished_games_are_the_rules_business() {
    for (fen, cp) in [
        ("3R2k1/5ppp/8/8/8/8/8/K7 b - - 0 1", 10_000),
        ("k7/8/8/8/8/8/5PPP/3r2K1 w - - 0 1", -10_000),
        ("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", 0),
        ("k7/8/1K6/8/8/8/8/8 b - - 0 1", 0),
    ] {
        let word = search::best(&position(fen), 8);
        assert_eq!((word.score.cp, word.best, word.depth), (cp, None, 0), "{fen}");
    }
}

#[test]
fn mates_are_counted_in_moves() {
    for (fen, cp, best) in [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 9_999, Some("d1d8")),
        ("k2r4/8/8/8/8/8/5PPP/6K1 b - - 0 1", -9_999, Some("d8d1")),
        ("7k/8/8/8/8/R7/1R6/6K1 w - - 0 1", 9_998, None),
        ("6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1", 9_998, None),
    ] {
        let position = position(fen);
        let word = search::best(&position, 7);
        assert_eq!(word.score.cp, cp, "{fen}");
        if let Some(best) = best {
            let best = best.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            assert_eq!(word.best, Some(best), "{fen}");
        }
    }
}

#[test]
fn wins_what_hangs() {
    // Two pawns against a rook that a fork wins back with a knight to spare.
    for (fen, best) in [
        ("r3k3/8/8/3N4/8/8/5PPP/6K1 w q - 0 1", "d5c7"),
        ("4k3/8/8/2q5/8/8/5PPP/2R3K1 w - - 0 1", "c1c5"),
        ("6k1/5ppp/8/8/8/3n4/5PPP/3R2K1 w - - 0 1", "d1d3"),
    ] {
        let position = position(fen);
        let word = search::best(&position, 6);
        assert_eq!(
            word.best.map(|mv| mv.to_uci(CastlingMode::Standard).to_string()).as_deref(),
            Some(best),
            "{fen}"
        );
    }
}

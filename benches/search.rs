//! Speed of the built-in engine and of mate proofs.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use pgn_audit::search::{
    Engine,
    evaluate::evaluate,
    mate::{BUDGET, prove},
};
use shakmaty::{CastlingMode, Chess, fen::Fen};

const MIDDLEGAME: &str = "r2q1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 w - - 0 1";
const ATTACK: &str = "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w - - 0 1";

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN of this file");
    fen.into_position(CastlingMode::Standard).expect("a legal position")
}

fn search(criterion: &mut Criterion) {
    let (middlegame, attack) = (position(MIDDLEGAME), position(ATTACK));
    let mut engine = Engine::default();
    criterion.bench_function("evaluate", |b| b.iter(|| evaluate(black_box(&middlegame))));
    criterion.bench_function("depth 8", |b| b.iter(|| engine.best(black_box(&middlegame), 8)));
    criterion.bench_function("mate in 3", |b| b.iter(|| prove(black_box(&attack), 3, BUDGET)));
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = search
}
criterion_main!(benches);

//! Time to repair one sheet of 45 plies: untouched, with one fault, with three.
#![allow(missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use pgn_audit::{
    repair::{Cell, Limits, Problem, repair},
    sheet::Span,
};
use shakmaty::Chess;

const GAME: &str = "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O Nf3 Nbd7 Rc1 c6 Bd3 dxc4 Bxc4 Nd5 Bxe7 Qxe7 O-O Nxc3 Rxc3 e5 dxe5 \
                    Nxe5 Nxe5 Qxe5 f4 Qe4 Bb3 Bf5 Qh5 g6 Qh6 Rad8 Bc2 Qd5 e4 Bxe4 Rh3 Qc5+ Kh1 Bxc2 Qxh7#";

fn problem(faults: &[(usize, &str)]) -> Problem {
    let mut texts: Vec<&str> = GAME.split_ascii_whitespace().collect();
    for &(i, t) in faults {
        texts[i] = t;
    }
    let cells = texts
        .into_iter()
        .map(|t| Cell { text: t.to_owned(), number: None, side: None, span: Span::default() })
        .collect();
    Problem { start: Chess::default(), first_number: 1, cells, result: None }
}

fn bench(c: &mut Criterion) {
    let limits = Limits::default();
    for (name, faults) in [
        ("clean", &[][..]),
        ("one fault", &[(12, "Rb1")]),
        ("three faults", &[(12, "Rb1"), (25, "--"), (33, "g5")]),
    ] {
        let p = problem(faults);
        c.bench_function(name, |b| b.iter(|| repair(&p, &limits)));
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);

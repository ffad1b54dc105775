//! Reading and replaying well-kept games: the short cut, the full reader, and a bare pgn-reader loop beside them.

use std::{hint::black_box, ops::ControlFlow};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pgn_audit::{
    check::{format::Format, run::Job, stream::Batch},
    examine::Options,
};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Chess, Position, san::SanPlus as Written};

/// Games of pseudo-random legal moves, the same on every machine.
fn games(count: usize) -> String {
    let mut dice = 0x9e37_79b9_7f4a_7c15_u64;
    let mut text = String::new();
    for game in 0..count {
        let mut pos = Chess::default();
        text += &format!("[Event \"Game {game}\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n");
        for ply in 0..80 {
            let legal = pos.legal_moves();
            if legal.is_empty() || pos.is_insufficient_material() {
                break;
            }
            dice ^= dice << 13;
            dice ^= dice >> 7;
            dice ^= dice << 17;
            let mv = legal[(dice >> 33) as usize % legal.len()];
            let mut after = pos.clone();
            let san = Written::from_move_and_play_unchecked(&mut after, mv);
            if after.legal_moves().is_empty() || after.is_insufficient_material() {
                break;
            }
            if ply % 2 == 0 {
                text += &format!("{}. ", ply / 2 + 1);
            }
            text += &format!("{san}{}", if ply % 16 == 15 { '\n' } else { ' ' });
            pos = after;
        }
        text += "*\n\n";
    }
    text
}

struct Bare;

impl Visitor for Bare {
    type Tags = ();
    type Movetext = (Chess, usize);
    type Output = usize;

    fn begin_tags(&mut self) -> ControlFlow<usize, ()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, _: &mut (), _: &[u8], _: RawTag<'_>) -> ControlFlow<usize> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<usize, (Chess, usize)> {
        ControlFlow::Continue((Chess::default(), 0))
    }

    fn san(&mut self, (pos, plies): &mut (Chess, usize), san: SanPlus) -> ControlFlow<usize> {
        match san.san.to_move(pos) {
            Ok(mv) => {
                pos.play_unchecked(mv);
                *plies += 1;
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(*plies),
        }
    }

    fn end_game(&mut self, (_, plies): (Chess, usize)) -> usize {
        plies
    }
}

fn replay(c: &mut Criterion) {
    let text = games(400);
    let plies = text.split_whitespace().filter(|w| w.starts_with(|c: char| c.is_ascii_alphabetic())).count();
    let batch = Batch::whole(text.clone().into_bytes());
    let job =
        |thorough| Job { options: Options::default(), format: Format::Concise, coloured: false, thorough };
    let mut group = c.benchmark_group("replay");
    group.throughput(Throughput::Elements(plies as u64)).sample_size(20);
    group.bench_function("short cut", |b| b.iter(|| black_box(job(false).run("x", &batch)).counts.plies));
    group.bench_function("full reader", |b| b.iter(|| black_box(job(true).run("x", &batch)).counts.plies));
    group.bench_function("bare pgn-reader loop", |b| {
        b.iter(|| {
            let mut reader = Reader::new(text.as_bytes());
            let mut plies = 0;
            while let Some(n) = reader.read_game(&mut Bare).expect("memory is read without errors") {
                plies += n;
            }
            black_box(plies)
        });
    });
    group.finish();
}

criterion_group!(benches, replay);
criterion_main!(benches);

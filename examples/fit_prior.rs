//! Fits the weights of the move prior on games: `fit_prior DIR GAMES.pgn.gz... [TRUTH.jsonl...]`.
//!
//! Writes DIR/prior.txt, pairs.bin and book.bin; games of the truth files, on which the repair is measured, are left out.
//!
//! Softmax regression by AdaGrad, one position at a time; every 20th game is held out and only measured.
#![allow(clippy::print_stdout, missing_docs)]

use std::{
    collections::{HashMap, HashSet},
    error::Error,
    fmt::Write as _,
    fs::File,
    io::BufReader,
    ops::ControlFlow,
    path::Path,
};

use flate2::read::MultiGzDecoder;
use pgn_audit::repair::{
    prior::{Context, DENSE, UNITS, WEIGHTS, book, features_of},
    spell,
};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{Chess, Move, Position};

/// Games that agree for so many plies are one.
const OPENING: usize = 40;

struct Games;

impl Visitor for Games {
    type Tags = ();
    type Movetext = (Chess, Vec<Move>);
    type Output = Vec<Move>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), _: &[u8], _: RawTag<'_>) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue((Chess::default(), Vec::new()))
    }

    fn san(&mut self, (pos, moves): &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        match san.san.to_move(pos) {
            Ok(m) => {
                pos.play_unchecked(m);
                moves.push(m);
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(std::mem::take(moves)),
        }
    }

    fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, (_, moves): Self::Movetext) -> Self::Output {
        moves
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let out = args.next().ok_or("usage: fit_prior DIR GAMES.pgn.gz...")?;
    // The games of `truth.jsonl` files are what the repair is measured on: not fitted on.
    let (truths, files): (Vec<String>, Vec<String>) = args.partition(|a| a.ends_with(".jsonl"));
    let mut measured: HashSet<Vec<String>> = HashSet::new();
    for path in truths {
        for line in std::fs::read_to_string(path)?.lines() {
            let truth: serde_json::Value = serde_json::from_str(line)?;
            let moves = truth["moves"].as_array().ok_or("no moves")?;
            let bare =
                |san: &serde_json::Value| san.as_str().map(|s| s.trim_end_matches(['+', '#']).to_owned());
            measured.insert(moves.iter().filter_map(bare).take(OPENING).collect());
        }
    }
    let mut games = Vec::new();
    for path in files {
        let mut reader = Reader::new(BufReader::new(MultiGzDecoder::new(File::open(path)?)));
        while let Some(moves) = reader.read_game(&mut Games)? {
            let opening = &moves[..moves.len().min(OPENING)];
            if moves.len() >= 10
                && !measured.contains(
                    &spell(&Chess::default(), opening)
                        .iter()
                        .map(|s| s.trim_end_matches(['+', '#']).to_owned())
                        .collect::<Vec<_>>(),
                )
            {
                games.push(moves);
            }
        }
    }
    // Every game is judged by what the other games did.
    let mut counts: HashMap<u64, u32> = HashMap::new();
    for game in games.iter().enumerate().filter(|(g, _)| g % 20 != 0).map(|(_, m)| m) {
        let mut pos = Chess::default();
        for &m in game.iter().take(book::PLIES as usize) {
            *counts.entry(book::key(&pos)).or_default() += 1;
            pos.play_unchecked(m);
        }
    }
    let epochs: usize = std::env::var("EPOCHS").ok().and_then(|e| e.parse().ok()).unwrap_or(2);
    let mut weights = vec![0f32; WEIGHTS];
    let mut squares = vec![1e-2f32; WEIGHTS];
    let mut average = vec![0f64; WEIGHTS];
    for epoch in 0..=epochs {
        let last = epoch == epochs;
        if last {
            weights = average.iter().map(|&w| w as f32).collect();
        } else {
            average.fill(0.0);
        }
        let rate = 0.15 / (1.0 + epoch as f32);
        let (mut nats, mut seen, mut top1, mut top5) = (0f64, 0usize, 0usize, 0usize);
        let mut steps = 0f64;
        for k in 0..games.len() {
            // A fixed stride visits every game once in an order unlike the file's.
            let g = (k * 7919 + epoch * 31) % games.len();
            let held = g % 20 == 0;
            if last && !held {
                continue;
            }
            let mut pos = Chess::default();
            let mut context = Context::default();
            let mut line = Vec::new();
            if !held {
                let mut p = pos.clone();
                for &m in games[g].iter().take(book::PLIES as usize) {
                    line.push(book::key(&p));
                    p.play_unchecked(m);
                }
            }
            let elsewhere =
                |k: u64| counts.get(&k).map_or(0, |n| n - line.iter().filter(|&&x| x == k).count() as u32);
            for &m in &games[g] {
                let menu = features_of(&pos, context, elsewhere);
                let scores: Vec<f32> =
                    menu.iter().map(|(_, f)| f.iter().map(|&i| weights[i as usize]).sum()).collect();
                let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let total: f32 = scores.iter().map(|s| (s - top).exp()).sum();
                let played = menu.iter().position(|(x, _)| *x == m).ok_or("a played move is not legal")?;
                if held {
                    nats += f64::from(top + total.ln() - scores[played]);
                    let better = scores.iter().filter(|&&s| s > scores[played]).count();
                    seen += 1;
                    top1 += usize::from(better == 0);
                    top5 += usize::from(better < 5);
                } else {
                    for (i, (_, features)) in menu.iter().enumerate() {
                        let gradient = (scores[i] - top).exp() / total - f32::from(u8::from(i == played));
                        if gradient.abs() < 1e-3 {
                            continue;
                        }
                        for &f in features {
                            let f = f as usize;
                            squares[f] += gradient * gradient;
                            weights[f] -= rate * gradient / squares[f].sqrt();
                        }
                    }
                }
                pos.play_unchecked(m);
                context = context.after(m);
            }
            if !last && !held {
                // The mean over the epoch is a steadier estimate than its last value.
                steps += 1.0;
                for (a, &w) in average.iter_mut().zip(&weights) {
                    *a += (f64::from(w) - *a) / steps;
                }
            }
        }
        println!(
            "epoch {epoch}{}: {:.4} nats a ply, top-1 {:.1} %, top-5 {:.1} % on {seen} held-out plies",
            if last { " (averaged)" } else { "" },
            nats / seen as f64,
            100.0 * top1 as f64 / seen as f64,
            100.0 * top5 as f64 / seen as f64
        );
    }
    let mut text = String::new();
    for row in weights[..DENSE].chunks(64) {
        for (i, w) in row.iter().enumerate() {
            let _ = write!(text, "{}{:.0}", if i > 0 { " " } else { "" }, w * 100.0);
        }
        text.push('\n');
    }
    let out = Path::new(&out);
    std::fs::write(out.join("prior.txt"), text.replace("-0 ", "0 ").replace("-0\n", "0\n"))?;
    let pairs: Vec<u8> =
        weights[DENSE..].iter().map(|w| (w * UNITS).round().clamp(-127.0, 127.0) as i8 as u8).collect();
    std::fs::write(out.join("pairs.bin"), pairs)?;
    std::fs::write(out.join("book.bin"), book::write(counts))?;
    Ok(())
}

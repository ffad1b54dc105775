//! Draws positions and writes down what a strong engine says of each, for `eval_terms` and `tests/tools/fit_weights.py`.
//!
//! ```sh
//! cargo run --profile fast --example label_positions -- otb.pgn 14600 stockfish 9 >labels.tsv
//! cargo run --profile fast --example eval_terms <labels.tsv >terms.txt
//! python3 tests/tools/fit_weights.py src/search/terms.rs <terms.txt >weights.rs
//! ```
//! Lines of output: FEN, tab, White's centipawns. Half of the positions stand in a game, half come out of one by a
//! legal move drawn by lot, as a search meets more bad moves than players make. Only games that are not held out for
//! measuring are drawn from.

#![allow(clippy::print_stdout, reason = "a program that prints a table")]

mod games;

use std::{env, fs, sync::Arc};

use anyhow::bail;
use pgn_audit::engine::{Request, pool::Pool};
use shakmaty::{Chess, EnPassantMode, Position, fen::Fen};

/// Positions given to the engine at once; what is asked for is printed as it comes.
const BATCH: usize = 200;

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [file, count, engine, depth] = args.as_slice() else {
        bail!("arguments: FILE COUNT ENGINE DEPTH");
    };
    let depth = depth.parse()?;
    let mut pool = Pool::new(games::starter(engine)?.0, 1, Arc::default())?;
    for positions in draw(file, count.parse()?)?.chunks(BATCH) {
        let requests: Vec<Request> =
            positions.iter().map(|position| Request { position: position.clone(), depth }).collect();
        for (request, answer) in requests.iter().zip(pool.evaluate(&requests, &|_| {})?) {
            if answer.depth > 0 {
                println!(
                    "{}\t{}",
                    Fen::from_position(&request.position, EnPassantMode::Legal),
                    answer.score.cp
                );
            }
        }
    }
    Ok(())
}

fn draw(file: &str, count: usize) -> anyhow::Result<Vec<Chess>> {
    let mut lots = Vec::new();
    for (number, game) in (0u64..).zip(games::read(fs::File::open(file)?)?) {
        if !games::is_held_out(number) && games::is_usual(&game) {
            lots.extend(
                (0u64..).zip(game).map(|(ply, position)| (games::scramble(number << 16 | ply), position)),
            );
        }
    }
    lots.sort_by_key(|(lot, _)| *lot);
    lots.truncate(count);
    Ok(lots
        .into_iter()
        .map(|(lot, position)| if lot.is_multiple_of(2) { position } else { astray(position, lot) })
        .collect())
}

/// The position after a move drawn by `lot`, where there is one.
fn astray(mut position: Chess, lot: u64) -> Chess {
    let moves = position.legal_moves();
    if let Some(&mv) = moves.get((lot >> 8) as usize % moves.len().max(1)) {
        position.play_unchecked(mv);
    }
    position
}

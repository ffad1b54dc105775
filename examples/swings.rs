//! Measures how well engines find the moves that lose 180 centipawns, with a stronger engine as the judge.
//!
//! ```sh
//! cargo run --profile fast --example swings -- FOLDER test 1 otb.pgn:20,club.pgn:10 stockfish:14 gnuchess:8 builtin:10
//! ```
//! Arguments: a folder that keeps other engines' evaluations for the next run; which games to draw from, `test` (every
//! fifth of a file, which nothing of ours was fitted to) or `tune` (the others); the number that the draw starts from;
//! files with the number of games drawn from each; the judge and its depth; the engines to be measured and their depths.
//! A depth like `7/9` is two passes; `7/9+` is an audit's, which follows what is undecided, guided by the built-in engine,
//! whose time is counted too. Every engine runs alone in one process; seconds are those of the
//! processor, as the machine may have other work, and of the searches of this run, not of those in the folder.

#![allow(clippy::print_stdout, reason = "a program that prints a table")]

mod games;

use std::{collections::BTreeSet, env, fs, path::Path, sync::Arc};

use anyhow::{Context, bail};
use pgn_audit::{
    engine::{
        Evaluation,
        plan::{self, CLOSING, Plan},
        pool::Pool,
    },
    judge::{BLUNDER, doubtful, swing, undecided},
    search::builtin,
};
use shakmaty::{Chess, Position};

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [folder, share, seed, files, judge, contenders @ ..] = args.as_slice() else {
        bail!("arguments: FOLDER test|tune SEED FILE:COUNT[,FILE:COUNT] JUDGE:DEPTH [ENGINE:DEPTH]...");
    };
    let games = draw(files, share == "test", seed.parse()?)?;
    let positions: usize = games.iter().map(Vec::len).sum();
    println!("{} games, {} plies, judge {judge}", games.len(), positions - games.len());
    let folder = Path::new(folder);
    let (evaluations, work) = evaluate(judge, &games, folder)?;
    let truth = swings(&games, &evaluations);
    println!(
        "{:>16} {:>6} {:>6} {:>6} {:>9} {:>7} {:>5} {:>8} {:>7}",
        "", "swings", "found", "wrong", "precision", "recall", "F1", "searches", "seconds"
    );
    println!("{judge:>16} {:>6} {:>45}", truth.len(), work);
    for contender in contenders {
        let (evaluations, work) = evaluate(contender, &games, folder)?;
        let said = swings(&games, &evaluations);
        let found = said.intersection(&truth).count();
        let share = |all: usize| found as f64 / all.max(1) as f64;
        let (precision, recall) = (share(said.len()), share(truth.len()));
        let f1 = 2.0 * found as f64 / (said.len() + truth.len()).max(1) as f64;
        println!(
            "{contender:>16} {:>6} {found:>6} {:>6} {precision:>9.3} {recall:>7.3} {f1:>5.3} {work}",
            said.len(),
            said.len() - found
        );
    }
    Ok(())
}

/// Draws games of usual length from the held-out fifth of each file, or from the rest of it.
fn draw(files: &str, held_out: bool, seed: u64) -> anyhow::Result<Vec<Vec<Chess>>> {
    let mut drawn = Vec::new();
    for file in files.split(',') {
        let (path, count) = file.rsplit_once(':').context("each file needs a number of games: FILE:COUNT")?;
        let games = games::read(fs::File::open(path).context(path.to_owned())?)?;
        let mut lots: Vec<(u64, Vec<Chess>)> = (0u64..)
            .zip(games)
            .filter(|(number, game)| games::is_held_out(*number) == held_out && games::is_usual(game))
            .map(|(number, game)| (games::scramble(seed << 32 | number), game))
            .collect();
        lots.sort_by_key(|(lot, _)| *lot);
        drawn.extend(lots.into_iter().map(|(_, game)| game).take(count.parse()?));
    }
    Ok(drawn)
}

/// An engine's word on every position, and the searches and seconds of processor that it took.
fn evaluate(
    engine: &str,
    games: &[Vec<Chess>],
    folder: &Path,
) -> anyhow::Result<(Vec<Vec<Evaluation>>, String)> {
    let (name, depth) = engine.rsplit_once(':').context("an engine needs a depth: ENGINE:DEPTH")?;
    let guided = depth.ends_with('+');
    let plan = match depth.trim_end_matches('+').split_once('/') {
        Some((shallow, deep)) => Plan { shallow: shallow.parse()?, deep: deep.parse()?, closing: CLOSING },
        None => Plan::uniform(depth.parse()?),
    };
    let before = games::processor_seconds()?;
    let (start, mark) = games::starter(name)?;
    let mut pool = Pool::new(start, 1, Arc::default())?;
    // Our own engine is what is being worked on; its answers of yesterday count for nothing.
    if name != "builtin" {
        pool = pool.with_cache(folder, &mark);
    }
    let mut evaluations = plan::evaluate(&mut pool, games, plan, &doubtful, &|_| {})?;
    if guided {
        let mut guide = Pool::new(games::starter("builtin")?.0, 1, Arc::default())?;
        let shallow = Plan::uniform(builtin::DEFAULT_DEPTH);
        let said = plan::evaluate(&mut guide, games, shallow, &doubtful, &|_| {})?;
        let open = |game: usize, positions: &[Chess], known: &[Evaluation]| {
            undecided(positions, known, Some(&said[game]), plan.deep)
        };
        plan::settle(&mut pool, games, &mut evaluations, plan.limit(), &open, &|_| {})?;
    }
    let searched = pool.work().searched;
    // The system adds up a child's time when it has ended.
    drop(pool);
    Ok((evaluations, format!("{searched:>8} {:>7.1}", games::processor_seconds()? - before)))
}

/// The moves that lose [`BLUNDER`] centipawns: game and ply.
fn swings(games: &[Vec<Chess>], evaluations: &[Vec<Evaluation>]) -> BTreeSet<(usize, usize)> {
    let mut found = BTreeSet::new();
    for (number, (game, evaluations)) in games.iter().zip(evaluations).enumerate() {
        for (ply, (position, pair)) in (1..).zip(game.iter().zip(evaluations.windows(2))) {
            if swing(position.turn(), pair[0].score, pair[1].score) >= BLUNDER {
                found.insert((number, ply));
            }
        }
    }
    found
}

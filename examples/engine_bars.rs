//! Measures the engine service on real games: how well a pool keeps its engines busy, and what the second, deeper
//! pass is worth against searching everything deep.
//!
//! ```sh
//! cargo run --profile fast --example engine_bars -- pool GAMES.pgn 10 8 2
//! cargo run --profile fast --example engine_bars -- stages GAMES.pgn 30 8 2
//! cargo run --profile fast --example engine_bars -- depths GAMES.pgn 30 8 2
//! ```
//! Arguments: what to measure, a PGN file, the number of games (spread evenly over the file), the depth of the first
//! pass, the number of processes, the engine (`gnuchess`), and how many plies further the second pass looks (as in an
//! audit). Nothing is taken from the cache, as times count; those of the processors say what a search costs whatever
//! else the machine does. `depths` tells how much a uniform search agrees with one that looks a ply further.

#![allow(clippy::print_stdout, reason = "a program that prints a table")]

mod games;

use std::{
    collections::BTreeSet,
    env, fs, io,
    sync::Arc,
    time::{Duration, Instant},
};

use pgn_audit::{
    engine::{
        Evaluation,
        locate::DEFAULT,
        plan::{self, Plan},
        pool::{Pool, Work},
    },
    judge::{BLUNDER, doubtful, swing},
};
use shakmaty::{Chess, Position};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [what, file, games, depth, processes, ..] = args.as_slice() else {
        return Err("arguments: pool|stages|depths FILE GAMES DEPTH PROCESSES [ENGINE [FURTHER]]".into());
    };
    let engine = args.get(5).map_or(DEFAULT, String::as_str);
    let games = sample(file, games.parse()?)?;
    let (depth, processes) = (depth.parse()?, processes.parse()?);
    let further = args.get(6).map_or_else(|| Ok(games::further(engine)), |plies| plies.parse())?;
    let positions: usize = games.iter().map(Vec::len).sum();
    println!("{} games, {positions} positions, {engine}, {processes} processes", games.len());
    match what.as_str() {
        "pool" => {
            run("plan", &games, Plan::two_passes(depth, further), engine, processes)?;
        }
        "stages" => {
            let staged = run("staged", &games, Plan::two_passes(depth, further), engine, processes)?;
            let deep = run("uniform", &games, Plan::uniform(depth + further), engine, processes)?;
            println!("staged finds the uniform list in {}", same(&staged, &deep));
        }
        "depths" => {
            let deep = run("uniform", &games, Plan::uniform(depth), engine, processes)?;
            let deeper = run("a ply deeper", &games, Plan::uniform(depth + 1), engine, processes)?;
            println!("a ply deeper finds the uniform list in {}", same(&deeper, &deep));
        }
        _ => return Err("measure what? pool, stages or depths".into()),
    }
    Ok(())
}

/// Evaluates the games and gives each one's blunders by ply.
fn run(
    label: &str,
    games: &[Vec<Chess>],
    plan: Plan,
    engine: &str,
    processes: usize,
) -> Result<Vec<BTreeSet<usize>>, Box<dyn std::error::Error>> {
    let mut pool = Pool::new(games::starter(engine)?.0, processes, Arc::default())?;
    let (started, spent) = (Instant::now(), games::processor_seconds()?);
    let evaluations = plan::evaluate(&mut pool, games, plan, &doubtful, &|_| {})?;
    let (wall, work) = (started.elapsed(), pool.work());
    // Only of processes that have ended is it known what they took.
    drop(pool);
    tell(label, wall, work, processes);
    println!("{:>14}  {:.1} s of the processors", "", games::processor_seconds()? - spent);
    Ok(games.iter().zip(&evaluations).map(|(g, e)| blunders(g, e)).collect())
}

fn tell(label: &str, wall: Duration, work: Work, processes: usize) {
    let ideal = work.busy.as_secs_f64() / processes as f64;
    println!(
        "{label:>14}: {:4} searches, {:7.1} s of searching, {:7.1} s wall, wall / (searching / processes) {:.3}",
        work.searched,
        work.busy.as_secs_f64(),
        wall.as_secs_f64(),
        wall.as_secs_f64() / ideal,
    );
}

fn blunders(game: &[Chess], evaluations: &[Evaluation]) -> BTreeSet<usize> {
    game.iter()
        .zip(evaluations.windows(2))
        .zip(1..)
        .filter(|((position, pair), _)| swing(position.turn(), pair[0].score, pair[1].score) >= BLUNDER)
        .map(|(_, ply)| ply)
        .collect()
}

fn same(one: &[BTreeSet<usize>], other: &[BTreeSet<usize>]) -> String {
    let equal = one.iter().zip(other).filter(|(a, b)| a == b).count();
    let all: usize = other.iter().map(BTreeSet::len).sum();
    let differ: Vec<String> = one
        .iter()
        .zip(other)
        .zip(1..)
        .flat_map(|((a, b), game)| a.symmetric_difference(b).map(move |ply| format!("{game}/{ply}")))
        .collect();
    format!(
        "{equal} of {} games; of {all} blunders differ {} (game/ply): {}",
        one.len(),
        differ.len(),
        differ.join(" ")
    )
}

/// `count` games of usual length spread evenly over the file, as positions.
fn sample(file: &str, count: usize) -> io::Result<Vec<Vec<Chess>>> {
    let games = games::read(fs::File::open(file)?)?.into_iter().filter(|g| games::is_usual(g));
    let games: Vec<Vec<Chess>> = games.collect();
    let step = (games.len() / count.max(1)).max(1);
    Ok(games.into_iter().step_by(step).take(count).collect())
}

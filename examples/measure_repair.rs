//! Measures the repair on folders of broken scores with `truth.jsonl`, in process: `measure_repair [-v] DIR...`.
//!
//! Reads the movetext with the simplest tokenizer that will do and prints how often the best reading is the game
//! (`exact`), how often it is among ten (`listed`), how often the first edit is at the first findable fault (`first`),
//! the stated probabilities by bin, their Brier score and the time.
#![allow(clippy::print_stdout, missing_docs)]

use std::{collections::BTreeMap, error::Error, fs, path::Path};

use pgn_audit::{
    examine::weigh,
    repair::{Cell, Limits, Problem, Repair, compare, repair},
    sheet::Span,
};
use serde_json::Value;
use shakmaty::{Chess, Color, Position, san::San};

fn problem(text: &str) -> Problem {
    let mut cells = Vec::new();
    let (mut number, mut side) = (None, None);
    let mut result = None;
    for line in text.lines().filter(|l| !l.starts_with('[')) {
        for token in line.split_ascii_whitespace() {
            let digits = token.bytes().take_while(u8::is_ascii_digit).count();
            if matches!(token, "1-0" | "0-1" | "1/2-1/2" | "*") {
                result = Some(token.to_owned());
                continue;
            }
            let mut rest = token;
            if digits > 0 && token[digits..].starts_with('.') {
                let dots = token[digits..].bytes().take_while(|b| *b == b'.').count();
                number = token[..digits].parse().ok();
                side = Some(if dots >= 3 { Color::Black } else { Color::White });
                rest = &token[digits + dots..];
                if rest.is_empty() {
                    continue;
                }
            }
            cells.push(Cell {
                text: rest.to_owned(),
                number: number.take(),
                side: side.take(),
                span: Span { start: 0, end: 0 },
            });
        }
    }
    Problem { start: Chess::default(), first_number: 1, cells, result }
}

fn bare(v: &Value) -> Vec<String> {
    v.as_array().map(|a| a.iter().filter_map(Value::as_str).map(strip).collect()).unwrap_or_default()
}

/// Milliseconds of processor time used so far (Linux; elsewhere 0).
fn cpu_ms() -> f64 {
    fs::read_to_string("/proc/self/schedstat")
        .ok()
        .and_then(|s| s.split_ascii_whitespace().next()?.parse::<f64>().ok())
        .map_or(0.0, |ns| ns / 1e6)
}

fn strip(san: &str) -> String {
    san.trim_end_matches(['+', '#']).to_owned()
}

fn sans(list: &[String]) -> Vec<String> {
    list.iter().map(|s| strip(s)).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut limits = Limits::default();
    let mut dirs = Vec::new();
    let mut verbose = false;
    // Nats for a hundred centipawns that the built-in engine sees lost, and the depth at which it looks.
    let (mut weigh, mut depth) = (0.0, weigh::DEPTH);
    for arg in std::env::args().skip(1) {
        if arg == "-v" {
            verbose = true;
        } else if let Some((name, value)) = arg.split_once('=') {
            let x: f32 = value.parse()?;
            let s = &mut limits.search;
            match name {
                "width" => s.width = x as usize,
                "window" => s.window = x,
                "lookbacks" => s.lookbacks = x as usize,
                "causes" => s.causes = x as usize,
                "weigh" => weigh = f64::from(x),
                "depth" => depth = x as u32,
                "content" => limits.content = f64::from(x),
                "prior" => s.prior = x,
                "calm" => s.calm = x as usize,
                "alert" => s.alert = x as usize,
                "near" => s.near = x,
                "pairs" => s.pairs = x as usize,
                "false_sign" => limits.costs.false_sign = x,
                "insert" => s.insert = x,
                "pair" => s.insert_pair = x,
                "doubled" => s.doubled = x,
                "spurious" => s.spurious = x,
                "swap" => s.swap = x,
                "own" => s.swap_own = x,
                "slip" => limits.costs.slip = x,
                "lost" => limits.costs.lost = x,
                "other" => limits.costs.other = x,
                "side" => limits.costs.side = x,
                "temperature" => limits.temperature = f64::from(x),
                "favour" => limits.favour = f64::from(x),
                "none" => limits.none = f64::from(x),
                _ => return Err(format!("no setting {name}").into()),
            }
        } else {
            dirs.push(arg);
        }
    }
    let mut table: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    let mut blame: BTreeMap<String, usize> = BTreeMap::new();
    let mut stated = Vec::new();
    let mut times = Vec::new();
    for dir in &dirs {
        let dir = Path::new(dir);
        if dir.is_file() {
            clean(dir, &limits)?;
            continue;
        }
        if dir.join("sheets.jsonl").exists() {
            sheets(dir, &limits, (weigh, depth), verbose)?;
            continue;
        }
        for line in fs::read_to_string(dir.join("truth.jsonl"))?.lines() {
            let truth: Value = serde_json::from_str(line)?;
            let file = truth["file"].as_str().ok_or("no file")?;
            let problem = problem(&fs::read_to_string(dir.join(file))?);
            let clock = cpu_ms();
            let mut found: Repair = repair(&problem, &limits);
            if weigh > 0.0 {
                weigh::weigh(&problem.start, &mut found, depth, weigh);
            }
            times.push(cpu_ms() - clock);
            let mut wanted = vec![bare(&truth["moves"])];
            if !bare(&truth["also"]).is_empty() {
                wanted.push(bare(&truth["also"]));
            }
            let errors = truth["errors"].as_array().ok_or("no errors")?;
            let exact = wanted.contains(&sans(&found.best.sans));
            let place = found.alternatives.iter().take(9).position(|r| wanted.contains(&sans(&r.sans)));
            let listed = exact || place.is_some();
            let first_true =
                errors.iter().filter(|e| e["silent"] != true).filter_map(|e| e["ply"].as_u64()).min();
            let first_edit = found.best.edits.iter().map(|e| u64::from(e.ply)).min();
            let first = first_true == first_edit;
            let mut keys = vec!["  all".to_owned()];
            keys.push(match errors.len() {
                1 => " 1 fault".into(),
                2 => " 2 faults".into(),
                _ => " 3+ faults".into(),
            });
            if errors.len() == 1 {
                keys.push(errors[0]["kind"].as_str().unwrap_or("?").to_owned());
            }
            for k in keys {
                let t = table.entry(k).or_default();
                for (slot, yes) in t.iter_mut().zip([true, exact, listed, first]) {
                    *slot += usize::from(yes);
                }
            }
            let p = if found.best.edits.is_empty() { 1.0 } else { found.best.probability };
            stated.push((p, exact));
            if verbose && !exact {
                let mut pos = Chess::default();
                let mut game = Vec::new();
                for san in &wanted[0] {
                    let m = san.parse::<San>()?.to_move(&pos)?;
                    pos.play_unchecked(m);
                    game.push(m);
                }
                let prices = compare(&problem, &limits, &game);
                let kind = prices.map_or("beyond".to_owned(), |(known, found)| {
                    format!("{} {:+.1}", if found > known + 1e-3 { "SEARCH" } else { "MODEL" }, known - found)
                });
                *blame.entry(kind.split(' ').next().unwrap_or("").to_owned()).or_default() += 1usize;
                println!("{kind}");
                let faults: Vec<String> = errors
                    .iter()
                    .map(|e| {
                        format!(
                            "{} {} {}<-{}{}",
                            e["ply"],
                            e["kind"],
                            e["written"],
                            e["true"],
                            if e["silent"] == true { " silent" } else { "" }
                        )
                    })
                    .collect();
                let edits: Vec<String> = found
                    .best
                    .edits
                    .iter()
                    .map(|e| format!("{} {:?} {}<-{} {:.1}", e.ply, e.op, e.written, e.san, e.cost))
                    .collect();
                println!(
                    "{}/{file} {} {:?} p={:.2} {:.0} ms\n   true: {}\n   best: {}",
                    dir.file_name().and_then(|n| n.to_str()).unwrap_or(""),
                    place.map_or("LOST".to_owned(), |i| format!(
                        "listed {} p={:.2}",
                        i + 1,
                        found.alternatives[i].probability
                    )),
                    found.verdict,
                    p,
                    times.last().copied().unwrap_or(0.0),
                    faults.join("; "),
                    edits.join("; ")
                );
                for r in found.alternatives.iter().take(4) {
                    let e: Vec<String> = r
                        .edits
                        .iter()
                        .map(|e| format!("{} {:?} {}<-{} {:.1}", e.ply, e.op, e.written, e.san, e.cost))
                        .collect();
                    println!("   {:.2}: {}", r.probability, e.join("; "));
                }
            }
        }
    }
    if verbose {
        println!("misses: {blame:?}");
    }
    println!("{:14} games exact listed first", "");
    for (key, [n, e, l, f]) in &table {
        let share = |x: &usize| 100.0 * *x as f64 / *n as f64;
        println!("{key:14} {n:5} {:5.1} {:6.1} {:5.1}", share(e), share(l), share(f));
    }
    let n = stated.len().max(1) as f64;
    for (lo, hi) in [(0.0, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 0.98), (0.98, 1.01)] {
        let bin: Vec<_> = stated.iter().filter(|(p, _)| (lo..hi).contains(p)).collect();
        if !bin.is_empty() {
            let k = bin.len() as f64;
            println!(
                "stated {lo:.2}-{hi:.2}: {:4} games, mean {:.3}, right {:.3}",
                bin.len(),
                bin.iter().map(|b| b.0).sum::<f64>() / k,
                bin.iter().filter(|b| b.1).count() as f64 / k
            );
        }
    }
    let rate = stated.iter().filter(|s| s.1).count() as f64 / n;
    let brier = stated.iter().map(|(p, e)| (p - f64::from(u8::from(*e))).powi(2)).sum::<f64>() / n;
    println!(
        "Brier {brier:.4}, of the constant {:.4}, ratio {:.2}",
        rate * (1.0 - rate),
        brier / (rate * (1.0 - rate))
    );
    times.sort_by(f64::total_cmp);
    if let Some(worst) = times.last() {
        println!(
            "ms a game: median {:.0}, 95 % {:.0}, worst {worst:.0}",
            times[times.len() / 2],
            times[times.len() * 95 / 100]
        );
    }
    Ok(())
}

/// Length of the longest common subsequence.
fn common(a: &[String], b: &[String]) -> usize {
    let mut row = vec![0usize; b.len() + 1];
    for x in a {
        let mut diagonal = 0;
        for (j, y) in b.iter().enumerate() {
            let up = row[j + 1];
            row[j + 1] = if x == y { diagonal + 1 } else { up.max(row[j]) };
            diagonal = up;
        }
    }
    row[b.len()]
}

/// Real sheets: against the reconstructed games, and two sheets of one game against each other.
fn sheets(dir: &Path, limits: &Limits, weigh: (f64, u32), verbose: bool) -> Result<(), Box<dyn Error>> {
    let (mut known, mut exact, mut right, mut plies) = (0, 0, 0, 0);
    let mut games: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    let mut times = Vec::new();
    for line in fs::read_to_string(dir.join("sheets.jsonl"))?.lines() {
        let truth: Value = serde_json::from_str(line)?;
        let file = truth["file"].as_str().ok_or("no file")?;
        let problem = problem(&fs::read_to_string(dir.join(file))?);
        let clock = cpu_ms();
        let mut found = repair(&problem, limits);
        if weigh.0 > 0.0 {
            weigh::weigh(&problem.start, &mut found, weigh.1, weigh.0);
        }
        times.push(cpu_ms() - clock);
        let got = sans(&found.best.sans);
        let written: Vec<String> = problem.cells.iter().map(|c| strip(&c.text)).collect();
        let whole = common(&written, &got) * 10 >= written.len() * 6;
        let wanted = bare(&truth["moves"]);
        if !wanted.is_empty() {
            let k = wanted.len().min(got.len());
            let same = wanted[..k] == got[..k];
            let ok = k * 10 >= wanted.len() * 8 && same;
            known += 1;
            exact += usize::from(ok);
            plies += wanted.len();
            right += common(&wanted, &got);
            if verbose && !ok {
                let at = wanted.iter().zip(&got).position(|(a, b)| a != b).unwrap_or(k);
                println!(
                    "{file}: differs at ply {} of {}, {:?} until {:?}",
                    at + 1,
                    wanted.len(),
                    found.verdict,
                    found.unexplained_from
                );
                println!("   wanted {:?}", &wanted[at..wanted.len().min(at + 8)]);
                println!("   got    {:?}", &got[at.min(got.len())..got.len().min(at + 8)]);
                for e in found.best.edits.iter().filter(|e| (e.ply as usize).abs_diff(at) < 8) {
                    println!("   {} {:?} {}<-{} {:.1}", e.ply, e.op, e.written, e.san, e.cost);
                }
            }
        }
        let game = truth["game"].as_str().unwrap_or("?").to_owned();
        games.entry(game).or_default().push(if whole { got } else { Vec::new() });
    }
    let pairs: Vec<_> = games.values().filter(|g| g.len() > 1).collect();
    let alike = pairs
        .iter()
        .filter(|g| {
            let k = g[0].len().min(g[1].len());
            g.iter().all(|x| x.len() > 10) && g[0][..k] == g[1][..k]
        })
        .count();
    println!(
        "sheets: game found {exact} of {known}, plies right {:.1} %, pairs alike {alike} of {}",
        100.0 * right as f64 / plies as f64,
        pairs.len()
    );
    times.sort_by(f64::total_cmp);
    println!("ms a sheet: median {:.0}, worst {:.0}", times[times.len() / 2], times[times.len() - 1]);
    Ok(())
}

fn clean(path: &Path, limits: &Limits) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    let (mut games, mut alone) = (0, 0);
    for game in text.split("[Event ").skip(1) {
        let body: String = game.lines().skip(1).collect::<Vec<_>>().join("\n");
        let found = repair(&problem(&body), limits);
        games += 1;
        if found.best.edits.is_empty() {
            alone += 1;
        } else {
            println!("accused: {:?}", found.best.edits.iter().map(|e| &e.reason).collect::<Vec<_>>());
        }
    }
    println!("clean games left alone: {alone} of {games}");
    Ok(())
}

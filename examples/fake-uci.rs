//! A UCI engine with one vice, for the tests: the vice is its argument or what its file name has behind `fake-uci-`.
//!
//! Without a vice it is honest: it knows the rules, counts material, and answers at once.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an engine talks")]

use std::{
    env,
    io::{self, BufRead, Write},
    process::{Command, Stdio, abort, exit},
    sync::{Arc, atomic::AtomicBool},
    thread,
    time::Duration,
};

use shakmaty::{CastlingMode, Chess, Position, Role, fen::Fen, uci::UciMove};

const FOREVER: Duration = Duration::from_secs(3600);

fn main() -> io::Result<()> {
    let own = env::args().next().unwrap_or_default();
    let vice = env::args().nth(1).or_else(|| own.rsplit_once("fake-uci-").map(|(_, v)| v.to_owned()));
    let vice = vice.unwrap_or_default();
    let vice = vice.as_str();
    match vice {
        "not-an-engine" => {
            println!("usage: notepad FILE");
            exit(1);
        }
        "never-speaks" => thread::sleep(FOREVER),
        "floods" => loop {
            println!("info string nothing to say, and a lot of it");
        },
        "floods-errors" => {
            thread::spawn(|| {
                loop {
                    eprintln!("oh no");
                }
            });
        }
        "ignores-sigterm" => {
            let flag = Arc::new(AtomicBool::new(false));
            signal_hook::flag::register(signal_hook::consts::SIGTERM, Arc::clone(&flag))?;
            signal_hook::flag::register(signal_hook::consts::SIGINT, flag)?;
        }
        "leaves-a-child" => {
            Command::new("sleep").arg("3600").env("LAIR", lair()?).stdin(Stdio::null()).spawn()?;
        }
        "leaves-a-child-in-its-own-session" => {
            Command::new("setsid")
                .args(["sleep", "3600"])
                .env("LAIR", lair()?)
                .stdin(Stdio::null())
                .spawn()?;
        }
        _ => {}
    }
    let mut position = Chess::default();
    let mut searches = 0;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uci") => greet(vice)?,
            Some("isready") => say("readyok")?,
            Some("position") => {
                let fen = line.trim_start_matches("position fen ");
                let parsed = fen.parse::<Fen>().ok();
                position = match parsed.and_then(|f| f.into_position(CastlingMode::Standard).ok()) {
                    Some(position) => position,
                    None => abort(),
                };
            }
            Some("go") => {
                searches += 1;
                let depth = words.nth(1).and_then(|w| w.parse().ok()).unwrap_or(1);
                search(&position, depth, vice, searches)?;
            }
            Some("quit") if vice != "ignores-quit" && vice != "ignores-sigterm" => exit(0),
            _ => {}
        }
    }
    if ["ignores-eof", "ignores-quit", "ignores-sigterm"].contains(&vice) {
        thread::sleep(FOREVER);
    }
    Ok(())
}

/// The folder of this program, by which the tests know its children.
fn lair() -> io::Result<std::path::PathBuf> {
    Ok(env::current_exe()?.parent().map(Into::into).unwrap_or_default())
}

/// One line, written at once.
fn say(line: impl AsRef<[u8]>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(line.as_ref())?;
    out.write_all(b"\n")?;
    out.flush()
}

fn greet(vice: &str) -> io::Result<()> {
    match vice {
        "slow-handshake" => thread::sleep(Duration::from_millis(600)),
        "never-ready" => thread::sleep(FOREVER),
        "dies-at-once" => {
            eprintln!("cannot find my network");
            exit(3);
        }
        _ => {}
    }
    if vice != "nameless" {
        say("id name Fake Engine 1.5")?;
    }
    say("option name Hash type spin default 16 min 1 max 8")?;
    say("option name OwnBook type check default true")?;
    say("uciok")?;
    if vice == "late-banner" {
        say("Fake Engine 1.5, a late banner")?;
    }
    Ok(())
}

fn search(position: &Chess, depth: u32, vice: &str, searches: u32) -> io::Result<()> {
    let legal = position.legal_moves();
    let mut moves: Vec<String> =
        legal.iter().map(|m| UciMove::from_move(*m, CastlingMode::Standard).to_string()).collect();
    moves.sort();
    let best = moves.first().map_or("a1a1", String::as_str);
    let score = material(position);
    if vice == "slow" {
        thread::sleep(Duration::from_millis(20));
    }
    if let Some(log) = env::var_os("FAKE_UCI_LOG") {
        let fen = Fen::from_position(position, shakmaty::EnPassantMode::Legal);
        let mut log = std::fs::OpenOptions::new().create(true).append(true).open(log)?;
        log.write_all(format!("{depth} {fen}\n").as_bytes())?;
    }
    let info = |d: u32| format!("info depth {d} score cp {score} nodes 1 pv {best}");
    match vice {
        "chats-without-end" => loop {
            say(info(depth))?;
            thread::sleep(Duration::from_millis(1));
        },
        "silent-when-asked" => thread::sleep(FOREVER),
        "dies-when-asked" => {
            eprintln!("segmentation fault, as they say");
            exit(139);
        }
        "crashes-every-third-time" if searches.is_multiple_of(3) => abort(),
        "hangs-once" if searches == 1 && env::var_os("FAKE_UCI_MARK").is_some_and(first_time) => {
            thread::sleep(FOREVER);
        }
        "closes-its-output" => {
            // The descriptor is what has to go; a child that inherits nothing does not matter here.
            let _ = rustix::stdio::dup2_stdout(std::fs::File::open("/dev/null")?);
            thread::sleep(FOREVER);
        }
        "half-a-line" => {
            print!("bestmo");
            io::stdout().flush()?;
            thread::sleep(FOREVER);
        }
        "illegal-bestmove" => {
            say(info(depth))?;
            return say("bestmove a1h8");
        }
        "no-bestmove" => {
            say(info(depth))?;
            return say("bestmove (none)");
        }
        "mate-0" => {
            say(format!("info depth {depth} score mate 0 pv {best}"))?;
            return say(format!("bestmove {best}"));
        }
        "bounds-only" => {
            say(format!("info depth {depth} score cp 20 lowerbound pv {best}"))?;
            say(format!("info depth {depth} score cp 90 upperbound pv {best}"))?;
            return say(format!("bestmove {best}"));
        }
        "no-score" => return say(format!("bestmove {best}")),
        "huge-lines" => {
            say(vec![b'x'; 5 << 20])?;
            say([b"info depth 9 score cp 9999 pv ".as_slice(), &b"e2e4 ".repeat(1 << 20)].concat())?;
        }
        "huge-numbers" => {
            say("info depth 999 seldepth 999 score cp 5 pv e2e4")?;
            say(format!("info depth {depth} score cp 99999999999 pv {best}"))?;
            say(format!("info depth {depth} score mate 300 pv {best}"))?;
            say("info depth 99999999999999999999999 nodes 99999999999999999999999 score cp 1")?;
        }
        "nul-bytes" => {
            say(b"\0\0\0info depth 3 score cp 1\0")?;
            say(b"info depth 4 score\0cp 77 pv \0")?;
        }
        "not-utf8" => {
            say(b"\xff\xfe\x80 r\xe9sum\xe9")?;
            say(b"info string \xc3\x28")?;
        }
        _ => {}
    }
    for d in 1..=depth {
        if vice == "slow-bytes" {
            for byte in info(d).bytes() {
                io::stdout().write_all(&[byte])?;
                io::stdout().flush()?;
                thread::sleep(Duration::from_micros(300));
            }
            say("")?;
        } else {
            say(info(d))?;
        }
    }
    if vice == "bounds-in-between" {
        say(format!("info depth {depth} score cp 777 lowerbound pv {best}"))?;
    }
    say(format!("bestmove {best} ponder a1a1"))
}

/// True once, for the file named.
fn first_time(mark: std::ffi::OsString) -> bool {
    std::fs::File::create_new(mark).is_ok()
}

/// Material from the view of the side to move, centipawns.
fn material(position: &Chess) -> i32 {
    let value =
        [(Role::Pawn, 100), (Role::Knight, 300), (Role::Bishop, 310), (Role::Rook, 500), (Role::Queen, 900)];
    let board = position.board();
    let side = |color| {
        value
            .iter()
            .map(|&(role, v)| {
                v * i32::try_from((board.by_color(color) & board.by_role(role)).count()).unwrap_or(0)
            })
            .sum::<i32>()
    };
    side(position.turn()) - side(position.turn().other())
}

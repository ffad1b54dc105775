//! Puts faults into games: `break_games OUT_DIR SEED GAMES.pgn`, for measuring and calibrating the repair.
//!
//! Each game gets one fault or more, as `games/broken.rs` puts them in. Writes `NNNN.pgn` and `truth.jsonl` as `measure_repair` reads them. A fault that alone leaves
//! a legal game with true check signs is `silent`; `also` is the game with the silent faults as written.
#![allow(clippy::print_stdout, missing_docs)]

#[path = "games/broken.rs"]
mod broken;

use std::{error::Error, fmt::Write as _, fs, path::Path};

use broken::{Broken, Dice, broken};
use serde_json::json;
use shakmaty::{Chess, san::SanPlus};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, out, seed, games] = &args[..] else {
        return Err("usage: break_games OUT_DIR SEED GAMES.pgn".into());
    };
    let mut dice = Dice::new(seed.parse()?);
    fs::create_dir_all(out)?;
    let text = String::from_utf8_lossy(&fs::read(games)?).into_owned();
    let mut truth = String::new();
    let mut count = 0;
    for game in text.split("[Event ").skip(1) {
        let mut sans: Vec<String> = Vec::new();
        let mut pos = Chess::default();
        let mut result = "*";
        for token in
            game.lines().filter(|l| !l.starts_with('[')).skip(1).flat_map(str::split_ascii_whitespace)
        {
            let word = token.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.');
            let Ok(san) = word.parse::<SanPlus>() else {
                if let "1-0" | "0-1" | "1/2-1/2" = token {
                    result = token;
                }
                continue;
            };
            if let "1-0" | "0-1" | "1/2-1/2" = token {
                result = token;
                continue;
            }
            let Ok(m) = san.san.to_move(&pos) else { break };
            sans.push(SanPlus::from_move_and_play_unchecked(&mut pos, m).to_string());
        }
        if sans.len() < 30 {
            continue;
        }
        let Some(Broken { movetext, errors, also }) = broken(&sans, &mut dice) else { continue };
        let file = format!("{count:04}.pgn");
        fs::write(
            Path::new(out).join(&file),
            format!("[Event \"?\"]\n[Result \"{result}\"]\n\n{movetext}{result}\n"),
        )?;
        let mut line = json!({"file": file, "moves": sans, "errors": errors});
        if let Some(also) = also {
            line["also"] = json!(also);
        }
        let _ = writeln!(truth, "{line}");
        count += 1;
    }
    fs::write(Path::new(out).join("truth.jsonl"), truth)?;
    println!("{count} games");
    Ok(())
}

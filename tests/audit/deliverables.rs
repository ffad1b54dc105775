//! The files of an audit, held against each other and against what independent programs read.

use std::{fs, os::unix::fs::PermissionsExt, process::Command};

use super::run::{World, names, tree};

/// The club fixture's faults mended by hand.
fn mended(text: &str) -> String {
    text.replace("3. e4", "3. e3").replace("Nc2", "Ne2").replace("Rxe9+", "Rxe2+")
}

fn club(world: &World) -> String {
    fs::read_to_string(world.path("fixtures/audit/club.pgn")).unwrap()
}

#[test]
fn the_files_agree_with_each_other() {
    let world = World::new();
    world.expect("fixtures/audit/club.pgn --engine builtin --depth 4 --no-pictures --out out -q", 0);
    let original = club(&world);
    assert_eq!(world.read("out/before/broken.pgn"), original.as_bytes());
    assert_eq!(String::from_utf8(world.read("out/fixed.pgn")).unwrap(), mended(&original));

    let illegal = world.json("out/illegal_moves.json");
    let records: Vec<(u64, &str, &str)> = illegal
        .as_array()
        .unwrap()
        .iter()
        .map(|r| (r["ply"].as_u64().unwrap(), r["san"].as_str().unwrap(), r["kind"].as_str().unwrap()))
        .collect();
    assert_eq!(records, [(17, "e4", "illegal"), (23, "Nc2", "illegal"), (50, "Rxe9+", "unreadable")]);
    assert_eq!(illegal[0]["cause_ply"], 5);
    assert_eq!(illegal[0]["fix"], "e3");
    assert_eq!((illegal[1]["line"].as_u64(), illegal[1]["column"].as_u64()), (Some(11), Some(8)));

    let report = world.json("out/report.json");
    assert_eq!(report["illegal_moves"], illegal);
    assert_eq!(report["blunders"], world.json("out/blunders.json"));
    assert_eq!(report["result_check"], world.json("out/result_check.json"));
    assert_eq!(report["engine_used"], "builtin");
    assert_eq!(report["result_tag_after"], "0-1");
    assert_eq!(report["repairs"].as_array().unwrap().len(), 3);
    let listed: Vec<String> =
        report["files"].as_array().unwrap().iter().map(|f| f.as_str().unwrap().to_owned()).collect();
    let mut sorted = listed.clone();
    sorted.sort();
    assert_eq!(sorted, names(&world.path("out")));
    assert_eq!(listed.last().map(String::as_str), Some("report.json"));

    let evals = String::from_utf8(world.read("out/evals.csv")).unwrap();
    assert_eq!(evals.lines().count(), 61);
    let scores: Vec<i64> =
        evals.lines().skip(1).map(|l| l.split(',').nth(3).unwrap().parse().unwrap()).collect();
    let blunders = report["blunders"].as_array().unwrap();
    assert!(!blunders.is_empty(), "the game has blunders");
    for blunder in blunders {
        let ply = blunder["ply"].as_u64().unwrap() as usize;
        let sign = if blunder["side"] == "w" { -1 } else { 1 };
        let seen = |score: i64| sign * score.clamp(-1000, 1000);
        assert_eq!(blunder["cp_before"], seen(scores[ply - 1]));
        if let Some(after) = scores.get(ply) {
            assert_eq!(blunder["cp_after"], seen(*after));
        }
        let swing = blunder["swing"].as_i64().unwrap();
        assert_eq!(swing, blunder["cp_after"].as_i64().unwrap() - blunder["cp_before"].as_i64().unwrap());
        assert!(swing >= 180);
    }
    let losses = report["losses"].as_array().unwrap();
    for blunder in report["all_blunders"].as_array().unwrap() {
        let loss = losses.iter().find(|l| l["ply"] == blunder["ply"]).expect("a blunder is a loss");
        for key in ["side", "san", "swing", "chance_lost", "mate", "borderline"] {
            assert_eq!(loss[key], blunder[key], "{key}");
        }
    }
    let mut chance = (0.0, "");
    for (loss, grade) in losses.iter().filter_map(|l| Some((l, l["grade"].as_str()?))) {
        let least = match grade {
            "inaccuracy" => 0.05,
            "mistake" => 0.10,
            "blunder" => 0.15,
            other => panic!("no such grade: {other}"),
        };
        let lost = loss["chance_lost"].as_f64().unwrap();
        assert!((least - 0.001..1.0).contains(&lost), "{loss}");
        chance = if lost > chance.0 { (lost, grade) } else { chance };
    }
    assert_eq!(chance.1, "blunder", "the worst loss of this game");
    // White lets Black mate; the last position of the game is the proof.
    let allowed = losses.iter().find(|l| l["mate"]["change"] == "allowed").expect("a mate was allowed");
    assert_eq!(allowed["side"], "w");

    let after = String::from_utf8(world.read("out/evals_after.csv")).unwrap();
    assert_eq!(after.lines().count(), 11);
    assert!(after.lines().last().unwrap().starts_with("60,Qe2#,-10000,"));
}

/// What the input may look like without a move of it being another.
fn dresses(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let utf16 = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(bytes).collect()
    };
    vec![
        ("lf", text.into()),
        ("crlf", text.replace('\n', "\r\n").into()),
        ("cr", text.replace('\n', "\r").into()),
        ("open end", text.trim_end().into()),
        ("bom", format!("\u{feff}{text}").into()),
        ("utf-16le", utf16(u16::to_le_bytes)),
        ("utf-16be", utf16(u16::to_be_bytes)),
        (
            "windows-1252",
            text.replace("Clubhouse", "Caf\u{1}").bytes().map(|b| if b == 1 { 0xe9 } else { b }).collect(),
        ),
    ]
}

#[test]
fn whatever_the_encoding_and_the_line_ends_only_the_edits_change() {
    let world = World::new();
    for (dress, bytes) in dresses(&club(&world)) {
        world.write("score.pgn", &bytes);
        world.expect("score.pgn --no-engine --no-pictures --out out -q", 0);
        assert_eq!(world.read("out/before/broken.pgn"), bytes, "{dress}");
        let fixed = world.read("out/fixed.pgn");
        // No other reader reads UTF-16, and some take carriage returns alone for one line: those change more.
        if !dress.starts_with("utf-16") && dress != "cr" {
            // Each of the three edits is one byte.
            assert_eq!(fixed.len(), bytes.len(), "{dress}");
            assert_eq!(fixed.iter().zip(&bytes).filter(|(a, b)| a != b).count(), 3, "{dress}");
        }
        let (file, patch) = (world.write("patched", &bytes), world.path("out/diff.txt"));
        let run = Command::new("patch").args(["-s", "--binary"]).arg(&file).arg(&patch).output().unwrap();
        assert!(run.status.success(), "{dress}: {}", String::from_utf8_lossy(&run.stdout));
        assert_eq!(world.read("patched"), fixed, "{dress}");
        let illegal = world.json("out/illegal_moves.json");
        assert_eq!(illegal[1]["column"], 8, "{dress}");
        assert_eq!(illegal[1]["line"], 11, "{dress}");
    }
}

#[test]
fn a_repaired_score_needs_no_repair() {
    let world = World::new();
    for name in ["club", "two", "german", "clean"] {
        world
            .expect(&format!("fixtures/audit/{name}.pgn --game 1 --no-engine --no-pictures --out one -q"), 0);
        world.expect("one/fixed.pgn --no-engine --no-pictures --out again -q", 0);
        assert_eq!(world.read("one/fixed.pgn"), world.read("again/fixed.pgn"), "{name}");
        assert_eq!(world.json("again/report.json")["repairs"], serde_json::json!([]), "{name}");
        assert_eq!(world.json("again/report.json")["verdict"], "clean", "{name}");
        let diff = String::from_utf8(world.read("again/diff.txt")).unwrap();
        assert!(diff.lines().count() >= 4 && diff.contains("nothing to change"), "{diff}");
    }
}

#[test]
fn other_readers_read_every_move_of_a_repaired_score() {
    let world = World::new();
    let python = std::env::var_os("PGN_AUDIT_PYTHON").map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("target/venv/bin/python"),
        Into::into,
    );
    let script = "import chess.pgn, sys\n\
        g = chess.pgn.read_game(open(sys.argv[1], encoding='utf-8', errors='replace'))\n\
        assert not g.errors, g.errors\n\
        print(' '.join(m.uci() for m in g.mainline_moves()), g.headers['Result'])";
    for name in ["club", "german", "clean"] {
        world.expect(&format!("fixtures/audit/{name}.pgn --no-engine --no-pictures --out out -q"), 0);
        let fixed = world.path("out/fixed.pgn");
        let read = |program: &std::path::Path, args: &[&str]| {
            let output = Command::new(program).args(args).arg(&fixed).output();
            let output = output.unwrap_or_else(|e| panic!("{}: {e}", program.display()));
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{name}: {errors}");
            (String::from_utf8(output.stdout).unwrap(), errors)
        };
        let (by_python, _) = read(&python, &["-c", script]);
        let (by_extract, errors) = read(
            "/usr/games/pgn-extract".as_ref(),
            &["-s", "-Wuci", "--notags", "--nocomments", "--novars", "-w10000"],
        );
        assert!(errors.is_empty(), "{name}: {errors}");
        let moves = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(moves(&by_python), moves(&by_extract), "{name}");
        let report = world.json("out/report.json");
        let written = report["illegal_moves"].as_array().unwrap().len();
        assert_eq!(written, if name == "club" { 3 } else { 0 }, "{name}");
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let world = World::new();
    fs::create_dir(world.path("elsewhere")).unwrap();
    let args = "--engine builtin --depth 3 --no-pictures -q";
    world.expect(&format!("fixtures/audit/two.pgn {args} --threads 1 --out a"), 0);
    let mut other =
        world.command(&format!("../fixtures/audit/two.pgn {args} --threads 2 --no-cache --out ../b"));
    other.current_dir(world.path("elsewhere"));
    other.env("TZ", "Asia/Tokyo").env("LANG", "de_DE.UTF-8").env("LC_ALL", "C").env("HOME", "/nonexistent");
    assert!(other.output().unwrap().status.success());
    assert_eq!(tree(&world.path("a")), tree(&world.path("b")));
}

#[test]
fn several_games_get_a_folder_each() {
    let world = World::new();
    world.expect("fixtures/audit/two.pgn --engine builtin --depth 2 --no-pictures --out out -q", 0);
    let top = world.json("out/report.json");
    let games = top["games"].as_array().unwrap();
    assert_eq!(games.len(), 2);
    assert_eq!((games[0]["dir"].as_str(), games[0]["verdict"].as_str()), (Some("001"), Some("clean")));
    assert_eq!((games[1]["white"].as_str(), games[1]["faults"].as_u64()), (Some("Board Two"), Some(1)));
    let slices = [world.read("out/001/before/broken.pgn"), world.read("out/002/before/broken.pgn")].concat();
    assert_eq!(slices, world.read("fixtures/audit/two.pgn"), "the slices tile the input");
    let fault = &world.json("out/002/illegal_moves.json")[0];
    assert_eq!(
        (fault["san"].as_str(), fault["line"].as_u64()),
        (Some("Nxe9"), Some(19)),
        "lines of the whole file"
    );
    let mut listed: Vec<String> =
        top["files"].as_array().unwrap().iter().map(|f| f.as_str().unwrap().to_owned()).collect();
    listed.sort();
    assert_eq!(listed, names(&world.path("out")));
    world.expect("fixtures/audit/two.pgn --game 2 --no-engine --no-pictures --out one -q", 0);
    assert_eq!(world.read("one/before/broken.pgn"), world.read("out/002/before/broken.pgn"));
    assert_eq!(world.read("one/fixed.pgn"), world.read("out/002/fixed.pgn"));
}

#[test]
fn strict_tells_faults_from_none() {
    let world = World::new();
    world.expect("fixtures/audit/club.pgn --no-engine --strict -q", 1);
    world.expect("fixtures/audit/clean.pgn --no-engine --strict -q", 0);
}

#[test]
fn quiet_keeps_the_json_that_was_asked_for() {
    let world = World::new();
    let args = "fixtures/audit/club.pgn --no-engine --strict --format json";
    let (loud, quiet) = (world.expect(args, 1), world.expect(&format!("{args} --quiet"), 1));
    assert!(!quiet.stdout.is_empty());
    assert_eq!(quiet.stdout, loud.stdout);
}

#[test]
fn an_edit_of_the_result_is_listed_once() {
    let world = World::new();
    for (tag, end, lines) in [
        ("0-1", "1/2-1/2", vec!["# pgn-audit: 1 edit", "# line 4: written 1/2-1/2, fixed 0-1"]),
        ("1-0", "0-1", vec!["# pgn-audit: 1 edit", "# line 2: written 1-0, fixed 0-1"]),
        (
            "1/2",
            "1-0",
            vec!["# pgn-audit: 2 edits", "# line 2: written 1/2, fixed 0-1", "# notation: 1-0 > 0-1"],
        ),
        (
            "1-0",
            "",
            vec!["# pgn-audit: 2 edits", "# line 2: written 1-0, fixed 0-1", "# notation: nothing > 0-1"],
        ),
    ] {
        world.write("score.pgn", format!("[Event \"x\"]\n[Result \"{tag}\"]\n\n1. f3 e5 2. g4 Qh4# {end}\n"));
        world.expect("score.pgn --no-engine --no-pictures --out out", 0);
        let diff = String::from_utf8(world.read("out/diff.txt")).unwrap();
        let heading: Vec<&str> = diff.lines().take_while(|l| l.starts_with('#')).collect();
        assert_eq!(heading, lines, "{tag} {end}");
        let rows = world.json("out/report.json")["repairs"].as_array().unwrap().len();
        assert_eq!(rows, lines.len() - 1);
    }
}

/// A score with the pair `3. Bb5 a6` lost, numbered on without it.
const PAIR_LOST: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Ba4 Nf6 4. O-O Be7 \
    5. Re1 b5 6. Bb3 d6 7. c3 O-O 8. h3 Na5 9. Bc2 c5 10. d4 Qc7 11. Nbd2 *\n";

#[test]
fn each_move_put_in_has_its_number() {
    let world = World::new();
    world.write("score.pgn", PAIR_LOST);
    let output = world.expect("score.pgn --no-engine --no-pictures --out out --color never", 0);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("put in 3. Bb5 before Ba4"), "{said}");
    assert!(said.contains("put in 3... a6 before Ba4"), "{said}");
    let diff = String::from_utf8(world.read("out/diff.txt")).unwrap();
    assert!(diff.contains("put in 3. Bb5\n") && diff.contains("put in 3... a6\n"), "{diff}");
    let fixed = String::from_utf8(world.read("out/fixed.pgn")).unwrap();
    assert!(fixed.contains("3. Bb5 a6 4. Ba4 Nf6 5. O-O") && fixed.contains("12. Nbd2 *"), "{fixed}");
    assert!(diff.contains("# notation: 3 > 4, 4 > 5, "), "{diff}");
    world.expect("check --strict --repair out/fixed.pgn", 0);
}

#[test]
fn a_match_is_pointed_to_game_by_game() {
    let world = World::new();
    let output = world.expect("fixtures/audit/two.pgn --no-engine --no-pictures --out out --color never", 0);
    let said = String::from_utf8(output.stdout).unwrap();
    let last = said.lines().last().unwrap();
    assert_eq!(last, "Files: 2 games in out; start with 001/ and report.json");
    assert!(world.path("out/001/fixed.pgn").is_file());
}

/// The fake engine counts material and looks no move ahead.
#[test]
fn each_blunder_tells_what_the_second_engine_makes_of_it() {
    let world = World::new();
    fs::create_dir(world.path("bin")).unwrap();
    let mut fake = std::env::current_exe().unwrap();
    fake.pop();
    fake.pop();
    fs::copy(fake.join("examples/fake-uci"), world.path("bin/stockfish")).unwrap();
    let run = |moves: &str| {
        world.write("game.pgn", format!("[Event \"second\"]\n\n{moves} 1/2-1/2\n"));
        let args = "game.pgn --engine builtin --depth 4 --no-pictures --out out -q";
        let asked = world.path("asked");
        let output = world.command(args).env("PATH", world.path("bin")).env("FAKE_UCI_LOG", &asked).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read_to_string(asked).unwrap_or_default()
    };
    assert_eq!(run("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"), "", "asked without a blunder to ask about");
    assert_eq!(world.json("out/blunders.json"), serde_json::json!([]));
    let asked = run("1. e4 e5 2. Qh5 Nc6 3. Qxe5+ Nxe5");
    let blunders = world.json("out/blunders.json");
    assert_eq!(blunders[0]["ply"], 5, "{blunders}");
    // The queen takes a pawn; that she is lost is another move's business.
    assert_eq!(blunders[0]["second"], serde_json::json!({ "engine": "fakeengine", "swing": -100 }));
    assert_eq!(world.json("out/report.json")["all_blunders"][0]["second"], blunders[0]["second"]);
    assert!(asked.lines().count() >= 2 && asked.lines().all(|line| line.starts_with("14 ")), "{asked}");
}

#[test]
fn an_engine_that_dies_costs_only_what_needs_it() {
    let world = World::new();
    let script = "#!/bin/sh\nwhile read line; do case $line in uci) echo id name Dier 1.0; echo uciok;; \
        isready) echo readyok;; go*) exit 3;; esac; done\n";
    let engine = world.write("dier", script);
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).unwrap();
    let output = world.expect("fixtures/audit/club.pgn --engine ./dier --no-pictures --out out -q", 2);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("evals.csv is missing") && said.contains("died"), "{said}");
    let report = world.json("out/report.json");
    assert!(report["blunders"].is_null() && report["engine_used"].is_null() && report["evals_csv"].is_null());
    let missing: Vec<&str> =
        report["missing"].as_array().unwrap().iter().map(|m| m["what"].as_str().unwrap()).collect();
    for name in ["evals.csv", "blunders.json", "evals_after.csv"] {
        assert!(missing.contains(&name), "{missing:?}");
        assert!(!world.path("out").join(name).exists());
    }
    assert_eq!(report["result_check"]["engine_suggests"], "0-1", "the rules know of the mate");
    assert_eq!(String::from_utf8(world.read("out/fixed.pgn")).unwrap(), mended(&club(&world)));
}

#[test]
fn gnu_chess_and_xboard_do_the_work() {
    let world = World::new();
    world.expect("fixtures/audit/two.pgn --game 1 --depth 6 --out out -q", 0);
    let report = world.json("out/report.json");
    assert_eq!(report["engine_used"], "gnuchess");
    assert_eq!(report["missing"], serde_json::json!([]));
    let evidence = report["evidence"].as_array().unwrap();
    let sources: Vec<&str> = evidence.iter().map(|e| e["source"].as_str().unwrap()).collect();
    assert_eq!(sources, ["xboard"; 3], "{:?}", report["warnings"]);
    for entry in evidence {
        let file = world.read(&format!("out/{}", entry["file"].as_str().unwrap()));
        assert!(file.starts_with(b"\x89PNG"));
    }
}

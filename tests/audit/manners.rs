//! What can go wrong from outside, and that it is said in one sentence with nothing lost.

use std::{
    fs,
    io::{Read, Write},
    os::unix::fs::PermissionsExt,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use rustix::process::Signal;

use super::{
    leash::{Leashed, alive},
    run::{World, error_line, names},
};

#[test]
fn an_input_that_cannot_be_audited_is_named() {
    let world = World::new();
    world.write("empty.pgn", "");
    world.write("letter.txt", "Dear arbiter,\nthe score is lost.\n");
    world.write(
        "noise.bin",
        (0..4096u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect::<Vec<u8>>(),
    );
    fs::create_dir(world.path("folder")).unwrap();
    for (name, word) in [
        ("missing.pgn", "No such file"),
        ("folder", "is a folder"),
        ("empty.pgn", "is empty"),
        ("letter.txt", "no game"),
        ("noise.bin", "noise.bin"),
    ] {
        let output = world.expect(&format!("{name} --no-engine --out results"), 2);
        let line = error_line(&output);
        assert!(line.contains(name) && line.contains(word), "{line}");
        assert!(output.stdout.is_empty());
        assert!(!world.path("results").exists(), "{name}");
    }
    let output = world.expect("fixtures/audit/two.pgn --game 3 --no-engine", 2);
    assert!(error_line(&output).contains("holds 2 games"));
}

#[test]
fn bad_usage_is_status_2() {
    let world = World::new();
    for args in ["", "--depth 0 x.pgn", "--nonsense", "x.pgn --engine a --no-engine", "check"] {
        let output = world.expect(args, 2);
        assert!(!output.stderr.is_empty(), "{args}");
    }
    world.expect("--help", 0);
    world.expect("--version", 0);
}

#[test]
fn an_output_that_cannot_be_written_is_named() {
    let world = World::new();
    world.write("file", "x");
    let line = error_line(&world.expect("fixtures/audit/clean.pgn --no-engine --out file", 2));
    assert!(line.contains("file is not a folder"), "{line}");
    let line = error_line(&world.expect("fixtures/audit/clean.pgn --no-engine --out /proc/nowhere", 2));
    assert!(line.contains("cannot write /proc/nowhere"), "{line}");
    let line = error_line(&world.expect("fixtures/audit/clean.pgn --no-engine --out file/below", 2));
    assert!(line.contains("cannot write"), "{line}");
}

#[test]
fn what_the_system_says_is_said_once() {
    let world = World::new();
    for args in [
        "missing.pgn --no-engine",
        "fix missing.pgn",
        "fix missing.pgn --in-place",
        "fix fixtures/audit/club.pgn -o nowhere/x.pgn",
        "fixtures/audit/clean.pgn --no-engine --out /proc/nowhere",
    ] {
        let line = error_line(&world.expect(args, 2));
        assert!(line.ends_with(": No such file or directory; check the name\n"), "{line}");
        assert_eq!(line.matches("No such").count(), 1, "{line}");
    }
}

#[test]
fn the_input_is_never_written_over() {
    let world = World::new();
    fs::create_dir(world.path("out")).unwrap();
    let score = fs::read(world.path("fixtures/audit/clean.pgn")).unwrap();
    world.write("out/fixed.pgn", &score);
    let line = error_line(&world.expect("out/fixed.pgn --no-engine --out out", 2));
    assert!(line.contains("is the input"), "{line}");
    assert_eq!(world.read("out/fixed.pgn"), score);
    assert_eq!(names(&world.path("out")), ["fixed.pgn"]);
}

#[test]
fn other_people_s_files_stay_and_an_old_run_goes() {
    let world = World::new();
    fs::create_dir(world.path("out")).unwrap();
    world.write("out/notes.txt", "mine");
    world.expect("fixtures/audit/two.pgn --no-engine --no-pictures --out out -q", 0);
    assert!(world.path("out/002/fixed.pgn").exists());
    world.expect("fixtures/audit/clean.pgn --no-engine --no-pictures --out out -q", 0);
    assert!(!world.path("out/001").exists() && !world.path("out/002").exists());
    assert!(world.path("out/fixed.pgn").exists());
    assert_eq!(world.read("out/notes.txt"), b"mine");
    let mode = fs::metadata(world.path("out/fixed.pgn")).unwrap().permissions().mode();
    assert_eq!(mode & 0o444, 0o444, "others may read the results: {mode:o}");
}

#[test]
fn an_engine_that_is_none_is_said_so() {
    let world = World::new();
    let line = error_line(&world.expect("fixtures/audit/clean.pgn --engine no-such-engine --out out", 2));
    assert!(line.contains("no-such-engine"), "{line}");
    let line = error_line(&world.expect("fixtures/audit/clean.pgn --engine /bin/true --out out", 2));
    assert!(line.contains("true"), "{line}");
    assert!(!world.path("out/report.json").exists());
}

#[test]
fn a_full_disk_is_status_2_and_leaves_no_half_file() {
    let world = World::new();
    // No file may grow beyond one block: the first ones fit, a picture does not.
    let script = format!(
        "ulimit -f 2; trap '' XFSZ; exec {} fixtures/audit/club.pgn --engine builtin --depth 1 --out out -q",
        env!("CARGO_BIN_EXE_pgn-audit")
    );
    let output = Command::new("bash")
        .args(["-c", &script])
        .current_dir(world.path(""))
        .env("XDG_CACHE_HOME", world.path("cache"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write"));
    let left = names(&world.path("out"));
    assert!(left.contains(&"before/broken.pgn".to_owned()), "{left:?}");
    assert!(left.iter().all(|n| !n.contains(".pgn-audit-") && n != "report.json"), "{left:?}");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let world = World::new();
    let mut child = Leashed::spawn(
        world.command("fixtures/audit/club.pgn --no-engine -v").stdout(Stdio::piped()).stderr(Stdio::piped()),
    );
    drop(child.stdout.take());
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{errors}");
    assert!(!errors.contains("panicked") && !errors.contains("Broken pipe"), "{errors}");
}

#[test]
fn hostile_text_never_reaches_the_terminal_raw() {
    let world = World::new();
    world.write(
        "hostile.pgn",
        "[Event \"\u{1b}]0;owned\u{7}\"]\n[White \"\u{1b}[2J\"]\n[Black \"b\u{9b}31m\"]\n[Result \"1-0\"]\n\n1. e4 \u{1b}[31mNf9\u{7} 1-0\n",
    );
    for args in ["hostile.pgn --no-engine -v", "hostile.pgn --no-engine --color never -v"] {
        let output = world.run(args);
        for text in [&output.stdout, &output.stderr] {
            let text = String::from_utf8_lossy(text);
            assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
        }
    }
}

#[test]
fn colours_follow_the_usual_rules() {
    let world = World::new();
    let escaped = |output: std::process::Output| output.stdout.contains(&0x1b);
    assert!(!escaped(world.run("fixtures/audit/club.pgn --no-engine")));
    assert!(escaped(world.run("fixtures/audit/club.pgn --no-engine --color always")));
    let output = world.command("fixtures/audit/club.pgn --no-engine").env("NO_COLOR", "1").output().unwrap();
    assert!(!escaped(output));
}

#[test]
fn standard_input_is_read() {
    let world = World::new();
    let mut child = Leashed::spawn(
        world.command("- --no-engine --format json").stdin(Stdio::piped()).stdout(Stdio::piped()),
    );
    child.stdin.take().unwrap().write_all(b"1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
    let output = child.output();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["input"]["name"], "-");
    assert_eq!(report["result_check"]["engine_suggests"], "0-1", "the rules decide without an engine");
}

#[test]
fn a_packed_score_is_audited_as_the_text_in_it() {
    let world = World::new();
    let plain = fs::read(world.path("fixtures/audit/club.pgn")).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    gzip.write_all(&plain).unwrap();
    let packed = gzip.finish().unwrap();
    world.write("club.pgn.gz", &packed);
    world.expect("club.pgn.gz --no-engine --no-pictures --out packed -q", 0);
    world.expect("fixtures/audit/club.pgn --no-engine --no-pictures --out plain -q", 0);
    assert_eq!(world.read("packed/before/broken.pgn"), plain);
    for name in ["fixed.pgn", "diff.txt", "illegal_moves.json"] {
        assert_eq!(world.read(&format!("packed/{name}")), world.read(&format!("plain/{name}")), "{name}");
    }
    let (report, want) = (world.json("packed/report.json"), world.json("plain/report.json"));
    assert_eq!(report["input"]["name"], "club.pgn.gz");
    assert_eq!(report["input"]["packed"], "gzip");
    assert_eq!(report["input"]["sha256"], want["input"]["sha256"], "that of the text");
    assert!(want["input"].get("packed").is_none());
    world.write("cut.pgn.gz", &packed[..packed.len() / 2]);
    let line = error_line(&world.expect("cut.pgn.gz --no-engine --out cut", 2));
    assert!(line.contains("cannot read cut.pgn.gz") && line.contains("cut short"), "{line}");
    assert!(!world.path("cut").exists());
}

#[test]
fn an_interrupt_leaves_no_child_and_no_half_file() {
    let world = World::new();
    for (signal, pause) in [(Signal::INT, 0), (Signal::TERM, 900)] {
        let out = format!("out-{}", signal.as_raw());
        // So deep that it cannot have ended by itself.
        let mut child = Leashed::spawn(
            world
                .command(&format!("fixtures/audit/club.pgn --depth 20 --no-cache -q --out {out}"))
                .stdout(Stdio::null())
                .stderr(Stdio::null()),
        );
        let started = Instant::now();
        while child.descendants().is_empty() {
            assert!(started.elapsed() < Duration::from_secs(60), "no engine was started");
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(pause));
        let children = child.descendants();
        assert!(!children.is_empty(), "the engine is gone before anybody asked");
        child.send(signal);
        assert_eq!(child.ends_within(Duration::from_secs(5)).code(), Some(130), "{signal:?}");
        for child in children {
            assert!(!alive(child), "{signal:?}: process {child} is left");
        }
        let left = names(&world.path(&out));
        assert!(left.iter().all(|n| !n.contains(".pgn-audit-") && n != "report.json"), "{left:?}");
    }
}

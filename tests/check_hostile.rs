//! Hostile input: time grows no faster than the input, and nothing that a terminal obeys comes out raw.
//!
//! What is measured is the processor time of the child, not the clock, and of two sizes the ratio: both hold on a
//! busy machine.

#![allow(clippy::unwrap_used)] // a test that cannot set its stage fails

mod leash;

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

use leash::Leashed;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

const HEAD: &str = "[Event \"x\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n\n";

/// Seconds of processor time that no run may pass.
const CAP: f64 = 30.0;

/// Seconds that are lost in the noise.
const NOISE: f64 = 0.4;

/// Seconds of processor time that the program takes for a file.
fn seconds(args: &[&str], file: &Path) -> f64 {
    let mut child = Leashed::spawn(
        Command::new("sh")
            .args(["-c", &format!("ulimit -t {}; exec \"$0\" \"$@\"", 2.0 * CAP)])
            .arg(env!("CARGO_BIN_EXE_pgn-audit"))
            .args(args)
            .arg(file)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null()),
    );
    // A child that has ended and is not yet collected still tells its times.
    let pid = Pid::from_child(&child);
    waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).unwrap();
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let status = child.wait().unwrap();
    assert!(status.code().is_some(), "{args:?}: {status}");
    // Behind the name in parentheses the fields begin with the third; user and system time are the 14th and 15th,
    // in hundredths of a second.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    [fields[11], fields[12]].iter().map(|f| f.parse::<f64>().unwrap() / 100.0).sum()
}

/// Runs the program on `make(n)` and `make(4 n)` in each way and compares.
fn grows_no_faster(name: &str, ways: &[&[&str]], n: usize, make: impl Fn(usize) -> String) {
    let dir = tempfile::tempdir().unwrap();
    let (small, large) = (dir.path().join("small.pgn"), dir.path().join("large.pgn"));
    fs::write(&small, make(n)).unwrap();
    fs::write(&large, make(4 * n)).unwrap();
    for way in ways {
        let (a, b) = (seconds(way, &small), seconds(way, &large));
        assert!(b < CAP, "{name} {way:?}: {b:.2} s");
        assert!(b < 8.0 * a + NOISE, "{name} {way:?}: {a:.2} s, four times as much {b:.2} s");
    }
}

const TEXT: [&[&str]; 2] = [&["check", "-q", "--format", "full"], &["fix", "-q"]];
const MOVES: [&[&str]; 3] =
    [&["check", "-q"], &["check", "-q", "--repair", "--format", "ndjson"], &["fix", "-q", "--diff"]];

/// Both knights out and back, `pairs` moves long.
fn shuffled(pairs: usize) -> String {
    (0..pairs).map(|i| format!("{}. {} ", i + 1, ["Nf3 Nf6", "Ng1 Ng8"][i % 2])).collect()
}

#[test]
fn one_sign_over_and_over() {
    for sign in ["(", ")", "{", "}", "[", "]", "1", ".", "\"", "\0", ";", "$", "!", "-", ">", "&", "\u{200b}"]
    {
        grows_no_faster(sign, &TEXT, 250_000, |n| format!("{HEAD}1. e4 {}", sign.repeat(n)));
    }
}

#[test]
fn one_sign_over_and_over_alone() {
    for sign in ["(", "{", "[", "1", ".", "\"", "\0", "*"] {
        grows_no_faster(sign, &TEXT[..1], 250_000, |n| sign.repeat(n));
    }
}

#[test]
fn one_word_over_and_over() {
    let words = [
        "?? ",
        "- ",
        "e.p. ",
        "{a} ",
        "(foo) ",
        "(1. Qh8) ",
        "() ",
        "1-0 ",
        "0:10 ",
        "N ",
        "e4e5",
        "\n[",
        "\n%",
        ";\n",
        "{( ",
        "{) ",
        "{ 2. ",
        "1. ",
        "N\nf3\n",
        "<b>",
        "1-0 (",
        "$1 ",
        "0-0 ",
        "\r",
    ];
    for word in words {
        grows_no_faster(word, &TEXT, 60_000, |n| format!("{HEAD}1. e4 {} *\n", word.repeat(n)));
    }
}

#[test]
fn deep_nesting() {
    for inner in ["(1. d4 ", "(foo ", "(1. Qh8 ", "("] {
        let make = |n: usize| format!("{HEAD}1. e4 {}{} *\n", inner.repeat(n), ")".repeat(n));
        grows_no_faster(inner, &TEXT, 60_000, make);
    }
}

#[test]
fn tags_without_end() {
    grows_no_faster("value", &TEXT, 2_500_000, |n| format!("[Event \"{}\"]\n\n1. e4 *\n", "x".repeat(n)));
    grows_no_faster("quotes", &TEXT, 250_000, |n| format!("[Event \"{}\"]\n\n1. e4 *\n", "\"".repeat(n)));
    grows_no_faster("many", &TEXT, 20_000, |n| {
        let tags: String = (0..n).map(|i| format!("[T{i} \"x\"]\n")).collect();
        format!("{tags}\n1. e4 *\n")
    });
    grows_no_faster("same", &TEXT, 20_000, |n| format!("{}\n1. e4 *\n", "[Event \"x\"]\n".repeat(n)));
}

#[test]
fn giant_games() {
    let moves = |text: String| format!("{HEAD}{text}*\n");
    grows_no_faster("illegal", &MOVES, 10_000, |n| "1. e4 e5 ".repeat(n));
    grows_no_faster("legal", &MOVES, 10_000, |n| moves(shuffled(n)));
    grows_no_faster("one illegal", &MOVES, 10_000, |n| {
        moves(format!("{}{n}. Qh8 Qa1 {}", shuffled(n / 2), shuffled(n / 2)))
    });
    grows_no_faster("German", &MOVES, 5_000, |n| moves(shuffled(n).replace('N', "S")));
    grows_no_faster("wrong numbers", &MOVES, 5_000, |n| moves(shuffled(n).replace(". ", "7. ")));
    grows_no_faster("false checks", &MOVES, 5_000, |n| moves(shuffled(n).replace("Nf3", "Nf3+")));
    grows_no_faster("blank", &MOVES, 10_000, |n| moves("1. -- -- ".repeat(n)));
    grows_no_faster("returns", &MOVES, 5_000, |n| moves(shuffled(n)).replace(['\n', ' '], "\r"));
}

#[test]
fn many_small_games() {
    grows_no_faster("on lines", &MOVES, 4_000, |n| "1. e4 e5 1-0\n".repeat(n));
    grows_no_faster("without results", &MOVES, 4_000, |n| format!("{HEAD}1. e4 e5\n\n").repeat(n));
    grows_no_faster("behind chatter", &MOVES, 20_000, |n| {
        format!("{}{HEAD}1. e4 *\n", "hello world\n".repeat(n))
    });
}

#[test]
fn an_audit_of_a_giant_game_is_bounded_and_says_so() {
    let audit: [&[&str]; 1] = [&["--engine", "builtin", "--depth", "2", "-q", "--no-cache"]];
    grows_no_faster("legal", &audit, 10_000, |n| format!("{HEAD}{}*\n", shuffled(n)));
    grows_no_faster("illegal", &audit, 10_000, |n| "1. e4 e5 ".repeat(n));
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("giant.pgn");
    fs::write(&file, format!("{HEAD}{}*\n", shuffled(2_000))).unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_pgn-audit"))
        .args(audit[0])
        .args(["--out", "out"])
        .arg("giant.pgn")
        .current_dir(&dir)
        .output()
        .unwrap();
    assert!(run.status.success());
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(said.contains("the game has 4000 plies; no more than 1800 are searched"), "{said}");
    assert!(!dir.path().join("out/evals.csv").exists());
}

#[test]
fn a_repair_that_is_not_looked_for_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("giant.pgn");
    fs::write(&file, format!("{HEAD}{}1. Qh8 *\n", shuffled(1_000))).unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_pgn-audit"))
        .args(["check", "--repair", "-q"])
        .arg(&file)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(said.contains("no repair was looked for: 2001 moves are written, more than 1800"), "{said}");
}

#[test]
fn a_line_of_a_hundred_megabytes() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("long.pgn");
    let mut out = std::io::BufWriter::new(fs::File::create(&file).unwrap());
    write!(out, "{HEAD}1. e4 {{").unwrap();
    for _ in 0..50_000 {
        out.write_all("x ".repeat(1_000).as_bytes()).unwrap();
    }
    writeln!(out, "}} *").unwrap();
    out.into_inner().unwrap();
    for way in TEXT {
        let taken = seconds(way, &file);
        assert!(taken < CAP, "{way:?}: {taken:.2} s");
    }
}

#[test]
fn nothing_that_a_terminal_obeys_comes_out_raw() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bad\u{1b}[2J.pgn");
    let evil = "\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}\u{8}\r";
    let text = format!(
        "[Event \"{evil}\"]\n[Res{evil}ult \"1-0{evil}\"]\n[Result \"{evil}\"]\n[Variant \"{evil}\"]\n[Event \"{evil}b\"]\n\n\
         1. e4{evil} e5 {evil} ({evil}foo) Nf9{evil} 2. {evil}Kx{evil}e9 {{{evil} 3. Ke9+{evil}\n\n{evil}\n\
         [Event \"y\"]\n\n1. e4 N{evil}f9 x{evil} {{{}}} 1-0{evil}\n",
        // A file of many control characters is taken for none of text.
        "plain ".repeat(2_000)
    );
    fs::write(&file, text).unwrap();
    let ways: [&[&str]; 8] = [
        &["check", "--format", "full"],
        &["check", "--format", "concise"],
        &["check", "--format", "github"],
        &["check", "--repair", "--format", "full"],
        &["check", "--format", "ndjson", "--repair"],
        &["check", "--format", "sarif", "--repair"],
        &["--no-engine"],
        &["--no-engine", "--format", "json"],
    ];
    for way in ways {
        let run = Command::new(env!("CARGO_BIN_EXE_pgn-audit")).args(way).arg(&file).output().unwrap();
        assert!(!run.stdout.is_empty(), "{way:?}");
        for bytes in [run.stdout, run.stderr] {
            let said = String::from_utf8(bytes).unwrap();
            let raw = said.chars().find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
            assert_eq!(raw, None, "{way:?}: {said}");
        }
    }
}

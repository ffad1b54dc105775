//! The engine service under a whole audit: killed, interrupted, many at once; nothing left behind, nothing done twice.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod lair;
mod leash;

use std::{
    collections::BTreeMap,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use lair::Lair;
use leash::Leashed;
use rustix::process::Signal;

const SCORE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/audit/clean.pgn");

/// A score with enough moves for an audit that takes a while.
const LONG_SCORE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/audit/club.pgn");

/// A lair whose engine has `vice`, which it knows by its name as the audit gives no arguments.
fn engine(lair: &Lair, vice: &str) -> PathBuf {
    let path = lair.path().join(format!("fake-uci-{vice}"));
    if !path.exists() {
        std::os::unix::fs::symlink(lair.program(), &path).unwrap();
    }
    path
}

fn audit(lair: &Lair, vice: &str, out: &Path) -> Command {
    audit_of(SCORE, lair, vice, out)
}

fn audit_of(score: &str, lair: &Lair, vice: &str, out: &Path) -> Command {
    let mut command = pgn_audit(lair);
    command.args([score, "--quiet", "--no-pictures", "--threads", "2", "--engine"]);
    command.arg(engine(lair, vice)).arg("--out").arg(out);
    command
}

fn pgn_audit(lair: &Lair) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pgn-audit"));
    command
        .env("XDG_CACHE_HOME", lair.path().join("cache"))
        .env("FAKE_UCI_LOG", lair.path().join("log"))
        .env("LAIR", lair.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The searches so far, and how many of them were done more than once.
fn searches(lair: &Lair) -> (usize, usize) {
    let log = fs::read_to_string(lair.path().join("log")).unwrap_or_default();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in log.lines() {
        *counts.entry(line).or_default() += 1;
    }
    (counts.len(), counts.values().map(|n| n - 1).sum())
}

fn files(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(out).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_file() {
            found.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    found
}

fn cache_info(lair: &Lair) -> String {
    String::from_utf8(pgn_audit(lair).args(["cache", "info"]).output().unwrap().stdout).unwrap()
}

/// How many evaluations the cache holds, by its own word.
fn kept(info: &str) -> usize {
    info.lines().find_map(|line| line.strip_prefix("evaluations: ")).unwrap().parse().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_killed_audit_leaves_no_engine_and_is_taken_up_where_it_was() {
    let lair = Lair::new();
    let out = lair.path().join("out");
    let mut killed = Leashed::spawn(&mut audit(&lair, "slow", &out));
    let started = Instant::now();
    while searches(&lair).0 < 5 && started.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(5));
    }
    killed.send(Signal::KILL);
    killed.wait().unwrap();
    lair.assert_deserted("killed");
    let before = searches(&lair).0;
    let output = audit(&lair, "slow", &out).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let (after, repeated) = searches(&lair);
    assert!(before >= 5 && after > before, "{before} searches before, {after} after");
    // One search a process may have ended without being kept.
    assert!(repeated <= 2, "{repeated} searches were done twice");
    let again = lair.path().join("again");
    let output = audit(&lair, "slow", &again).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(searches(&lair), (after, repeated), "a third run searches nothing");
    assert_eq!(files(&out), files(&again));
}

#[test]
fn a_killed_audit_leaves_no_xboard_and_no_x_server() {
    let lair = Lair::new();
    let mut command = pgn_audit(&lair);
    command.args([SCORE, "--quiet", "--no-engine", "--out"]).arg(lair.path().join("out"));
    // XBoard gets an environment of its own, by which it is known here.
    command.env("TMPDIR", lair.path());
    let mut killed = Leashed::spawn(&mut command);
    let started = Instant::now();
    while !lair.processes_with("XAUTHORITY=").iter().any(|p| p.ends_with("xboard")) {
        assert!(started.elapsed() < Duration::from_secs(60), "no XBoard was started");
        assert!(killed.try_wait().unwrap().is_none(), "the audit ended before XBoard was seen");
        thread::sleep(Duration::from_millis(2));
    }
    // Once it talks to the X server, the server has a client left when we are gone.
    thread::sleep(Duration::from_millis(200));
    killed.send(Signal::KILL);
    killed.wait().unwrap();
    lair.assert_deserted("killed");
}

#[test]
fn interrupted_a_hundred_times_it_leaves_no_process_no_half_file_and_a_cache_that_counts() {
    let mut endings: BTreeMap<Option<i32>, usize> = BTreeMap::new();
    let mut result: Option<BTreeMap<String, Vec<u8>>> = None;
    for audited in 0..25_u64 {
        let lair = Lair::new();
        for round in 4 * audited..4 * audited + 4 {
            let out = lair.path().join(format!("out{round}"));
            let child = Leashed::spawn(&mut audit_of(LONG_SCORE, &lair, "slow", &out));
            thread::sleep(Duration::from_millis(round * 37 % 300));
            child.send(if round % 2 == 0 { Signal::INT } else { Signal::TERM });
            let signalled = Instant::now();
            let output = child.output();
            assert!(signalled.elapsed() < Duration::from_secs(5), "{:?}", signalled.elapsed());
            lair.assert_deserted("interrupted");
            assert_whole(&files(&out), output.status.code() == Some(0), &said(&output));
            *endings.entry(output.status.code()).or_default() += 1;
        }
        let out = lair.path().join("out");
        let output = audit_of(LONG_SCORE, &lair, "slow", &out).output().unwrap();
        assert_eq!((output.status.code(), said(&output)), (Some(0), String::new()));
        let found = files(&out);
        assert_eq!(result.get_or_insert_with(|| found.clone()), &found);
        let info = cache_info(&lair);
        let (searched, repeated) = searches(&lair);
        assert!(!info.contains("damaged") && kept(&info) == searched, "{searched} searches, {info}");
        // Each interrupt may have cost the searches that were under way, one a process.
        assert!(repeated <= 2 * 4, "{repeated} searches were done twice");
    }
    // A signal before the program listens ends it as the system does, without a status.
    assert!(endings.keys().all(|code| [None, Some(0), Some(130)].contains(code)), "{endings:?}");
    assert!(endings.get(&Some(130)).is_some_and(|n| *n > 50), "{endings:?}");
}

/// Every file of an audit that was ended at some moment is a whole one; the report is there if the audit is.
fn assert_whole(found: &BTreeMap<String, Vec<u8>>, ended: bool, said: &str) {
    assert_eq!(found.contains_key("report.json"), ended, "{said}");
    for (name, bytes) in found {
        let known =
            ["csv", "json", "pgn", "txt", "html"].iter().any(|end| name.ends_with(&format!(".{end}")));
        assert!(known && !name.starts_with('.'), "left in the folder: {name}");
        if name.ends_with(".json") {
            assert!(serde_json::from_slice::<serde_json::Value>(bytes).is_ok(), "half a file: {name}");
        }
    }
}

#[test]
fn a_cache_that_cannot_grow_costs_a_warning_and_nothing_else() {
    let lair = Lair::new();
    let (out, again) = (lair.path().join("out"), lair.path().join("again"));
    let folder = lair.path().join("cache/pgn-audit");
    fs::create_dir_all(&folder).unwrap();
    // Empty lines up to the limit that files have below: room for a few records and half of one.
    let limit = 512 << 10;
    fs::write(folder.join("evaluations-1.txt"), vec![b'\n'; limit - 500]).unwrap();
    let mut command = Command::new("bash");
    command.args(["-c", &format!("ulimit -f {}; trap '' XFSZ; exec \"$0\" \"$@\"", limit >> 10)]);
    let limited = audit(&lair, "", &out);
    command.arg(limited.get_program()).args(limited.get_args());
    command.envs(limited.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("evaluations are not kept for the next run: "), "{}", said(&output));
    let (searched, _) = searches(&lair);
    let info = cache_info(&lair);
    assert!((1..searched).contains(&kept(&info)), "{searched} searches, {info}");

    let output = audit(&lair, "", &again).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(said(&output), "");
    assert_eq!(searches(&lair), (searched, searched - kept(&info)), "what was kept is not searched again");
    assert_eq!(kept(&cache_info(&lair)), searched);
    assert_eq!(files(&out), files(&again));
}

#[test]
fn a_cache_that_cannot_be_opened_costs_a_warning_and_nothing_else() {
    let lair = Lair::new();
    fs::write(lair.path().join("cache"), "a file where the folder should be").unwrap();
    let output = audit(&lair, "", &lair.path().join("out")).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("evaluations are not kept"), "{}", said(&output));
    let output = audit(&lair, "", &lair.path().join("again")).arg("--no-cache").output().unwrap();
    assert_eq!(said(&output), "");
    assert_eq!(files(&lair.path().join("out")), files(&lair.path().join("again")));
}

#[test]
fn ten_audits_at_once_share_the_cache_and_agree() {
    let lair = Lair::new();
    let outs: Vec<PathBuf> = (0..10).map(|i| lair.path().join(format!("out{i}"))).collect();
    let children: Vec<Leashed> =
        outs.iter().map(|out| Leashed::spawn(&mut audit(&lair, "slow", out))).collect();
    for child in children {
        let output = child.output();
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    }
    let first = files(&outs[0]);
    assert!(first.contains_key("report.json"));
    for out in &outs {
        assert_eq!(files(out), first);
    }
    let text = cache_info(&lair);
    assert!(text.contains("fakeengine 1.5:") && !text.contains("damaged"), "{text}");
    lair.assert_deserted("ten at once");
}

#[test]
fn two_audits_at_once_into_one_folder_are_kept_apart() {
    let lair = Lair::new();
    let out = lair.path().join("out");
    let mut first = Leashed::spawn(&mut audit(&lair, "silent-when-asked", &out));
    let started = Instant::now();
    while !out.join("illegal_moves.json").exists() {
        assert!(started.elapsed() < Duration::from_secs(60), "nothing is written");
        thread::sleep(Duration::from_millis(5));
    }
    let before = files(&out);
    let second = audit(&lair, "", &out).output().unwrap();
    assert_eq!(second.status.code(), Some(2), "{}", said(&second));
    let want =
        format!("another audit is writing to {}; wait for it, or choose another folder", out.display());
    assert!(said(&second).contains(&want), "{}", said(&second));
    assert_eq!(said(&second).lines().count(), 1);
    assert_eq!(files(&out), before, "the second one took nothing away");
    first.send(Signal::KILL);
    first.wait().unwrap();
    // What the killed one has left is neither in the way nor there in the end.
    fs::write(out.join("view_illegal_99.png"), "stale").unwrap();
    let mut list = fs::OpenOptions::new().append(true).open(out.join("unfinished.txt")).unwrap();
    list.write_all(b"view_illegal_99.png\n").unwrap();
    let output = audit(&lair, "", &out).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let found = files(&out);
    assert!(!found.contains_key("view_illegal_99.png") && !found.contains_key("unfinished.txt"));
    let report: serde_json::Value = serde_json::from_slice(&found["report.json"]).unwrap();
    let listed = report["files"].as_array().unwrap();
    assert!(found.keys().all(|name| listed.iter().any(|l| l == name)), "{:?}", found.keys());
}

#[test]
fn a_sick_engine_costs_the_audit_its_numbers_and_nothing_else() {
    let lair = Lair::new();
    let out = lair.path().join("out");
    let output = audit(&lair, "dies-when-asked", &out).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("died"), "{}", said(&output));
    let found = files(&out);
    assert!(found.contains_key("fixed.pgn") && found.contains_key("report.json"), "{:?}", found.keys());
    assert!(!found.contains_key("evals.csv"));
    lair.assert_deserted("a sick engine");
}

#[test]
fn the_cache_command_tells_and_clears() {
    let lair = Lair::new();
    let out = lair.path().join("out");
    assert_eq!(audit(&lair, "", &out).output().unwrap().status.code(), Some(0));
    let info = || cache_info(&lair);
    assert!(info().contains("fakeengine 1.5:"), "{}", info());
    assert!(pgn_audit(&lair).args(["cache", "clear"]).status().unwrap().success());
    assert!(info().contains("evaluations: 0\n"), "{}", info());
    let searched = searches(&lair).0;
    let output = audit(&lair, "", &out).arg("--no-cache").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(searches(&lair), (searched, searched), "everything is searched again");
    assert!(info().contains("evaluations: 0\n"), "{}", info());
}

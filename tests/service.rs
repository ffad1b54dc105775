//! The engine service under a whole audit: killed, interrupted, many at once; nothing left behind, nothing done twice.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod lair;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use lair::Lair;
use rustix::process::{Pid, Signal, kill_process};

const SCORE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/audit/clean.pgn");

/// A lair whose engine has `vice`, which it knows by its name as the audit gives no arguments.
fn engine(lair: &Lair, vice: &str) -> PathBuf {
    let path = lair.path().join(format!("fake-uci-{vice}"));
    if !path.exists() {
        std::os::unix::fs::symlink(lair.program(), &path).unwrap();
    }
    path
}

fn audit(lair: &Lair, vice: &str, out: &Path) -> Command {
    let mut command = pgn_audit(lair);
    command.args([SCORE, "--quiet", "--no-pictures", "--threads", "2", "--engine"]);
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

fn send(child: &Child, signal: Signal) {
    let _ = kill_process(Pid::from_child(child), signal); // it may have ended already
}

/// Waits until no process of the lair is left; the kernel takes a moment to kill.
fn assert_deserted(lair: &Lair, when: &str) {
    let started = Instant::now();
    while !lair.processes().is_empty() {
        assert!(started.elapsed() < Duration::from_secs(5), "{when}: {:?}", lair.processes());
        thread::sleep(Duration::from_millis(20));
    }
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

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_killed_audit_leaves_no_engine_and_is_taken_up_where_it_was() {
    let lair = Lair::new();
    let out = lair.path().join("out");
    let mut killed = audit(&lair, "slow", &out).spawn().unwrap();
    let started = Instant::now();
    while searches(&lair).0 < 5 && started.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(5));
    }
    send(&killed, Signal::KILL);
    killed.wait().unwrap();
    assert_deserted(&lair, "killed");
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
fn interrupted_at_any_moment_it_leaves_no_process_and_no_half_file() {
    let lair = Lair::new();
    let mut endings: BTreeMap<Option<i32>, usize> = BTreeMap::new();
    for round in 0..100_u64 {
        let out = lair.path().join(format!("out{round}"));
        let mut command = audit(&lair, "slow", &out);
        command.arg("--no-cache");
        let child = command.spawn().unwrap();
        thread::sleep(Duration::from_millis(round * 37 % 500));
        send(&child, if round % 2 == 0 { Signal::INT } else { Signal::TERM });
        let signalled = Instant::now();
        let output = child.wait_with_output().unwrap();
        assert!(signalled.elapsed() < Duration::from_secs(5), "{:?}", signalled.elapsed());
        assert_deserted(&lair, "interrupted");
        let found = files(&out);
        let whole = output.status.code() == Some(0);
        assert_eq!(found.contains_key("report.json"), whole, "{:?} {}", output.status, said(&output));
        for (name, bytes) in &found {
            let known =
                ["csv", "json", "pgn", "txt", "html"].iter().any(|end| name.ends_with(&format!(".{end}")));
            assert!(known && !name.starts_with('.'), "left in the folder: {name}");
            if name.ends_with(".json") {
                assert!(serde_json::from_slice::<serde_json::Value>(bytes).is_ok(), "half a file: {name}");
            }
        }
        *endings.entry(output.status.code()).or_default() += 1;
    }
    // A signal before the program listens ends it as the system does, without a status.
    assert!(endings.keys().all(|code| [None, Some(0), Some(130)].contains(code)), "{endings:?}");
    assert!(endings.get(&Some(130)).is_some_and(|n| *n > 10), "{endings:?}");
}

#[test]
fn ten_audits_at_once_share_the_cache_and_agree() {
    let lair = Lair::new();
    let outs: Vec<PathBuf> = (0..10).map(|i| lair.path().join(format!("out{i}"))).collect();
    let children: Vec<Child> = outs.iter().map(|out| audit(&lair, "slow", out).spawn().unwrap()).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    }
    let first = files(&outs[0]);
    assert!(first.contains_key("report.json"));
    for out in &outs {
        assert_eq!(files(out), first);
    }
    let info = pgn_audit(&lair).args(["cache", "info"]).output().unwrap();
    let text = String::from_utf8_lossy(&info.stdout).into_owned();
    assert!(text.contains("fakeengine 1.5:") && !text.contains("damaged"), "{text}");
    assert_deserted(&lair, "ten at once");
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
    assert_deserted(&lair, "a sick engine");
}

#[test]
fn the_cache_command_tells_and_clears() {
    let lair = Lair::new();
    let out = lair.path().join("out");
    assert_eq!(audit(&lair, "", &out).output().unwrap().status.code(), Some(0));
    let info =
        || String::from_utf8(pgn_audit(&lair).args(["cache", "info"]).output().unwrap().stdout).unwrap();
    assert!(info().contains("fakeengine 1.5:"), "{}", info());
    assert!(pgn_audit(&lair).args(["cache", "clear"]).status().unwrap().success());
    assert!(info().contains("evaluations: 0\n"), "{}", info());
    let searched = searches(&lair).0;
    let output = audit(&lair, "", &out).arg("--no-cache").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(searches(&lair), (searched, searched), "everything is searched again");
    assert!(info().contains("evaluations: 0\n"), "{}", info());
}

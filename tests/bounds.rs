//! Memory is bounded where an input is not: endless devices, and packed files that unpack to gigabytes of one game.

#![allow(clippy::unwrap_used)] // a test that cannot set its stage fails

mod leash;

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

use flate2::{Compression, write::GzEncoder};
use leash::Leashed;

/// Megabytes that `check` and `fix` may hold at their worst.
const MOST: u64 = 100;

/// What the program says, and the most memory that it held, in megabytes; its output goes to a file, as it may be large.
fn peak(args: &[&str], output: &Path) -> (Output, u64) {
    let child = Leashed::spawn(
        Command::new(env!("CARGO_BIN_EXE_pgn-audit"))
            .args(args)
            .stdin(Stdio::null())
            .stdout(fs::File::create(output).unwrap())
            .stderr(Stdio::piped()),
    );
    let status = format!("/proc/{}/status", child.id());
    let watch = thread::spawn(move || {
        let mut most = 0;
        // The high-water mark is gone with the process: the last look before that counts.
        while let Some(held) = fs::read_to_string(&status).ok().and_then(|s| {
            let line =
                s.lines().find_map(|l| l.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?.parse::<u64>();
            line.ok()
        }) {
            most = held;
            thread::sleep(Duration::from_millis(2));
        }
        most >> 10
    });
    let output = child.output();
    (output, watch.join().unwrap())
}

/// A gigabyte of one game in a few megabytes, and a small game behind it.
fn bomb(path: &Path) {
    let member = |text: &[u8]| {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(text).unwrap();
        packed.finish().unwrap()
    };
    let mut file = fs::File::create(path).unwrap();
    file.write_all(&member(b"[Event \"endless\"]\n[Result \"*\"]\n\n1. e4 e5 {")).unwrap();
    let filling = member("\nWhite thinks, and Black thinks too".repeat(1 << 20).as_bytes());
    for _ in 0..30 {
        file.write_all(&filling).unwrap();
    }
    file.write_all(&member(b"\n\n[Event \"small\"]\n[Result \"*\"]\n\n1. d4 Nf9 *\n")).unwrap();
}

#[test]
fn a_game_beyond_the_bound_is_a_finding_and_the_next_one_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("bomb.pgn.gz"), folder.path().join("out"));
    bomb(&file);
    let file = file.to_str().unwrap();
    let (ran, held) = peak(&["check", "--repair", "--format", "ndjson", file], &out);
    let said = fs::read_to_string(&out).unwrap();
    assert_eq!(ran.status.code(), Some(1), "{said}");
    assert!((1..MOST).contains(&held), "{held} MB");
    let rows: Vec<serde_json::Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 3, "{said}");
    assert_eq!(rows[0]["findings"][0]["code"], "PA409");
    assert_eq!((&rows[0]["line"], &rows[0]["offset"]), (&1.into(), &0.into()));
    assert_eq!(rows[1]["findings"][0]["san"], "Nf9");
    assert_eq!(rows[1]["line"], 30 * (1 << 20) + 6);
    assert_eq!(rows[2]["games"], 2);

    let (ran, held) = peak(&["fix", file], &out);
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(0), "{said}");
    assert!((1..MOST).contains(&held), "{held} MB");
    assert!(
        said.contains("bomb.pgn.gz:1: the game has more than 64 MiB of text and is left as it is"),
        "{said}"
    );
    let size = 30 * (35 << 20);
    let written = fs::metadata(&out).unwrap().len();
    assert!((size..size + 200).contains(&written), "{written} bytes, every one of the large game among them");
}

#[test]
fn a_file_without_an_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for args in [&["check", "/dev/zero"][..], &["fix", "/dev/zero"]] {
        let (ran, held) = peak(args, &out);
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(2), "{said}");
        assert!(said.contains("/dev/zero") && said.contains("is no text"), "{said}");
        assert!((1..MOST).contains(&held), "{args:?}: {held} MB");
    }
    let (ran, held) = peak(&["/dev/zero", "--no-engine"], &out);
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(2), "{said}");
    assert!(said.contains("/dev/zero is larger than 256 MiB; audit a part of it"), "{said}");
    assert!((1..600).contains(&held), "{held} MB");
}

#[test]
fn an_audit_refuses_what_unpacks_to_more_than_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("bomb.pgn.gz"), folder.path().join("out"));
    bomb(&file);
    let (ran, held) = peak(&[file.to_str().unwrap(), "--no-engine"], &out);
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(2), "{said}");
    assert!(said.contains("is larger than 256 MiB unpacked; audit a part of it"), "{said}");
    assert!((1..600).contains(&held), "{held} MB");
}

//! `check` and `fix` from outside: formats, exit statuses, order, packed input, and what is written where.

mod leash;

use std::{
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use leash::Leashed;
use rustix::process::Signal;
use serde_json::Value;

const MIXED: &str = "fixtures/check/mixed.pgn";

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pgn-audit")).args(args).output().expect("the program starts")
}

fn fed(args: &[&str], input: &[u8]) -> Output {
    let mut child = Leashed::spawn(
        Command::new(env!("CARGO_BIN_EXE_pgn-audit"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped()),
    );
    let mut stdin = child.stdin.take().expect("its input is piped");
    let input = input.to_vec();
    let feeder = std::thread::spawn(move || {
        let _ = stdin.write_all(&input); // it may have seen enough
    });
    let output = child.output();
    feeder.join().expect("the feeder ends");
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn records(output: &Output) -> Vec<Value> {
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[test]
fn concise_names_place_code_and_reason() {
    let output = run(&["check", "-q", "--format", "concise", MIXED]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stdout),
        "fixtures/check/mixed.pgn:19:24: error[PA101] no white knight can reach c4\n\
         fixtures/check/mixed.pgn:27:1: warning[PA206] the board shows checkmate, 0-1, but the Result tag says 1-0 and the end of the movetext 0-1\n"
    );
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn full_says_repairs_in_the_words_of_the_sheet() {
    let german = b"[Result \"*\"]\n\n1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. La4 Sf6 5. O-O Sxe9 6. d4 b5 7. Lb3 d5 8. dxe5 Le6 *\n";
    let said =
        text(&fed(&["check", "-q", "--repair", "--color", "never", "--format", "full", "-"], german).stdout);
    assert!(said.contains("read Sxe9 as 5... Nxe4 (ply 10)"), "{said}");
    assert!(!said.contains("probability 0.00"), "{said}");
}

#[test]
fn remarks_of_one_kind_are_shown_once_to_people_and_each_to_programs() {
    let german = b"[Result \"*\"]\n\n1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. La4 Sf6 5. O-O Le7 6. Te1 b5 7. Lb3 d6 8. c3 O-O *\n";
    let said =
        |format| text(&fed(&["check", "-q", "--color", "never", "--format", format, "-"], german).stdout);
    let full = said("full");
    assert_eq!(full.matches("info[PA305]").count(), 1, "{full}");
    assert!(full.contains("= note: 7 more of this kind in the game"), "{full}");
    assert!(full.lines().filter(|l| l.contains('|')).all(|l| l.chars().count() <= 80), "{full}");
    assert_eq!(said("concise").matches("info[PA305]").count(), 8);
    assert_eq!(said("ndjson").matches("PA305").count(), 8);
}

#[test]
fn ndjson_has_a_line_a_game_and_a_summary() {
    let output = run(&["check", "--repair", "--format", "ndjson", MIXED]);
    let records = records(&output);
    let types: Vec<&str> = records.iter().filter_map(|r| r["type"].as_str()).collect();
    assert_eq!(types, ["game", "game", "game", "summary"]);
    let numbers: Vec<&Value> = records[..3].iter().map(|r| &r["game"]).collect();
    assert_eq!(numbers, [1, 2, 3]);
    let lines: Vec<&Value> = records[..3].iter().map(|r| &r["line"]).collect();
    assert_eq!(lines, [1, 11, 21]);
    assert_eq!(records[0]["repair"], Value::Null);
    assert_eq!(records[0]["moves"][9], "Qxg5");
    assert_eq!(records[1]["repair"]["edits"][0]["written_ply"], 5);
    assert_eq!(records[1]["repair"]["edits"][0]["op"], "substitute");
    assert_eq!(records[1]["moves"], records[1]["repair"]["moves"]);
    let finding = &records[1]["findings"][0];
    let span: Vec<usize> = finding["span"]
        .as_array()
        .expect("two offsets")
        .iter()
        .map(|v| v.as_u64().expect("a number") as usize)
        .collect();
    assert_eq!(&fs::read(MIXED).expect("the fixture")[span[0]..span[1]], b"Nc4");
    assert_eq!(records[2]["result"]["board"], "0-1");
    assert_eq!(records[3]["errors"], 1);
    assert_eq!(records[3]["plies"], 26);
}

#[test]
fn the_order_of_the_input_is_kept_whatever_the_number_of_threads() {
    let one = fs::read_to_string(MIXED).expect("the fixture");
    let many: String =
        (0..1500).map(|i| one.replace("Testville", &format!("Testville {i}")) + "\n").collect();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("many.pgn");
    fs::write(&file, &many).expect("written");
    let file = file.to_str().expect("UTF-8");
    let names = [MIXED, file, MIXED];
    for format in ["ndjson", "sarif", "concise", "github"] {
        let of = |jobs| run(&[&["check", "-j", jobs, "--format", format], &names[..]].concat()).stdout;
        let single = of("1");
        assert_eq!(single, of("4"), "{format}");
        assert!(single.len() > 100_000, "{format}");
    }
    let records = records(&run(&["check", "-j", "3", "--format", "ndjson", file]));
    assert_eq!(records.len(), 4501);
    assert!(
        records[..4500]
            .iter()
            .enumerate()
            .all(|(i, r)| r["game"] == i + 1 && r["line"] == 30 * (i / 3) + 10 * (i % 3) + 1)
    );
}

#[test]
fn packed_input_is_the_same_as_plain() {
    let plain = fs::read(MIXED).expect("the fixture");
    let mut gzip = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    gzip.write_all(&plain).expect("memory");
    let mut bzip2 = bzip2::write::BzEncoder::new(vec![], bzip2::Compression::fast());
    bzip2.write_all(&plain).expect("memory");
    let packed = [
        gzip.finish().expect("memory"),
        bzip2.finish().expect("memory"),
        zstd::encode_all(&plain[..], 1).expect("memory"),
    ];
    let want = fed(&["check", "--format", "ndjson", "-"], &plain).stdout;
    for bytes in packed {
        assert_eq!(text(&fed(&["check", "--format", "ndjson", "-"], &bytes).stdout), text(&want));
    }
}

/// As some word processors save it.
fn utf_16(text: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(text).expect("UTF-8");
    b"\xff\xfe".iter().copied().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect()
}

#[test]
fn utf_16_is_read_and_said_to_be_so() {
    let clean = "[Event \"A\"]\n[White \"M\u{fc}ller\"]\n[Result \"*\"]\n\n1. e4 e5 *\n\n".repeat(2);
    let bytes = utf_16(clean.as_bytes());
    let concise = fed(&["check", "-q", "--format", "concise", "-"], &bytes);
    let want = "-:1:1: info[PA402] the file is in UTF-16; it is read, and its bytes are counted, as UTF-8\n"
        .to_owned();
    assert_eq!((concise.status.code(), text(&concise.stdout)), (Some(0), want));
    let records = records(&fed(&["check", "--format", "ndjson", "-"], &bytes));
    assert_eq!(records[0]["findings"][0]["code"], "PA402");
    assert_eq!(records[1]["findings"], serde_json::json!([]));
    assert_eq!(records[1]["offset"], clean.len() / 2);
    // Byte offsets into another file than the one named would be wrong in a fix.
    let log = fed(&["check", "--format", "sarif", "-"], &utf_16(&fs::read(MIXED).expect("the fixture")));
    let log: Value = serde_json::from_slice(&log.stdout).expect("one JSON document");
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 3);
    for result in results {
        assert_eq!(result["locations"][0]["physicalLocation"]["region"]["byteOffset"], Value::Null);
        assert_eq!(result["fixes"], Value::Null);
    }
}

#[test]
fn fix_says_that_utf_16_becomes_utf_8() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("score.pgn");
    let clean = "[Event \"A\"]\n[White \"M\u{fc}ller\"]\n[Result \"*\"]\n\n1. e4 e5 *\n";
    fs::write(&file, utf_16(clean.as_bytes())).expect("written");
    let file = file.to_str().expect("UTF-8");
    let output = run(&["fix", "-q", file]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), clean.to_owned()));
    assert!(text(&output.stderr).contains("it is written as UTF-8"), "{}", text(&output.stderr));
    let output = run(&["fix", "--diff", file]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), String::new()));
    assert!(text(&output.stderr).contains("write the whole text with -o"), "{}", text(&output.stderr));
    assert_eq!(run(&["fix", "-q", "--in-place", file]).status.code(), Some(0));
    assert_eq!(fs::read_to_string(file).expect("UTF-8"), clean);
}

#[test]
fn exit_statuses_say_clean_faulty_or_failed() {
    let clean = b"[Event \"A\"]\n[Result \"*\"]\n\n1. e4 e5 *\n";
    let warned = b"[Event \"A\"]\n[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    let status = |output: Output| output.status.code();
    assert_eq!(status(fed(&["check", "-"], clean)), Some(0));
    assert_eq!(status(fed(&["check", "-"], warned)), Some(0));
    assert_eq!(status(fed(&["check", "--strict", "-"], warned)), Some(1));
    assert_eq!(status(run(&["check", MIXED])), Some(1));
    assert_eq!(status(run(&["check", "--nonsense", MIXED])), Some(2));
    let folder = tempfile::tempdir().expect("a folder");
    let output =
        run(&["check", "--format", "ndjson", "no such file", folder.path().to_str().expect("UTF-8"), MIXED]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(records(&output).len(), 4, "the other files are read all the same");
    assert_eq!(text(&output.stderr).lines().count(), 2);
    let output = fed(&["check", "-"], b"");
    assert_eq!(
        (status(output.clone()), text(&output.stderr)),
        (Some(2), "pgn-audit: -: no game in it\npgn-audit: nothing was checked\n".to_owned())
    );
}

#[test]
fn a_file_that_cannot_be_read_is_never_said_to_be_clean() {
    let said = |args: &[&str]| {
        let output = run(&[&["check", "--format", "concise"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        text(&output.stderr)
    };
    let missing = "pgn-audit: missing.pgn: No such file or directory; check the name\n";
    assert_eq!(said(&["missing.pgn"]), format!("{missing}pgn-audit: nothing was checked\n"));
    assert_eq!(
        said(&["missing.pgn", MIXED]),
        format!(
            "{missing}pgn-audit: 3 games, 26 plies: 1 error, 1 warning, 0 remarks; 1 file could not be checked\n"
        )
    );
    assert_eq!(
        said(&["fixtures/audit/clean.pgn", "missing.pgn", "fixtures"]).lines().last(),
        Some("pgn-audit: 1 game, 4 plies: nothing wrong; 2 files could not be checked")
    );
    let summary =
        records(&run(&["check", "--format", "ndjson", "missing.pgn", MIXED])).pop().expect("a line");
    assert_eq!((&summary["files"], &summary["unread"]), (&Value::from(2), &Value::from(1)));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = Leashed::spawn(
        Command::new(env!("CARGO_BIN_EXE_pgn-audit"))
            .args(["check", "-q", "--format", "ndjson", MIXED])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped()),
    );
    drop(child.stdout.take());
    let output = child.output();
    assert_eq!(text(&output.stderr), "");
    assert!(matches!(output.status.code(), Some(0 | 1)));
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let hostile = b"[Event \"A\"]\n[Result \"*\"]\n\n1. e4 \x1b[31mNf\x9b9 \x1b]0;title\x07 2. d4 *\n";
    for format in ["full", "concise", "github", "ndjson", "sarif"] {
        let output = fed(&["check", "--repair", "--color", "never", "--format", format, "-"], hostile);
        let shown = [output.stdout, output.stderr].concat();
        let bad = text(&shown).chars().find(|c| c.is_control() && *c != '\n');
        assert_eq!(bad, None, "{format}: {}", text(&shown));
    }
}

#[test]
fn sarif_has_what_the_standard_asks_for() {
    let output = run(&["check", "--format", "sarif", MIXED, "fixtures/check/mixed.pgn"]);
    let log: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "pgn-audit");
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    assert!(
        rules.iter().all(|rule| rule["shortDescription"]["text"].as_str().is_some_and(|t| !t.is_empty()))
    );
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 4);
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().expect("a level")));
        assert!(!result["message"]["text"].as_str().expect("a message").is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], MIXED);
        for key in ["startLine", "startColumn", "endLine", "endColumn"] {
            assert!(place["region"][key].as_u64().expect(key) >= 1);
        }
        for fix in result["fixes"].as_array().into_iter().flatten() {
            let replacements = fix["artifactChanges"][0]["replacements"].as_array().expect("replacements");
            assert!(replacements.iter().all(|r| r["deletedRegion"]["byteOffset"].is_u64()));
        }
    }
    let clean = fed(&["check", "--format", "sarif", "-"], b"[Event \"A\"]\n[Result \"*\"]\n\n1. e4 e5 *\n");
    let log: Value = serde_json::from_slice(&clean.stdout).expect("one JSON document");
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
}

#[test]
fn fix_writes_the_same_text_everywhere_and_patch_agrees() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (file, other) = (path("score.pgn"), path("other.pgn"));
    fs::copy(MIXED, &file).expect("copied");
    let printed = run(&["fix", "-q", &file]);
    assert_eq!(printed.status.code(), Some(0));
    let want = text(&fs::read(MIXED).expect("the fixture")).replace("Nc4", "Bc4");
    let want = want.replace("D\"]\n[Result \"1-0\"]", "D\"]\n[Result \"0-1\"]");
    assert_eq!(text(&printed.stdout), want);
    assert_eq!(text(&fed(&["fix", "-q", "-"], &fs::read(MIXED).expect("the fixture")).stdout), want);
    assert_eq!(run(&["fix", &file, "-o", &other]).status.code(), Some(0));
    assert_eq!(fs::read_to_string(&other).expect("written"), want);
    fs::write(path("d"), run(&["fix", "-q", "--diff", &file]).stdout).expect("written");
    fs::copy(&file, &other).expect("copied");
    let patched =
        Command::new("patch").args(["-s", "-F", "0", &other, &path("d")]).status().expect("patch starts");
    assert!(patched.success());
    assert_eq!(fs::read_to_string(&other).expect("patched"), want);
    // In place: the file behind a link, its rights kept; and once mended, it is left alone.
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("its rights");
    std::os::unix::fs::symlink(&file, path("link.pgn")).expect("a link");
    assert_eq!(run(&["fix", "--in-place", &path("link.pgn")]).status.code(), Some(0));
    assert_eq!(fs::read_to_string(&file).expect("mended"), want);
    assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o640);
    assert!(Path::new(&path("link.pgn")).is_symlink());
    let before = fs::metadata(&file).expect("there").modified().expect("a time");
    run(&["fix", "--in-place", &file]);
    assert_eq!(fs::metadata(&file).expect("there").modified().expect("a time"), before);
    assert_eq!(text(&run(&["fix", "-q", "--diff", &file]).stdout), "");
    let left: Vec<_> =
        fs::read_dir(folder.path()).expect("the folder").map(|e| e.expect("an entry").file_name()).collect();
    assert_eq!(left.len(), 4, "{left:?}");
}

#[test]
fn fix_changes_no_file_that_is_no_text() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("picture");
    let bytes: Vec<u8> = (0..5000u32).map(|i| (i * 37 % 251) as u8).collect();
    std::fs::write(&file, &bytes).unwrap();
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_pgn-audit"))
        .args(["fix", "--in-place"])
        .arg(&file)
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("is no text"));
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
}

#[test]
fn fix_writes_into_a_pipe_and_never_replaces_it() {
    use std::os::unix::fs::FileTypeExt;
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read(pipe).unwrap()
    });
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_pgn-audit"))
        .args(["fix", "fixtures/audit/club.pgn", "-q", "-o"])
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(ran.success());
    assert!(std::fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
    assert!(reader.join().unwrap().starts_with(b"[Event"));
}

#[test]
fn fix_ended_by_a_signal_leaves_nothing_behind() {
    for (signal, place) in [(Signal::INT, &["-o", "new.pgn"][..]), (Signal::TERM, &["-o", "old.pgn"][..])] {
        let folder = tempfile::tempdir().expect("a folder");
        let old = folder.path().join("old.pgn");
        fs::write(&old, "mine").expect("written");
        let mut child = Leashed::spawn(
            Command::new(env!("CARGO_BIN_EXE_pgn-audit"))
                .args(["fix", "-"])
                .args(place)
                .current_dir(folder.path())
                .stdin(Stdio::piped())
                .stderr(Stdio::piped()),
        );
        let names = || fs::read_dir(folder.path()).expect("the folder").count();
        let started = Instant::now();
        while names() < 2 {
            assert!(started.elapsed() < Duration::from_secs(60), "no file was begun");
            std::thread::sleep(Duration::from_millis(2));
        }
        let mut stdin = child.stdin.take().expect("its input is piped");
        stdin.write_all(b"[Event \"A\"]\n\n1. e4 *\n\n").expect("it reads");
        child.send(signal);
        let ended = child.ends_within(Duration::from_secs(10));
        drop(stdin);
        assert_eq!(ended.code(), Some(130), "{signal:?}");
        assert_eq!(names(), 1, "{signal:?}: a file is left");
        assert_eq!(fs::read_to_string(&old).expect("there"), "mine");
    }
}

#[test]
fn fix_says_where_there_was_no_room() {
    for (args, goal) in
        [(&["-o", "/dev/full"][..], "/dev/full"), (&[], "standard output"), (&["--diff"], "standard output")]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pgn-audit"));
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let output = command.args(["fix", MIXED]).args(args).stdout(full).output().expect("it starts");
        let want =
            format!("pgn-audit: cannot write {goal}: No space left on device; make room and run it again\n");
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(2), want));
    }
}

#[test]
fn fix_beyond_the_limit_on_the_size_of_files_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.pgn");
    fs::copy(MIXED, &path).expect("copied");
    for place in ["--in-place", "-o new.pgn"] {
        let output = Command::new("sh")
            .args(["-c", &format!("ulimit -f 0; exec \"$0\" fix a.pgn {place}")])
            .arg(env!("CARGO_BIN_EXE_pgn-audit"))
            .current_dir(folder.path())
            .output()
            .expect("a shell");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{place}: {said}");
        assert!(said.contains("File too large; raise the limit"), "{place}: {said}");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1, "{place}");
    }
    assert_eq!(fs::read(&path).expect("there"), fs::read(MIXED).expect("there"));
}

#[test]
fn fix_keeps_the_names_of_a_file_together() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let want = run(&["fix", "-q", MIXED]).stdout;
    fs::copy(MIXED, path("a.pgn")).expect("copied");
    fs::hard_link(path("a.pgn"), path("b.pgn")).expect("a second name");
    assert_eq!(run(&["fix", "-q", "--in-place", &path("a.pgn")]).status.code(), Some(0));
    assert_eq!(fs::read(path("b.pgn")).expect("there"), want);
    // A longer text is written over, and the other name is no other file.
    fs::write(path("b.pgn"), vec![b' '; 5000]).expect("written");
    assert_eq!(run(&["fix", "-q", MIXED, "-o", &path("a.pgn")]).status.code(), Some(0));
    assert_eq!(fs::read(path("b.pgn")).expect("there"), want);
    let output = run(&["fix", &path("a.pgn"), "-o", &path("b.pgn")]);
    assert!(text(&output.stderr).contains("is the input itself"), "{}", text(&output.stderr));
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 2);
}

#[test]
fn fix_follows_a_link_that_leads_to_nothing_yet() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    fs::create_dir(path("there")).expect("a folder");
    std::os::unix::fs::symlink("there/new.pgn", path("link.pgn")).expect("a link");
    assert_eq!(run(&["fix", "-q", MIXED, "-o", &path("link.pgn")]).status.code(), Some(0));
    assert!(Path::new(&path("link.pgn")).is_symlink());
    assert_eq!(fs::read(path("there/new.pgn")).expect("written"), run(&["fix", "-q", MIXED]).stdout);
    std::os::unix::fs::symlink("loop.pgn", path("loop.pgn")).expect("a link");
    assert_eq!(run(&["fix", "-q", MIXED, "-o", &path("loop.pgn")]).status.code(), Some(2));
}

#[test]
fn fix_refuses_what_would_cost_something() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("score.pgn");
    fs::copy(MIXED, &file).expect("copied");
    let file = file.to_str().expect("UTF-8");
    let refused: [&[&str]; 5] = [
        &["fix", file, "-o", file],
        &["fix", "--diff", "--in-place", file],
        &["fix", "--in-place", "-"],
        &["fix", "no such file"],
        &["fix", file, "-o", folder.path().to_str().expect("UTF-8")],
    ];
    for args in refused {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(text(&output.stdout), "");
    }
    assert_eq!(fs::read(file).expect("there"), fs::read(MIXED).expect("there"));
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
}

#[test]
fn a_game_parted_at_a_move_against_the_rules_is_two_that_replay() {
    let score = "fixtures/played/against_rules.pgn";
    let kept = run(&["fix", score]);
    let said = text(&kept.stderr);
    assert!(said.contains("a move against the rules was played; it stands"), "{said}");
    assert_eq!(kept.stdout, fs::read(score).expect("there"));
    let parted = run(&["fix", "--played", "split", score]);
    let games = records(&fed(&["check", "--format", "ndjson", "-"], &parted.stdout));
    let [first, second, _] = &games[..] else { panic!("two games and a summary: {games:?}") };
    for game in [first, second] {
        let findings = game["findings"].as_array().expect("a list");
        assert!(findings.iter().all(|f| f["severity"] != "error"), "{findings:?}");
    }
    assert_eq!(first["moves"].as_array().expect("moves").len(), 8);
    assert_eq!(second["moves"][0], "Bxf1");
    assert_eq!(second["moves"].as_array().expect("moves").len(), 13);
    assert!(text(&parted.stdout).contains("{played against the rules: 5. O-O [%clk 1:28:12]}"));
}

#[test]
fn of_several_games_a_guess_is_listed_and_not_written() {
    let guess = "[Event \"A\"]\n[White \"Archer\"]\n[Black \"Baker\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 ____ 3. d3 *\n\n";
    let clean = "[Event \"B\"]\n[Result \"*\"]\n\n1. e4 e5 *\n";
    let folder = tempfile::tempdir().expect("a folder");
    let (score, list) = (folder.path().join("x.pgn"), folder.path().join("list.csv"));
    let fixed = |text: &str, more: &[&str]| {
        fs::write(&score, text).expect("written");
        let path = score.to_str().expect("a name");
        let list = list.to_str().expect("a name");
        run(&[&["fix", "--list", list, path], more].concat()).stdout
    };
    let two = format!("{guess}{clean}");
    let alone = fixed(guess, &[]);
    assert_ne!(alone, guess.as_bytes(), "one game is written as well as can be");
    assert_eq!(fixed(&two, &[]), two.as_bytes());
    let listed = fs::read_to_string(&list).expect("the list");
    let rows: Vec<&str> = listed.lines().collect();
    assert_eq!(rows[0], "file,game,line,players,verdict,probability,written,why");
    assert_eq!(rows.len(), 2, "{listed}");
    assert!(rows[1].contains(",1,1,Archer - Baker,ambiguous,0.") && rows[1].contains(",no,"), "{listed}");
    assert_eq!(fixed(&two, &["--at-least", "0"]), [&alone[..], clean.as_bytes()].concat());
    assert_eq!(fixed(guess, &["--at-least", "0.9"]), guess.as_bytes());
}

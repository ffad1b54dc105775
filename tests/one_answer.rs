//! One score, one answer: an audit, `fix` and `check --repair` find the same game in every score of ours, and in the
//! yardsticks' where they lie beside the project.

#![allow(clippy::unwrap_used)] // a test that cannot set its stage fails

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
};

use pgn_audit::{
    Case, Input,
    check::{
        mending::{self, Part, Threshold},
        stream::Batch,
    },
    examine::{self, Examined, Options},
    input::open::Packing,
    repair::Op,
    sheet::Source,
};

/// Every score below a folder.
fn scores(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            scores(&path, found);
        } else if path.extension().is_some_and(|e| e == "pgn") {
            found.push(path);
        }
    }
}

fn all_scores() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    scores(&root.join("fixtures"), &mut found);
    let shared = root.join("../shared");
    if shared.exists() {
        for folder in ["faults", "cases", "bench"] {
            scores(&shared.join(folder), &mut found);
        }
    } else {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "{} is missing", shared.display());
    }
    // All of its games are clean: the short cut for those is held against the slow way elsewhere.
    found.retain(|path| !path.ends_with("bench/clean.pgn"));
    found.sort();
    found
}

/// The main lines of a text, game by game, without suffixes; `repair` as they are repaired.
fn main_lines(text: &[u8], repair: bool) -> Vec<Vec<String>> {
    let options = Options { repair, ..Options::default() };
    let games = examine::slice(&Source::read(text.to_vec()), &options);
    // What stands against the rules no reader plays: `fix` leaves it, an audit puts it into a comment.
    let played = |game: &Examined| {
        let edits = game.repair.as_ref().map_or(&[][..], |r| &r.best.edits);
        edits.iter().find(|e| e.op == Op::Played).map_or(game.moves.len(), |e| e.ply as usize - 1)
    };
    let moves = |game: Examined| game.moves[..played(&game)].to_vec();
    games.into_iter().map(moves).filter(|moves| !moves.is_empty()).collect()
}

fn fixed(text: &[u8]) -> Vec<u8> {
    let options = Options { repair: true, ..Options::default() };
    let parts =
        mending::mend(&Batch::whole(Source::read(text.to_vec()).text), &options, Threshold::default()).parts;
    let bytes = |part: &Part| match part {
        Part::Kept(bytes) | Part::Changed { after: bytes, .. } => bytes.clone(),
    };
    parts.iter().flat_map(bytes).collect()
}

/// What the three make of one score, where they differ.
fn difference(path: &Path) -> Option<String> {
    let bytes = fs::read(path).unwrap();
    let checked = main_lines(&bytes, true);
    let fixed = main_lines(&fixed(&bytes), false);
    if checked != fixed {
        return Some(format!("check --repair: {checked:?}\nfix: {fixed:?}"));
    }
    let Ok(input) = Input::read("x.pgn", Packing::Plain, bytes) else { return None };
    let audit = |score: &pgn_audit::input::Score| {
        let case = Case::examine(score.clone(), None);
        case.mended.replay.plies.iter().map(|p| p.san.clone()).collect::<Vec<_>>()
    };
    let audited: Vec<_> = input.games.iter().map(audit).filter(|moves| !moves.is_empty()).collect();
    (audited != fixed).then(|| format!("audit: {audited:?}\nfix: {fixed:?}"))
}

#[test]
fn audit_fix_and_check_find_the_same_game() {
    let scores = all_scores();
    assert!(scores.len() > 60, "{}", scores.len());
    let next = Mutex::new(scores.iter());
    let differing = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(path) = { next.lock().unwrap().next() } {
                    if let Some(how) = difference(path) {
                        differing.lock().unwrap().push(format!("{}:\n{how}", path.display()));
                    }
                }
            });
        }
    });
    let differing = differing.into_inner().unwrap();
    assert!(differing.is_empty(), "{} of {}:\n{}", differing.len(), scores.len(), differing.join("\n"));
}

//! A real XBoard under a real X server; a missing one fails these tests.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::{
    fs,
    path::PathBuf,
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use pgn_audit::evidence::{
    EvidenceError, IllegalView, Patience, Picture, PictureSource, Programs, Session, Shot, Stage,
    ViewRequest, draw_illegal, encode, find_board, locate,
};
use shakmaty::{Board, CastlingMode, Chess, Move, Position, Square, fen::Fen, san::San};

static NEVER: AtomicBool = AtomicBool::new(false);

fn patience() -> Patience<'static> {
    Patience::new(Duration::from_secs(60), &NEVER)
}

fn programs() -> Programs {
    locate().expect("XBoard and Xvfb are installed")
}

fn play(start: &Chess, sans: &[&str]) -> Vec<Move> {
    let mut position = start.clone();
    sans.iter()
        .map(|text| {
            let mv = text.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(mv);
            mv
        })
        .collect()
}

/// Processes whose command line or environment names the folder of an X server.
fn users_of(folder: &std::path::Path) -> Vec<String> {
    let needle = folder.to_str().unwrap().as_bytes().to_vec();
    let holds = |path: PathBuf| fs::read(path).is_ok_and(|b| b.windows(needle.len()).any(|w| w == needle));
    fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|p| holds(p.join("cmdline")) || holds(p.join("environ")))
        .map(|p| String::from_utf8_lossy(&fs::read(p.join("cmdline")).unwrap_or_default()).into_owned())
        .collect()
}

/// The words that tesseract reads.
fn ocr(png: &[u8]) -> String {
    let file = tempfile::Builder::new().suffix(".png").tempfile().unwrap();
    fs::write(file.path(), png).unwrap();
    let out = Command::new("tesseract").arg(file.path()).arg("-").output().expect("tesseract is installed");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).to_lowercase()
}

#[test]
fn the_three_views_are_captured_and_legible() {
    // 2... Qh5 cannot be played; the mate was meant.
    let original = b"[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh3# 0-1\n";
    let start = Chess::default();
    let moves = play(&start, &["f3", "e5", "g4", "Qh4#"]);
    let mut stage = Stage::new(Ok(programs()), patience());
    let request = ViewRequest {
        original,
        start: &start,
        moves: &moves,
        blunder: Some(3),
        is_blunder: true,
        guess: false,
        result: "0-1",
    };
    let views = stage.views(&request).unwrap();
    assert_eq!(views.len(), 3);
    for view in &views {
        assert_eq!(view.picture.source, PictureSource::XBoard, "{:?}", view.note);
        assert_eq!(view.note, None);
        assert!(view.picture.image.width() >= 480 && view.picture.image.height() >= 480);
        assert_eq!(find_board(&view.picture.image), Some(view.picture.board));
    }
    assert_eq!(views.iter().map(|v| v.ply).collect::<Vec<_>>(), [0, 3, 4]);
    let initial = ocr(&views[0].picture.png());
    for word in ["xboard", "game", "file", "white", "move"] {
        assert!(initial.contains(word), "{word} in {initial:?}");
    }
    assert!(initial.contains("qh3"), "XBoard's own message is kept: {initial:?}");
    let last = ocr(&views[2].picture.png());
    assert!(last.contains("black wins") && last.contains("0-1"), "{last:?}");
}

#[test]
fn a_start_from_a_fen_and_black_to_move() {
    let start: Chess = "4k3/8/4K3/4P3/8/8/8/8 b - - 0 30"
        .parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Standard)
        .unwrap();
    let moves = play(&start, &["Kd8", "Kf7"]);
    let original =
        b"[SetUp \"1\"]\n[FEN \"4k3/8/4K3/4P3/8/8/8/8 b - - 0 30\"]\n\n30... Kd8 31. Kf7 1/2-1/2\n";
    let mut stage = Stage::new(Ok(programs()), patience());
    let request = ViewRequest {
        original,
        start: &start,
        moves: &moves,
        blunder: None,
        is_blunder: false,
        guess: false,
        result: "1/2-1/2",
    };
    let views = stage.views(&request).unwrap();
    assert!(views.iter().all(|v| v.picture.source == PictureSource::XBoard), "{views:?}");
    assert!(views[0].picture.text.ends_with("Black to move"));
    assert!(ocr(&views[2].picture.png()).contains("draw"));
}

#[test]
fn a_score_that_xboard_cannot_read_is_shown_repaired_and_said_so() {
    let text = "[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
    let utf16 = [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    // XBoard 4.9.1 dies of a zero byte in a tag.
    let zero = format!("[Event \"a\0b\"]\n{text}").into_bytes();
    let start = Chess::default();
    let moves = play(&start, &["e4", "e5"]);
    let mut stage = Stage::new(Ok(programs()), patience());
    for (original, reason) in [(utf16, "did not load broken.pgn"), (zero, "xboard ended early")] {
        let original: Vec<u8> = original;
        let request = ViewRequest {
            original: &original,
            start: &start,
            moves: &moves,
            blunder: Some(2),
            is_blunder: false,
            guess: false,
            result: "1-0",
        };
        let view = stage.views(&request).unwrap().remove(0);
        assert_eq!(view.picture.source, PictureSource::XBoard);
        assert!(view.note.as_deref().is_some_and(|n| n.contains(reason)), "{:?}", view.note);
        assert!(view.picture.text.contains("repaired"));
    }
}

#[test]
fn the_caption_of_a_drawn_picture_is_legible_at_any_size() {
    let start = Chess::default();
    let moves = play(&start, &["c4", "e6", "Nc3", "Nf6", "d4", "c5", "d5", "exd5", "cxd5", "d6", "e4", "g6"]);
    let mut position = start;
    for mv in &moves[..11] {
        position.play_unchecked(*mv);
    }
    let view = IllegalView {
        ply: 12,
        position: &position,
        last: Some(moves[10]),
        written: "f6",
        reason: "the way to f6 is blocked by the knight",
        is_move: true,
        repair: Some(moves[11]),
        probability: Some(0.15),
        cure: None,
    };
    assert_eq!(view.file(), "view_illegal_12.png");
    for width in [480, 720, 1200] {
        let Picture { image, board, .. } = draw_illegal(&view, width);
        // The strip alone: arrows over a board lead tesseract to see columns in what stands below.
        let below = board.y + 8 * board.square + board.square / 3;
        let strip = image::imageops::crop_imm(&image, 0, below, width, image.height() - below).to_image();
        let read = ocr(&encode(&strip));
        for word in
            ["(in red)", "cannot be played", "the way to", "blocked", "knight", "read as", "15", "green"]
        {
            assert!(
                read.split_whitespace().collect::<Vec<_>>().join(" ").contains(word),
                "{word} at {width}: {read}"
            );
        }
    }
}

#[test]
fn another_position_is_refused_and_nothing_is_left_running() {
    let session = Session::open(&programs(), patience()).unwrap();
    assert!(session.version().starts_with(|c: char| c.is_ascii_digit()), "{}", session.version());
    let folder = session.server().folder().to_owned();
    let mut expected = Board::new();
    let knight = expected.remove_piece_at(Square::G1).unwrap();
    let bishop = expected.remove_piece_at(Square::F1).unwrap();
    // Same squares, same colour of men: only their shapes differ.
    expected.set_piece_at(Square::G1, bishop);
    expected.set_piece_at(Square::F1, knight);
    let shot = Shot { score: b"1. e4 *\n", file: "game.pgn", to_end: false, expected: &expected };
    match session.capture(&shot, patience()) {
        Err(EvidenceError::WrongPosition { squares }) => assert_eq!(squares, [Square::F1, Square::G1]),
        other => panic!("{:?}", other.map(|c| c.board)),
    }
    assert!(!users_of(&folder).is_empty(), "the server runs while the session lives");
    drop(session);
    assert_eq!(users_of(&folder), Vec::<String>::new());
    assert!(!folder.exists());
}

#[test]
fn a_server_that_ends_at_once_leaves_drawn_pictures_with_the_reason() {
    let start = Chess::default();
    let moves = play(&start, &["e4"]);
    let mut broken = programs();
    broken.xvfb = PathBuf::from("/bin/false");
    let mut stage = Stage::new(Ok(broken), patience());
    let request = ViewRequest {
        original: b"1. e4 *",
        start: &start,
        moves: &moves,
        blunder: Some(1),
        is_blunder: false,
        guess: false,
        result: "1-0",
    };
    let views = stage.views(&request).unwrap();
    assert!(views.iter().all(|v| v.picture.source == PictureSource::Rendered));
    assert!(views[0].note.as_deref().is_some_and(|n| n.contains("Xvfb ended early")), "{:?}", views[0].note);
    let initial = ocr(&views[0].picture.png());
    assert!(["game", "file", "white", "move"].iter().all(|w| initial.contains(w)), "{initial:?}");
    let last = ocr(&views[2].picture.png());
    assert!(last.contains("white wins") || last.contains("1-0"), "{last:?}");
}

#[test]
fn an_xboard_that_never_shows_a_window_ends_at_the_deadline() {
    let folder = tempfile::tempdir().unwrap();
    let fake = folder.path().join("xboard");
    fs::write(&fake, "#!/bin/sh\n[ \"$1\" = --version ] && echo 'xboard version 0' || exec sleep 600\n")
        .unwrap();
    fs::set_permissions(&fake, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut slow = programs();
    slow.xboard = fake;
    let begun = Instant::now();
    let short = Patience::new(Duration::from_secs(3), &NEVER);
    match Session::open(&slow, short) {
        Err(EvidenceError::Timeout { .. }) => {}
        other => panic!("{:?}", other.map(|s| s.version().to_owned())),
    }
    assert!(begun.elapsed() < Duration::from_secs(15));
}

#[test]
fn a_raised_flag_ends_the_wait_at_once() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let begun = Instant::now();
    thread::spawn(|| {
        thread::sleep(Duration::from_millis(300));
        STOP.store(true, Ordering::Relaxed);
    });
    let start = Chess::default();
    let moves = play(&start, &["e4"]);
    let mut stage = Stage::new(Ok(programs()), Patience::new(Duration::from_secs(60), &STOP));
    let request = ViewRequest {
        original: b"1. e4 *",
        start: &start,
        moves: &moves,
        blunder: Some(1),
        is_blunder: false,
        guess: false,
        result: "1-0",
    };
    let outcome = (0..50).map(|_| stage.views(&request)).find_map(Result::err);
    assert!(matches!(outcome, Some(EvidenceError::Interrupted)), "{outcome:?}");
    assert!(begun.elapsed() < Duration::from_secs(20));
}

//! What `fix` writes, read by pgn-reader: the same games, the same moves, and the line ends of the input.

#![allow(clippy::unwrap_used)] // a test that cannot set its stage fails

use std::{fs, ops::ControlFlow, path::Path};

use pgn_audit::{
    check::{
        mending::{self, Part, Threshold},
        stream::Batch,
    },
    examine::{self, Options},
    replay,
    sheet::{Source, game},
};
use pgn_reader::{Reader, SanPlus, Visitor};
use proptest::prelude::*;
use shakmaty::{Chess, Position};

/// The moves of each game of a text as pgn-reader sees them, as it spells them.
fn other_reading(text: &[u8]) -> Vec<Vec<String>> {
    struct Moves;
    impl Visitor for Moves {
        type Tags = ();
        type Movetext = Vec<String>;
        type Output = Vec<String>;
        fn begin_tags(&mut self) -> ControlFlow<Self::Output, ()> {
            ControlFlow::Continue(())
        }
        fn begin_movetext(&mut self, _: ()) -> ControlFlow<Self::Output, Self::Movetext> {
            ControlFlow::Continue(Vec::new())
        }
        fn san(&mut self, moves: &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
            moves.push(san.san.to_string());
            ControlFlow::Continue(())
        }
        fn end_game(&mut self, moves: Self::Movetext) -> Self::Output {
            moves
        }
    }
    let mut reader = Reader::new(text);
    std::iter::from_fn(|| reader.read_game(&mut Moves).unwrap()).collect()
}

/// A text as `fix` writes it.
fn fixed(text: &[u8]) -> Vec<u8> {
    let options = Options { repair: true, ..Options::default() };
    let parts = mending::mend(&Batch::whole(text.to_vec()), &options, Threshold::default()).parts;
    let bytes = |part: &Part| match part {
        Part::Kept(bytes) | Part::Changed { after: bytes, .. } => bytes.clone(),
    };
    parts.iter().flat_map(bytes).collect()
}

/// Our reading of a text against pgn-reader's: `None` where both agree, else what differs. Games of which nothing can
/// be played (variants, descriptive notation) are not compared.
fn difference(text: &[u8]) -> Option<String> {
    let source = Source::read(text.to_vec());
    let ours = game::games(&source);
    let theirs = other_reading(text);
    if ours.len() != theirs.len() {
        return Some(format!("{} games here, {} there", ours.len(), theirs.len()));
    }
    for (number, (game, sans)) in ours.iter().zip(&theirs).enumerate() {
        let replay = replay::replay(&source, game);
        if let Some(refusal) = &replay.refusal {
            if refusal.kind == replay::RefusalKind::Unsupported {
                continue;
            }
            return Some(format!("game {number}: {}", refusal.reason));
        }
        let mut position: Chess = replay.start.clone();
        if replay.plies.len() != sans.len() {
            return Some(format!("game {number}: {} moves here, {} there", replay.plies.len(), sans.len()));
        }
        for (played, san) in replay.plies.iter().zip(sans) {
            let theirs = san.parse::<shakmaty::san::San>().ok().and_then(|s| s.to_move(&position).ok());
            if theirs != Some(played.mv) {
                return Some(format!("game {number}: {} here, {san} there", played.san));
            }
            position.play_unchecked(played.mv);
        }
    }
    None
}

fn fixtures() -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for folder in ["rules", "audit", "check"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(folder);
        for entry in fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "pgn") {
                found.push((path.display().to_string(), fs::read(path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn pgn_reader_sees_the_same_moves_in_every_fixture() {
    let fixtures = fixtures();
    assert!(fixtures.len() > 60);
    for (name, text) in fixtures {
        // Files in UTF-16 come to `fix` as their transcription.
        let text = Source::read(text).text;
        let after = fixed(&text);
        assert_eq!(difference(&after), None, "{name}:\n{}", String::from_utf8_lossy(&after));
    }
}

#[test]
fn line_ends_and_encoding_stay() {
    let text = "[Event \"M\u{fc}ller\"]\n[Result \"1-0\"]\n\n1. e4 e5 ; fine\n2. Sf3 Nc9\n3. Bb5 a6 1-0\n";
    for end in ["\n", "\r\n", "\r"] {
        let latin: Vec<u8> = text.replace('\n', end).chars().map(|c| c as u8).collect();
        let after = fixed(&latin);
        let shown = String::from_utf8_lossy(&after).into_owned();
        assert_eq!(difference(&after), None, "{end:?}: {shown}");
        assert!(after.contains(&0xfc), "{end:?}: {shown}");
        let left = shown.replace(end, "");
        assert!(!left.contains(['\r', '\n']), "{end:?}: {shown:?}");
    }
}

#[test]
fn pgn_reader_finds_every_game_of_a_file_with_returns_alone() {
    let game = "[Event \"x\"]\r[Result \"1-0\"]\r\r1. e4 e5 2. Nf3 Nc9 1-0\r\r";
    let after = fixed(game.repeat(3).as_bytes());
    assert_eq!(difference(&after), None, "{:?}", String::from_utf8_lossy(&after));
    assert_eq!(other_reading(&after).len(), 3);
    let escaped = "%one\r[Event \"x\"]\r[Result \"1-0\"]\r\r1. e4 e5\r%two {\r2. Nf3 ; a { b\rNc6 1-0\r";
    let after = fixed(escaped.as_bytes());
    assert_eq!(difference(&after), None, "{:?}", String::from_utf8_lossy(&after));
    assert_eq!(other_reading(&after)[0].len(), 4);
}

/// Spellings and faults, to be put in for a move or between moves of a game.
const SCRAPS: [&str; 24] = [
    "Nf9", "0-0", "Sf3", "♘f3", "exd", "ed5", "--", "?", "e2e4", "{x}", "(1. a3)", "; y\n", "$5", "!?", "+-",
    "1-0", "\n\n", "\r", "(0:12)", "hello", "}", ")", "{", "N f3",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn pgn_reader_sees_the_same_moves_whatever_was_wrong(
        at in prop::collection::vec((0..12usize, 0..SCRAPS.len(), any::<bool>()), 0..4),
        tagged in any::<bool>(),
    ) {
        let moves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5";
        let mut words: Vec<String> = moves.split(' ').enumerate().map(|(i, m)| {
            if i % 2 == 0 { format!("{}. {m}", i / 2 + 1) } else { m.to_owned() }
        }).collect();
        for (place, scrap, replace) in at {
            let number = if place % 2 == 0 && replace { format!("{}. ", place / 2 + 1) } else { String::new() };
            words[place] = if replace {
                format!("{number}{}", SCRAPS[scrap])
            } else {
                format!("{} {}", words[place], SCRAPS[scrap])
            };
        }
        let head = if tagged { "[Event \"x\"]\n[Result \"*\"]\n\n" } else { "" };
        let text = format!("{head}{} *\n", words.join(" "));
        let after = fixed(text.as_bytes());
        prop_assert_eq!(difference(&after), None, "{}\n->\n{}", text, String::from_utf8_lossy(&after));
        // What is fixed needs no fixing.
        let again = fixed(&after);
        prop_assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&after));
    }
}

#[test]
fn edits_tell_where_the_bytes_come_from() {
    let text = b"[Result \"*\"]\n\n1. e4 Sf6 2. Nf9 *\n";
    let source = Source::read(text.to_vec());
    let games = game::games(&source);
    let game = &games[0];
    let options = Options { repair: true, ..Options::default() };
    let mended = examine::examine(&source, game, &options).mended.unwrap();
    assert!(mended.edits.len() >= 2, "{:?}", mended.edits);
    // From the last to the first, so that the places of those still to come stay what they are.
    let mut by_hand = text.to_vec();
    for edit in mended.edits.iter().rev() {
        by_hand.splice(edit.span.start..edit.span.end, edit.text.iter().copied());
    }
    assert_eq!(String::from_utf8_lossy(&by_hand), String::from_utf8_lossy(&fixed(text)));
}

#[test]
fn litter_among_tags_and_marks_between_games_cost_no_game() {
    let texts = [
        "[Event \"x\"]\n[Site \"y\"]V\n[Round \"1\"]\n\n1. e4 e5 *\n",
        "[Event \"x\"]\nRound \"1\"]\n[White \"a\"]\n\n1. e4 e5 *\n",
        "[Event \"x\"] {V}\n[Round \"1\"]\n\n1. e4 e5 *\n",
        "[Event \"x\"]\n[Result \"\n*\"]\n\n1. e4 e5 *\n",
        "[Event \"x\"]\nResult \"1-0\"]\n[White \"a\"]\n\n1. e4 e5 1-0\n",
        "[Event \"x\"]♘1. e4 e5 *\n[Event \"y\"]\n\n1. d4 d5 *\n",
        "[Event \"x\"]\n\nhere is {my} game: 1. e4 e5 *\n",
        "[Event \"x\"]\n\n1. e4¶ e5 *\n",
        "\u{feff}[Event \"x\"]\n\n1. e4 e5 *\n\n\u{feff}[Event \"y\"]\n\n1. d4 d5 *\n",
    ];
    for text in texts {
        let after = fixed(text.as_bytes());
        let games = text.matches("1. ").count();
        assert_eq!(difference(&after), None, "{text}\n->\n{}", String::from_utf8_lossy(&after));
        let moves: usize = other_reading(&after).iter().map(Vec::len).sum();
        assert_eq!(moves, 2 * games, "{text}\n->\n{}", String::from_utf8_lossy(&after));
    }
    // Hardly a game at all.
    for text in ["[Event \"x", "*", "[", "[Result", "{", "1.", "\n*\n]"] {
        let once = fixed(text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&fixed(&once)), String::from_utf8_lossy(&once), "{text:?}");
        let mut rest = once.iter();
        let kept = text.bytes().filter(u8::is_ascii_alphanumeric).all(|b| rest.any(|r| *r == b));
        assert!(kept, "{text:?} -> {:?}", String::from_utf8_lossy(&once));
    }
}

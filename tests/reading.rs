//! Properties of the reader and the replay that hold for any text.

use std::time::{Duration, Instant};

use pgn_audit::{
    finding::TextEdit,
    replay,
    sheet::{
        Source, Span,
        cut::{Cut, next_game_start, slices},
        game::games,
        lexer::tokens,
        witness,
    },
};
use proptest::prelude::*;
use shakmaty::{Chess, Position, san::SanPlus};

/// Pieces of scores, so that random texts come near to real ones.
const SCRAPS: [&str; 64] = [
    "[Event \"A\"]\n",
    "[White \"B\"]\n",
    "[Result \"1-0\"]\n",
    "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n",
    "[White \"A\n",
    "[",
    "]",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    " ",
    " ",
    " ",
    "1.",
    "1...",
    "2.",
    "12",
    "3 ",
    "e4",
    "e5",
    "Nf3",
    "Nc6",
    "Sf3",
    "♘f3",
    "nf3",
    "bc4",
    "O-O",
    "0-0",
    "O–O",
    "exd5",
    "ed",
    "e2e4",
    "g1f3",
    "a8=Q",
    "a8(Q)",
    "bxa8Q",
    "e.p.",
    "mate",
    "+",
    "++",
    "#",
    "{",
    "}",
    "(",
    ")",
    ";",
    "%",
    "$1",
    "!?",
    "±",
    "+=",
    "--",
    "...",
    "?",
    "1-0",
    "½-½",
    "*",
    "<br>",
    "&nbsp;",
    "0:06",
    "P-K4",
    "N@f6",
    "\u{a0}",
];

fn scraps() -> impl Strategy<Value = Vec<u8>> {
    let scrap = prop_oneof![
        12 => (0..SCRAPS.len()).prop_map(|i| SCRAPS[i].as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 1..4),
    ];
    proptest::collection::vec(scrap, 0..60).prop_map(|v| v.concat())
}

fn game(seed: &[u8]) -> String {
    let mut pos = Chess::default();
    let mut text = String::from("[Event \"Club\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n");
    for (i, byte) in seed.iter().enumerate() {
        let legal = pos.legal_moves();
        if legal.is_empty() || pos.is_insufficient_material() {
            break;
        }
        if i % 2 == 0 {
            text.push_str(&format!("{}. ", i / 2 + 1));
        }
        let mv = legal[usize::from(*byte) % legal.len()];
        text.push_str(&SanPlus::from_move_and_play_unchecked(&mut pos, mv).to_string());
        text.push(if i % 16 == 15 { '\n' } else { ' ' });
    }
    let result = match pos.outcome().known() {
        Some(outcome) => outcome.to_string(),
        None => "*".to_string(),
    };
    text = text.replace("\"*\"", &format!("{result:?}"));
    text.push_str(&result);
    text.push('\n');
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn tokens_tile_any_bytes(bytes in prop_oneof![scraps(), proptest::collection::vec(any::<u8>(), 0..200)]) {
        let source = Source::read(bytes);
        let mut at = 0;
        for token in tokens(&source) {
            prop_assert_eq!(token.span.start, at);
            prop_assert!(token.span.end > at);
            at = token.span.end;
        }
        prop_assert_eq!(at, source.text.len());
    }

    #[test]
    fn any_text_is_read_and_replayed_and_its_fixes_fit(bytes in scraps()) {
        let source = Source::read(bytes);
        let mut last = 0;
        for game in games(&source) {
            prop_assert!(game.span.start >= last && game.span.end <= source.text.len());
            last = game.span.end;
            let replay = replay::replay(&source, &game);
            prop_assert!(replay.plies.len() <= game.slots.len());
            prop_assert_eq!(replay.refusal.is_none() , replay.plies.len() == game.slots.len());
            let mut edits: Vec<TextEdit> = game.findings.iter().chain(&replay.findings).flat_map(|f| f.fix.clone()).collect();
            edits.sort_by_key(|e| (e.span.start, e.span.end));
            prop_assert!(edits.iter().all(|e| e.span.start >= game.span.start && e.span.end <= game.span.end), "{:?}", edits);
            for f in game.findings.iter().chain(&replay.findings) {
                prop_assert!(f.span.start <= f.span.end && f.span.end <= source.text.len());
                source.locate(f.span.start);
            }
            let problem = replay::problem(&game, &replay);
            prop_assert!(problem.cells.iter().all(|c| c.text.is_ascii()));
        }
    }

    #[test]
    fn slices_read_alone_hold_the_same_games(bytes in scraps()) {
        let source = Source::read(bytes);
        let whole: Vec<Vec<String>> = games(&source).iter().map(|g| g.slots.iter().map(|s| s.written.clone()).collect()).collect();
        let mut parts = Vec::new();
        for range in slices(&source.text) {
            let slice = source.slice(Span::new(range.start, range.end));
            parts.extend(games(&slice).iter().map(|g| g.slots.iter().map(|s| s.written.clone()).collect::<Vec<_>>()));
        }
        prop_assert_eq!(whole, parts);
    }

    #[test]
    fn a_cut_of_a_prefix_is_the_cut_of_the_whole_or_waits(bytes in scraps(), len in 0usize..600) {
        let whole = next_game_start(&bytes, 0, true);
        let cut = next_game_start(&bytes[..len.min(bytes.len())], 0, false);
        prop_assert!(cut == Cut::NeedMore || cut == whole, "{:?} {:?}", cut, whole);
    }

    #[test]
    fn clean_games_are_read_as_pgn_reader_reads_them(seed in proptest::collection::vec(any::<u8>(), 1..160)) {
        let text = game(&seed);
        let source = Source::read(text.clone().into_bytes());
        let games = games(&source);
        prop_assert_eq!(games.len(), 1);
        let replay = replay::replay(&source, &games[0]);
        prop_assert!(replay.refusal.is_none());
        let messages: Vec<_> = games[0].findings.iter().chain(&replay.findings).map(|f| (f.rule.code, f.message.clone())).collect();
        prop_assert!(messages.is_empty(), "{:?} in {}", messages, text);
        let (seen, count) = witness::reads(&source, &games[0]);
        let ours: Vec<&str> = games[0].slots.iter().map(|s| s.written.trim_end_matches(['+', '#'])).collect();
        prop_assert_eq!(seen, ours);
        prop_assert_eq!(count, 1);
    }
}

#[test]
fn hostile_texts_take_linear_time() {
    let million = 1 << 20;
    let head = "[White \"A\"]\n\n1. e4 ";
    let texts = [
        "(".repeat(million),
        ")".repeat(million),
        "{".repeat(million),
        "}".repeat(million),
        "[".repeat(million),
        "(1. e4 ".repeat(million / 8),
        "{)".repeat(million / 2),
        "{ 2. e4 {".repeat(million / 8),
        "\n[A \"b\"]\n\n".repeat(million / 16),
        "1. e4 e5 ".repeat(million / 8),
        "e4e5".repeat(million / 4),
        format!("[White \"{}\"]\n\n1. e4 *", "a".repeat(10 * million)),
        "\"".repeat(million),
        "\n".repeat(million),
        "1. ".repeat(million / 2),
        "1-0 ".repeat(million / 4),
        "<a ".repeat(million / 2),
        "&".repeat(million),
        "\u{ad}".repeat(million / 2),
        "\n> ".repeat(million / 2),
        ";\n".repeat(million / 2),
        "e.p. ".repeat(million / 4),
        "x ".repeat(million / 2),
        "O-\n".repeat(million / 4),
    ];
    for text in texts {
        for text in [text.clone(), format!("{head}{text}")] {
            let start = Instant::now();
            let shown: String = text.chars().take(40).collect();
            let source = Source::read(text.into_bytes());
            for game in games(&source) {
                replay::replay(&source, &game);
            }
            assert!(start.elapsed() < Duration::from_secs(20), "{shown:?} took {:?}", start.elapsed());
        }
    }
}

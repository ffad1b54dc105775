//! The proof that a game is clean, against the full reader: both must come to the same answer.

use pgn_audit::{
    check::{
        format::Format,
        run::{Answer, Job},
        stream::Batch,
    },
    examine::Options,
};
use proptest::prelude::*;
use shakmaty::{Chess, Position, san::SanPlus};

/// A well-kept game out of random legal moves; `picks` also chooses glyphs, comments, variations and spaces.
fn score(picks: &[u16], style: u8) -> String {
    let mut pos = Chess::default();
    let mut movetext = String::new();
    let mut interrupted = false;
    for (ply, pick) in picks.iter().enumerate() {
        let legal = pos.legal_moves();
        if legal.is_empty() || pos.is_insufficient_material() {
            break;
        }
        let number = ply / 2 + 1;
        let white = ply % 2 == 0;
        if white {
            movetext += &format!("{number}.{}", if style & 1 == 0 { " " } else { "" });
        } else if interrupted {
            movetext += &format!("{number}... ");
        }
        let before = pos.clone();
        let mv = legal[usize::from(*pick) % legal.len()];
        movetext += &SanPlus::from_move_and_play_unchecked(&mut pos, mv).to_string();
        interrupted = true;
        let other = legal[usize::from(pick >> 3) % legal.len()];
        match (style & 2 != 0, pick % 31) {
            (true, 1) => movetext += " $14",
            (true, 2) => movetext += "!?",
            (true, 3) => movetext += " {a well known\nposition, [%clk 0:01:02]}",
            (true, 4) => movetext += " {Ünpläced: 100 %}",
            (true, 5) if !before.legal_moves().is_empty() => {
                let san = SanPlus::from_move(before, other);
                movetext += &format!(" ({number}.{} {san})", if white { "" } else { ".." });
            }
            _ => interrupted = false,
        }
        movetext += if ply % 12 == 11 { "\n" } else { " " };
    }
    let result = match () {
        () if pos.is_checkmate() => pos.turn().fold_wb("0-1", "1-0"),
        () if pos.is_stalemate() || pos.is_insufficient_material() => "1/2-1/2",
        () => ["1-0", "0-1", "1/2-1/2", "*"][usize::from(style >> 2) % 4],
    };
    let text = format!(
        "[Event \"A\"]\n[Site \"B\"]\n[Date \"2024.01.02\"]\n[Round \"1\"]\n[White \"C\"]\n[Black \"Dé\"]\n\
         [Result \"{result}\"]\n\n{movetext}{result}\n"
    );
    if style & 32 == 0 { text } else { text.replace('\n', "\r\n") }
}

fn answer(text: &str, format: Format, thorough: bool) -> Answer {
    let job = Job { options: Options::default(), format, coloured: false, thorough };
    job.run("x.pgn", &Batch::whole(text.as_bytes().to_vec()))
}

fn same(text: &str) -> Result<(), TestCaseError> {
    for format in [Format::Ndjson, Format::Concise] {
        let (short, full) = (answer(text, format, false), answer(text, format, true));
        prop_assert_eq!(
            String::from_utf8_lossy(&short.piece.bytes),
            String::from_utf8_lossy(&full.piece.bytes),
            "{}",
            text
        );
        prop_assert_eq!(short.counts, full.counts);
    }
    Ok(())
}

const SIGNS: &[&str] = &[
    "",
    " ",
    "\n",
    "\n\n",
    ".",
    "...",
    "1",
    "2",
    "8",
    "x",
    "+",
    "#",
    "=",
    "Q",
    "N",
    "K",
    "O",
    "a",
    "h",
    "b",
    "!",
    "?",
    "$",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "\\",
    "%",
    ";",
    "*",
    "-",
    "1-0",
    "0-1",
    "\t",
    "\r",
    "é",
    "\u{a0}",
    "e.p.",
    "[Event \"Z\"]\n",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn well_kept_games_take_the_short_cut(picks in prop::collection::vec(any::<u16>(), 0..160), style: u8) {
        let text = score(&picks, style);
        let padded = Batch::whole(text.as_bytes().to_vec());
        prop_assert!(pgn_audit::check::fast::clean_game(padded.padded(), 0, None).is_some(), "{}", text);
        same(&text)?;
    }

    #[test]
    fn a_slip_is_judged_alike(
        picks in prop::collection::vec(any::<u16>(), 0..90),
        more in prop::collection::vec(any::<u16>(), 0..30),
        style: u8,
        slips in prop::collection::vec((any::<prop::sample::Index>(), 0..3usize, 0..SIGNS.len()), 1..4),
    ) {
        let mut text = score(&picks, style);
        if style & 64 != 0 {
            text += if style & 32 == 0 { "\n" } else { "\r\n" };
            text += &score(&more, style);
        }
        for (place, length, sign) in slips {
            let places: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
            let from = place.index(places.len());
            let to = places.get(from + length).copied().unwrap_or(text.len());
            text.replace_range(places[from]..to, SIGNS[sign]);
        }
        same(&text)?;
    }
}

#[test]
fn a_tag_name_that_begins_with_a_digit_is_judged_alike() {
    let text = score(&[1, 2, 3, 4], 0).replace("[White ", "[8hite ");
    assert!(text.contains("[8hite "));
    same(&text).expect("both ways agree");
}

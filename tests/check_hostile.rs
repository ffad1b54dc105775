//! Input made to hurt: the time stays in proportion to the bytes, and nothing panics.

use std::time::{Duration, Instant};

use pgn_audit::check::{
    Options,
    format::Format,
    run::{Answer, Job},
    stream::Batch,
};

fn check(text: Vec<u8>) -> (Answer, Duration) {
    let job = Job { options: Options::default(), format: Format::Concise, coloured: false, thorough: false };
    let begin = Instant::now();
    let answer = job.run("x.pgn", &Batch::whole(text));
    (answer, begin.elapsed())
}

/// Sixteen times the text may take 64 times as long: far from square, and no clock on a busy machine is exact.
fn stays_in_proportion(name: &str, text: impl Fn(usize) -> Vec<u8>) {
    let size = 1 << 13;
    let small = (0..3).map(|_| check(text(size)).1).min().unwrap_or_default();
    let large = check(text(16 * size)).1;
    let floor = Duration::from_millis(50);
    assert!(
        large <= floor + 64 * small,
        "{name}: {small:?} for {size} bytes, {large:?} for 16 times as many"
    );
}

#[test]
fn repeated_pieces_stay_in_proportion() {
    let pieces: &[&str] = &[
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\",
        ";",
        "%",
        "$",
        "\n",
        "\r",
        "\n\n",
        "\n%",
        "(e4 ",
        "{ ( ",
        "[A \"",
        "[Event \"x\"]\n",
        "\n\n[Event \"x\"]\n",
        "{\n\n[Event \"x\"]\n",
        "1. ",
        "1... ",
        "e4 ",
        "e4",
        "Nf3",
        "-- ",
        "0-0 ",
        "1-0 ",
        "* ",
        "1-0\n\n",
        "N",
        "x",
        "=",
        "+",
        "#",
        "!",
        "P-K4 ",
        "&nbsp;",
        "\u{feff}",
        "é",
        "(0:01)",
        "1.e4 e5 ",
        "Ng1-f3-g1 ",
        ". ",
        "... ",
        "½",
        "abc ",
        "12345678901234567890 ",
    ];
    for piece in pieces {
        let start = "[Event \"A\"]\n[Result \"*\"]\n\n1. e4 ";
        for prefix in ["", start] {
            stays_in_proportion(&format!("{prefix:?}{piece:?}"), |size| {
                let mut text = prefix.as_bytes().to_vec();
                while text.len() < size {
                    text.extend_from_slice(piece.as_bytes());
                }
                text
            });
        }
    }
}

#[test]
fn long_tags_lines_and_games_stay_in_proportion() {
    stays_in_proportion("a long tag", |size| {
        format!("[Event \"{}\"]\n\n1. e4 *\n", "x".repeat(size)).into_bytes()
    });
    stays_in_proportion("a long name", |size| {
        format!("[{} \"x\"]\n\n1. e4 *\n", "x".repeat(size)).into_bytes()
    });
    stays_in_proportion("a long comment", |size| {
        format!("1. e4 {{{}}} e5 *\n", "x y ".repeat(size / 4)).into_bytes()
    });
    stays_in_proportion("many tags", |size| {
        (0..size / 12).map(|i| format!("[T{i} \"x\"]\n")).collect::<String>().into_bytes()
    });
    stays_in_proportion("a long game", |size| {
        let mut text = String::from("[Result \"*\"]\n\n");
        for i in 0..size / 24 {
            let (white, black) = [("Nf3", "Nf6"), ("Ng1", "Ng8")][i % 2];
            text += &format!("{}. {white} {black} ", i + 1);
        }
        (text + "*\n").into_bytes()
    });
    stays_in_proportion("variations", |size| {
        format!("1. e4 {}{} e5 *\n", "(1. d4 ".repeat(size / 8), ")".repeat(size / 8)).into_bytes()
    });
}

#[test]
fn megabytes_of_nothing_good_are_read_to_the_end() {
    for piece in ["(", "{", "[Event \"", "\n\n[Event \"x\"]\n{", "1. e4 (", "\u{0}", "x"] {
        let text = piece.repeat((2 << 20) / piece.len()).into_bytes();
        let (answer, time) = check(text);
        assert!(time < Duration::from_secs(60), "{piece:?}: {time:?}");
        assert!(answer.piece.holes.is_empty());
    }
}

//! What people really write: each spelling is read as meant, and nothing is called an error.

use pgn_audit::{
    examine::{Examined, Options, slice},
    finding::Severity,
    sheet::Source,
};

const HEAD: &str = "[Event \"x\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"?\"]\n\n";

fn read(text: &str) -> Vec<Examined> {
    slice(&Source::read(text.as_bytes().to_vec()), &Options { repair: true, ..Options::default() })
}

/// Asserts that the movetext is read as `moves` (canonical, in one line) and as `result`.
fn means(movetext: &str, moves: &str, result: &str) {
    let games = read(&format!("{HEAD}{movetext}\n"));
    assert_eq!(games.len(), 1, "{movetext}");
    let game = &games[0];
    assert_eq!(game.moves.join(" "), moves, "{movetext}");
    assert_eq!(game.result.read, result, "{movetext}");
    let error = game.findings.iter().find(|f| f.severity == Severity::Error);
    assert!(error.is_none() && game.repair.is_none(), "{movetext}: {error:?}");
}

#[test]
fn castling() {
    let short = "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6";
    for castling in ["O-O", "0-0", "o-o", "OO", "00", "O - O", "o - o", "0–0", "O−O"] {
        means(&format!("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. {castling} Nf6 *"), short, "*");
    }
    let long = "d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 O-O-O O-O-O";
    for (white, black) in [("0-0-0", "o-o-o"), ("O - O - O", "OOO"), ("000", "Ke8-c8")] {
        means(&format!("1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. {white} {black} *"), long, "*");
    }
}

#[test]
fn promotion() {
    let moves = "h4 g5 hxg5 h6 gxh6 Nf6 h7 Rg8 hxg8=Q";
    let spellings = [
        "hxg8Q",
        "hxg8(Q)",
        "hxg8 (Q)",
        "hxg8 (=Q)",
        "hxg8 Q",
        "hxg8 = Q",
        "hxg8/Q",
        "hxg8=q",
        "h7xg8=Q",
        "hg=Q",
        "hxg8=♕",
        "h7g8q",
    ];
    for spelling in spellings {
        means(&format!("1. h4 g5 2. hxg5 h6 3. gxh6 Nf6 4. h7 Rg8 5. {spelling} *"), moves, "*");
    }
}

#[test]
fn en_passant() {
    for spelling in [
        "exd6ep",
        "exd6 e.p.",
        "exd6 (e.p.)",
        "exd e.p.",
        "ed e.p.",
        "exd6 en passant",
        "exd6 i.p.",
        "e:d6 ep",
    ] {
        means(&format!("1. e4 a6 2. e5 d5 3. {spelling} exd6 *"), "e4 a6 e5 d5 exd6 exd6", "*");
    }
}

#[test]
fn captures() {
    for spelling in ["ed", "exd", "ed5", "e:d5", "e×d5", "e*d5", "e4xd5", "ed5:", "eXd5", "exd5!?"] {
        means(&format!("1. e4 d5 2. {spelling} Qd5: *"), "e4 d5 exd5 Qxd5", "*");
    }
}

#[test]
fn checks() {
    for spelling in ["Qxf7ch", "Qxf7 ch.", "Qxf7 Schach", "Qxf7 échec", "Qxf7†", "Qxf7 (check)", "Qf7+"] {
        let moves = "e4 e5 Qh5 Nc6 Qxf7+ Kxf7";
        means(&format!("1. e4 e5 2. Qh5 Nc6 3. {spelling} Kxf7 *"), moves, "*");
    }
}

#[test]
fn results() {
    let spellings = [
        ("1:0", "1-0"),
        ("(1-0)", "1-0"),
        ("1F-0F", "1-0"),
        ("0-1F", "0-1"),
        ("l-0", "1-0"),
        ("1 - 0", "1-0"),
        ("½", "1/2-1/2"),
        ("0,5-0,5", "1/2-1/2"),
        ("Draw agreed", "1/2-1/2"),
        ("White resigned", "0-1"),
    ];
    for (written, result) in spellings {
        means(&format!("1. e4 e5 2. Nf3 Nc6 {written}"), "e4 e5 Nf3 Nc6", result);
    }
}

#[test]
fn numbers() {
    let texts = [
        "1.e4e5 2.Nf3Nc6 3.Bb5a6",
        "1. e4 e5; 2. Nf3 Nc6; 3. Bb5 a6",
        "1;e4;e5\n2;Nf3;Nc6\n3;Bb5;a6",
        "1) e4 e5 2) Nf3 Nc6 3) Bb5 a6",
        "| 1 | e4 | e5 |\n| 2 | Nf3 | Nc6 |\n| 3 | Bb5 | a6 |",
        "1. e4 e5 /* best */ 2. Nf3 Nc6 3. Bb5 a6",
        "1. e4 e5 ; 2. Nf3 a remark\n2. Nf3 Nc6 3. Bb5 a6",
        "1. e4 e5 2. Nf3 Nc6; a remark of 3. words\n3. Bb5 a6",
    ];
    for text in texts {
        means(&format!("{text} *"), "e4 e5 Nf3 Nc6 Bb5 a6", "*");
    }
}

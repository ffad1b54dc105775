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

/// The text as `fix` writes it.
fn fixed(text: &str) -> String {
    let options = Options { repair: true, mend: true, ..Options::default() };
    let games = slice(&Source::read(text.as_bytes().to_vec()), &options);
    String::from_utf8(games[0].mended.as_ref().expect("mended").source.text.clone()).expect("UTF-8")
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
        "1 - e4 e5 2 - Nf3 Nc6 3 - Bb5 a6",
        "1 – e4 e5\n2 – Nf3 Nc6\n3 – Bb5 a6",
        "1. - e4 e5 2. - Nf3 Nc6 3. - Bb5 a6",
    ];
    for text in texts {
        means(&format!("{text} *"), "e4 e5 Nf3 Nc6 Bb5 a6", "*");
    }
}

#[test]
fn a_dash_between_the_two_moves() {
    let moves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7";
    for text in [
        "1.e4-e5 2.Nf3-Nc6 3.Bb5-a6 4.Ba4-Nf6 5.O-O-Be7",
        "1. e4-e5 2. Nf3-Nc6 3. Bb5-a6 4. Ba4-Nf6 5. 0-0-Be7",
        "e4-e5 Nf3-Nc6 Bb5-a6 Ba4-Nf6 O-O-Be7",
        "1.e4–e5 2.Nf3–Nc6 3.Bb5–a6! 4.Ba4–Nf6 5.O-O–Be7",
        "1. e4 - e5 2. Nf3 - Nc6 3. Bb5 - a6 4. Ba4 - Nf6 5. O-O - Be7",
    ] {
        means(&format!("{text} *"), moves, "*");
    }
    // The same signs where they join the squares of one move.
    means("1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5 a7-a6 *", "e4 e5 Nf3 Nc6 Bb5 a6", "*");
    let fixed = fixed(&format!("{HEAD}1.e4-e5 2.Nf3-Nc6 3.Bb5 *\n"));
    assert!(fixed.ends_with("1.e4 e5 2.Nf3 Nc6 3.Bb5 *\n"), "{fixed}");
}

#[test]
fn dashes_behind_the_numbers_go_or_stay_empty_boxes() {
    let fixed = fixed(&format!("{HEAD}1 - e4 e5 2 - Nf3 Nc6 *\n"));
    let words: Vec<&str> = fixed.split_whitespace().collect();
    assert!(words.ends_with(&["1.", "e4", "e5", "2.", "Nf3", "Nc6", "*"]), "{fixed}");
    let games = read(&format!("{HEAD}1. e4 e5 2. - Nc6 3. Bb5 a6 *\n"));
    assert!(games[0].findings.iter().any(|f| f.rule.code == "PA104"), "{:?}", games[0].findings);
}

#[test]
fn two_lists_are_one_game() {
    let moves = "e4 e5 Nf3 Nc6 Bb5 a6";
    for text in [
        "White: e4 Nf3 Bb5\nBlack: e5 Nc6 a6\n",
        "White: e4, Nf3, Bb5\nBlack: e5, Nc6, a6\n",
        "White: 1. e4 2. Nf3 3. Bb5\nBlack: 1... e5 2... Nc6 3... a6\n",
        "Weiß: e4 Nf3 {a remark} Bb5!\nSchwarz: e5 Nc6 a6\n",
        "White:\ne4\nNf3\nBb5\n\nBlack:\ne5\nNc6\na6\n",
    ] {
        means(&format!("{text}*"), moves, "*");
        let fixed = fixed(&format!("{HEAD}{text}*\n"));
        assert!(!fixed.contains(':'), "{fixed}");
        assert!(fixed.contains("1. e4 e5 2. Nf3 "), "{fixed}");
    }
    means("White: e4 Nf3\nBlack: e5\n*", "e4 e5 Nf3", "*");
}

#[test]
fn two_lists_are_repaired_as_one_game() {
    let text = |white: &str, black: &str| format!("{HEAD}White: {white}\nBlack: {black}\n1-0\n");
    let (white, black) = ("e4 Nf3 Bb5 Bxc6 O-O Nxe5", "e5 Nc6 a6 dxc6 Bg4 Bxd1");
    let whole = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O Bg4 6. Nxe5 Bxd1\n1-0\n";
    let slip = fixed(&text(white, &black.replace("dxc6", "dxc8")));
    assert!(slip.ends_with(whole), "{slip}");
    // A move lost from one list stands where it belongs, not in the other list.
    let lost = fixed(&text(&white.replace("Bxc6 ", ""), black));
    assert!(lost.contains("4. Bxc6 dxc6"), "{lost}");
}

#[test]
fn null_moves_in_variations() {
    for null in ["--", "Z0", "<>", "@@@@", "null", "pass", "0000"] {
        let text = format!("{HEAD}1. e4 e5 2. Nf3 (2. {null} Nf6 3. d3) 2... Nc6 *\n");
        let games = read(&text);
        assert!(games[0].worst().is_none_or(|s| s == Severity::Info), "{null}: {:?}", games[0].findings);
        let fixed = fixed(&text);
        assert!(fixed.contains("(2. -- Nf6 3. d3)"), "{fixed}");
    }
    // A side in check cannot pass.
    let games = read(&format!("{HEAD}1. e4 f6 2. Qh5+ g6 (2... -- 3. d3) 3. Qd1 *\n"));
    assert!(games[0].findings.iter().any(|f| f.rule.code == "PA113"), "{:?}", games[0].findings);
}

#[test]
fn a_null_move_in_the_main_line_is_a_gap_of_one_entry() {
    for null in ["--", "Z0", "<>", "@@@@", "null", "pass", "0000"] {
        let games = read(&format!("{HEAD}1. e4 e5 2. Nf3 {null} 3. Bb5 a6 4. Bxc6 dxc6 *\n"));
        let game = &games[0];
        let found = game.findings.iter().find(|f| f.severity == Severity::Error).expect("an error");
        assert_eq!((found.rule.code, found.ply), ("PA104", Some(4)), "{null}: {found:?}");
        assert!(found.message.contains("null move"), "{}", found.message);
        let repair = game.repair.as_ref().expect("a repair");
        // What follows takes on c6: one move fits.
        assert_eq!(repair.best.sans[3], "Nc6", "{null}");
        assert_eq!(repair.best.sans.len(), 8, "{null}");
    }
    let games = read(&format!("{HEAD}1. e4 e5 2. Nf3 -- 3. d3 *\n"));
    let repair = games[0].repair.as_ref().expect("a repair");
    assert!(repair.best.probability < 0.9 && repair.alternatives.len() > 3, "{}", repair.best.probability);
}

#[test]
fn a_king_from_a_pawn_is_an_error_and_most_likely_a_queen() {
    let games = read(&format!("{HEAD}1. a4 c5 2. a5 c4 3. a6 c3 4. axb7 cxb2 5. bxa8=Q bxa1=K *\n"));
    let game = &games[0];
    let found = game.findings.iter().find(|f| f.severity == Severity::Error).expect("an error");
    assert!(found.message.contains("may not become a king"), "{}", found.message);
    let repair = game.repair.as_ref().expect("a repair");
    assert_eq!(repair.best.sans[9], "bxa1=Q");
    assert!(repair.alternatives.iter().any(|r| r.sans[9] == "bxa1=N"), "{:?}", repair.alternatives);
}

#[test]
fn a_promotion_where_nothing_promotes_is_left_out() {
    let games = read(&format!("{HEAD}1. e4 d5 2. e5=Q d4 3. Nf3=Q Nc6 *\n"));
    let best = &games[0].repair.as_ref().expect("a repair").best;
    assert_eq!(best.sans.join(" "), "e4 d5 e5 d4 Nf3 Nc6");
    let written: Vec<&str> = best.edits.iter().map(|edit| edit.written.as_str()).collect();
    assert_eq!(written, ["e5=Q", "Nf3=Q"]);
}

#[test]
fn a_slip_in_long_notation_is_no_two_moves() {
    // The last move, and moves without numbers: nothing says how many moves there is room for.
    let games = read(&format!("{HEAD}e2e4 e7e5 Ng1f3 Nb8c6 Bf1b5 a7a6 Bb5a4 Ng8f7 O-O Bf8e7 1-0\n"));
    assert_eq!(games[0].moves.join(" "), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7");
    // Pairs of squares: what is repaired leaves no pair behind that reads as two moves.
    let text = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f7 e1g1 f6e4 d2d4 b7b5 a4b3 d7d5 d4e5 c8e6 1-0";
    let games = read(&format!("{HEAD}{text}\n"));
    let repair = games[0].repair.as_ref().expect("a repair");
    assert_eq!(repair.best.edits.len(), 1, "{:?}", repair.best.edits);
    assert_eq!(repair.best.sans.len(), 16);
}

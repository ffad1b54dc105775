use super::*;
use crate::sheet::game::games;

fn read(text: &str) -> (Source, Game, Replay) {
    let source = Source::read(text.as_bytes().to_vec());
    let game = games(&source).into_iter().next().expect("a game");
    let replay = replay(&source, &game);
    (source, game, replay)
}

fn sans(text: &str) -> String {
    let (_, _, replay) = read(text);
    assert_eq!(replay.refusal.as_ref().map(|r| &r.reason), None, "{text}");
    replay.plies.iter().map(|p| p.san.as_str()).collect::<Vec<_>>().join(" ")
}

fn reason(text: &str) -> (RefusalKind, String) {
    let (_, _, replay) = read(text);
    let refusal = replay.refusal.unwrap_or_else(|| panic!("no refusal: {text}"));
    (refusal.kind, refusal.reason)
}

#[test]
fn spellings_of_one_move_are_one_move() {
    for text in [
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. O-O Bc5 *",
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-c4 Ng8-f6 4. 0-0 Bf8-c5 *",
        "1. e2e4 e7e5 2. g1f3 b8c6 3. f1c4 g8f6 4. e1g1 f8c5 *",
        "1. e4 e5 2. Sf3 Sc6 3. Lc4 Sf6 4. 0-0 Lc5 *",
        "1. e4 e5 2. Hf3 Hc6 3. Fc4 Hf6 4. 0-0 Fc5 *",
        "1. e4 e5 2. Cf3 Cc6 3. Fc4 Cf6 4. 0-0 Fc5 *",
        "1. e4 e5 2. Кf3 Кc6 3. Сc4 Кf6 4. О-О Сc5 *",
        "1. e4 e5 2. ♘f3 ♞c6 3. ♗c4 ♞f6 4. O–O ♝c5 *",
        "1. e4 e5 2. nf3 nc6 3. bc4 nf6 4. o-o bc5 *",
        "1.e4e5 2.Nf3Nc6 3.Bc4Nf6 4.O-OBc5 *",
        "e4 e5 Nf3 Nc6 Bc4 Nf6 O-O Bc5",
        "1 e4 e5\n2 Nf3 Nc6\n3 Bc4 Nf6\n4 OO Bc5 *",
        "1) e4 e5 2) Nf3 Nc6 3) Bc4 Nf6 4) O-O Bc5 *",
    ] {
        assert_eq!(sans(text), "e4 e5 Nf3 Nc6 Bc4 Nf6 O-O Bc5", "{text}");
    }
}

#[test]
fn reasons_are_in_chess_terms() {
    for (text, want) in [
        ("1. e4 e5 2. Nf6 *", "no white knight can reach f6"),
        ("1. d4 d5 2. Nf3 Nf6 3. e3 e6 4. Nd2 *", "two knights can go to d2 (from b1 and f3)"),
        (
            "1. e4 b6 2. Nf3 Ba6 3. g3 e6 4. Bg2 Nf6 5. O-O *",
            "castling through f1, which the bishop on a6 attacks",
        ),
        ("1. e4 e5 2. O-O *", "the bishop on f1 stands between king and rook"),
        ("1. e4 e5 2. Nf9 *", "not a move: 'Nf9'"),
        ("1. f3 e5 2. g4 Qh4# 3. a3 0-1", "the game was over by checkmate: Qh4# at ply 4"),
        (
            "1. d4 d5 2. c4 e6 3. Nf3 Nf6 4. e3 c4 *",
            "no black pawn can move to c4: the pawn on d5 could only take there",
        ),
        (
            "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ a6 *",
            "Black is in check from the queen on f7, and this does not end it",
        ),
        (
            "1. d4 d5 2. Bf4 Qd7 3. Nc3 e5 4. dxe5 Bb4 5. Ne4 *",
            "the knight on c3 is pinned to the king by the bishop on b4",
        ),
        ("1. e4 e5 2. exd5 *", "no white pawn on the e-file can take on d5: nothing stands on d5"),
        (
            "1. e4 e5 2. Ke2 Nf6 3. Kd3 Nc6 4. Kd4 *",
            "the king would stand on d4, which the pawn on e5 attacks",
        ),
        ("1. a4 b5 2. axb5 c5 3. b6 c4 4. bxa7 c3 5. axb8=K *", "a pawn may not become a king"),
        (
            "1. a4 b5 2. axb5 c5 3. b6 c4 4. bxa7 c3 5. axb8=P *",
            "a pawn on the last rank may not stay a pawn",
        ),
        (
            "1. a4 b5 2. axb5 c5 3. b6 c4 4. bxa7 c3 5. axb8 *",
            "the pawn reaches b8 and the piece that it becomes is not written",
        ),
        ("1. e4 e5 2. d3 d6 3. e5 *", "no white pawn can move to e5: the pawn there blocks the one on e4"),
        ("1. Bb5 *", "no white bishop can reach b5: the pawn on e2 stands in the way of the one on f1"),
        ("1. e4 d5 2. Qe2 dxe4 3. Qe2 *", "White's own queen stands on e2"),
        ("1. e4 e5 2. d7d6 *", "the pawn on d7 is not White's"),
        ("1. e4 e5 2. e7e6 *", "there is no piece on e7"),
        ("1. e4 e5 2. Bd5-c6 *", "no white bishop on d5 can reach c6"),
        (
            "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Nf3 Nf6 5. Be2 Be7 6. O-O *",
            "White may not castle on the king side: the king or that rook has moved or is gone",
        ),
    ] {
        assert_eq!(reason(text).1, want, "{text}");
    }
}

/// Every way in which a move fails, each with the reason that is true of it.
#[test]
fn each_way_to_fail_has_its_reason() {
    for (fen, written, want) in [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Qd1", "White has no queen left"),
        (
            "4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1",
            "Nbf3",
            "no white knight on the b-file can reach f3, only the one on g1",
        ),
        (
            "4k3/8/8/8/8/8/3N4/4K3 w - - 0 1",
            "N1f3",
            "no white knight on the first rank can reach f3, only the one on d2",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Kg1", "no white king can reach g1"),
        (
            "4k3/8/8/8/8/P7/8/R3K3 w - - 0 1",
            "Ra5",
            "no white rook can reach a5: the pawn on a3 stands in the way of the one on a1",
        ),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Rxa1", "White's own rook stands on a1"),
        (
            "4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1",
            "e4",
            "no white pawn can move to e4: the knight on e3 blocks the one on e2",
        ),
        (
            "4k3/8/8/8/4n3/8/4P3/4K3 w - - 0 1",
            "e4",
            "no white pawn can move to e4: the knight there blocks the one on e2",
        ),
        (
            "4k3/4p3/4N3/8/8/8/8/4K3 b - - 0 1",
            "e5",
            "no black pawn can move to e5: the knight on e6 blocks the one on e7",
        ),
        (
            "5r2/5P2/8/8/8/k7/8/K7 w - - 0 1",
            "f8=Q",
            "no white pawn can move to f8: the rook there blocks the one on f7",
        ),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e5", "no white pawn can move to e5"),
        (
            "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1",
            "exd6",
            "no white pawn on the e-file can take on d6: nothing stands on d6",
        ),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exf", "no white pawn on the e-file can take on the f-file"),
        (
            "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
            "exd6",
            "taking on d6 in passing would leave the king to the rook on h5",
        ),
        ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e5=Q", "a pawn on e5 does not promote"),
        ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "Nf3=Q", "a knight does not promote"),
        (
            "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
            "a8",
            "the pawn reaches a8 and the piece that it becomes is not written",
        ),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=K", "a pawn may not become a king"),
        ("8/5P2/8/8/8/k7/8/K7 w - - 0 1", "f8=P", "a pawn on the last rank may not stay a pawn"),
        (
            "4k3/4r3/8/8/8/8/4B3/4K3 w - - 0 1",
            "Bd3",
            "the bishop on e2 is pinned to the king by the rook on e7",
        ),
        (
            "4k3/8/8/b7/8/8/3N4/3RK3 w - - 0 1",
            "Ndf3",
            "the knight on d2 is pinned to the king by the bishop on a5",
        ),
        ("8/8/8/3k4/8/3K4/8/8 w - - 0 1", "Kd4", "the king would stand on d4, which the king on d5 attacks"),
        (
            "4k3/8/8/8/4r3/8/4q3/3K4 w - - 0 1",
            "Kxe2",
            "the king would stand on e2, which the rook on e4 attacks",
        ),
        ("7k/8/8/8/8/8/8/K6R b - - 0 1", "Kh7", "the king would stand on h7, which the rook on h1 attacks"),
        (
            "4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1",
            "Rh3",
            "White is in check from the rook on e3, and this does not end it",
        ),
        (
            "4k3/8/8/8/4r3/8/6n1/R3K2R w KQ - 0 1",
            "Rh3",
            "White is in double check from the knight on g2, and this does not end it",
        ),
        (
            "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1",
            "O-O",
            "White is in check from the rook on e4 and may not castle",
        ),
        ("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O-O", "castling through d1, which the rook on d8 attacks"),
        (
            "2r1k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            "O-O-O",
            "castling into check on c1, which the rook on c8 attacks",
        ),
        ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "O-O-O", "the knight on b1 stands between king and rook"),
        (
            "4k3/8/8/8/8/8/8/RN2K2R w K - 0 1",
            "O-O-O",
            "White may not castle on the queen side: the king or that rook has moved or is gone",
        ),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Ni3", "not a move: 'Ni3'"),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "--",
            "no move is written here, only the null move --",
        ),
        ("8/8/8/8/8/k7/2q5/K7 w - - 0 1", "Kb1", "the game was over by stalemate"),
    ] {
        let number = if fen.contains(" b ") { "1..." } else { "1." };
        let text = format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n\n{number} {written} *\n");
        assert_eq!(reason(&text).1, want, "{text}");
    }
}

#[test]
fn a_king_is_no_promotion_in_any_language() {
    // `K` is the knight of some languages: the one letter does not make the game theirs.
    let (kind, reason) = reason("1. a4 b5 2. axb5 h5 3. b6 h4 4. bxa7 h3 5. axb8=Q hxg2 6. Qxc8 gxh1=K *");
    assert_eq!((kind, reason.as_str()), (RefusalKind::Illegal, "a pawn may not become a king"));
}

#[test]
fn a_result_finding_says_both_tag_and_terminator() {
    let (_, _, replay) = read("[Result \"*\"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n");
    let said: Vec<&str> = replay.findings.iter().map(|f| f.message.as_str()).collect();
    let want = "the board shows checkmate, 0-1, but the Result tag says * and the end of the movetext 1-0";
    assert!(said.contains(&want), "{said:?}");
}

#[test]
fn variants_and_descriptive_notation_are_left_alone() {
    assert_eq!(reason("[Variant \"Crazyhouse\"]\n\n1. e4 e5 *").0, RefusalKind::Unsupported);
    assert_eq!(reason("1. P-K4 P-K4 2. N-KB3 N-QB3 *").0, RefusalKind::Unsupported);
    assert_eq!(reason("1. e4 d5 2. exd5 Qxd5 3. P@e6 *").0, RefusalKind::Unsupported);
    assert_eq!(
        sans(
            "[Variant \"Chess960\"]\n[FEN \"nrkbbrqn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRQN w KQkq - 0 1\"]\n\n1. Nb3 Nb6 *"
        ),
        "Nb3 Nb6"
    );
}

#[test]
fn a_fen_with_the_wrong_side_to_move_is_turned() {
    let (source, _, replay) = read("[FEN \"8/8/8/8/8/4k3/8/R3K3 b Q - 0 1\"]\n\n1. Ra3+ *");
    let edit = replay.side_to_move.expect("a change of the tag");
    assert_eq!((source.bytes(edit.span), edit.text.as_slice()), (&b"b"[..], &b"w"[..]));
}

#[test]
fn an_illegal_first_move_does_not_turn_the_usual_position() {
    assert_eq!(reason("1. e5 *").0, RefusalKind::Illegal);
}

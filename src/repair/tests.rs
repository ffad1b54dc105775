use proptest::prelude::*;
use shakmaty::{Chess, Position};

use super::*;
use crate::sheet::Span;

/// A made-up game, 48 plies, no check.
const GAME: &str = "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O Nf3 Nbd7 Rc1 c6 Bd3 dxc4 Bxc4 Nd5 Bxe7 Qxe7 O-O Nxc3 Rxc3 e5 dxe5 \
                    Nxe5 Nxe5 Qxe5 f4 Qe4 Bb3 Bf5 Qh5 g6 Qh6 Rad8 Bc2 Qd5 e4 Bxe4 Rh3 Qc5+ Kh1 Bxc2 Qxh7#";

fn game() -> Vec<String> {
    GAME.split_ascii_whitespace().map(str::to_owned).collect()
}

fn solve(texts: &[String]) -> Repair {
    let cells = texts
        .iter()
        .enumerate()
        .map(|(i, t)| Cell {
            text: t.clone(),
            number: None,
            side: None,
            span: Span::new(10 * i, 10 * i + t.len()),
        })
        .collect();
    repair(&Problem { start: Chess::default(), first_number: 1, cells, result: None }, &Limits::default())
}

fn plain(r: &Repair) -> Vec<String> {
    r.best.sans.clone()
}

fn edits(r: &Repair) -> Vec<(Op, u32, u32)> {
    r.best.edits.iter().map(|e| (e.op, e.written_ply, e.ply)).collect()
}

#[test]
fn a_legal_game_is_left_alone() {
    let r = solve(&game());
    assert!(r.best.edits.is_empty());
    assert_eq!(plain(&r), game());
}

#[test]
fn a_misread_square_is_found() {
    let mut g = game();
    g[14] = "Bd5".into();
    let r = solve(&g);
    assert_eq!(plain(&r), game());
    assert_eq!(edits(&r), [(Op::Substitute, 15, 15)]);
    assert!(r.best.edits[0].reason.contains("5 written for 3"), "{}", r.best.edits[0].reason);
}

#[test]
fn a_legal_but_wrong_move_is_found_where_it_stands() {
    // Be2 instead of Bd3 surfaces only at Bxe4 and the attack on h7.
    let mut g = game();
    g[12] = "Rb1".into();
    let r = solve(&g);
    assert_eq!(plain(&r), game());
    assert_eq!(edits(&r), [(Op::Substitute, 13, 13)]);
}

#[test]
fn a_lost_ply_is_inserted() {
    let mut g = game();
    g.remove(16);
    let r = solve(&g);
    assert_eq!(plain(&r), game());
    assert_eq!(edits(&r), [(Op::Insert, 17, 17)]);
}

#[test]
fn a_lost_pair_is_among_the_readings() {
    let mut g = game();
    g.drain(16..18);
    let r = solve(&g);
    let listed = std::iter::once(&r.best).chain(&r.alternatives).any(|x| x.sans == game());
    assert!(listed);
}

#[test]
fn a_doubled_entry_is_deleted_first_copy() {
    let mut g = game();
    g.insert(10, "Nf3".into());
    let r = solve(&g);
    assert_eq!(plain(&r), game());
    assert_eq!(edits(&r), [(Op::Delete, 11, 11)]);
}

#[test]
fn neighbours_exchanged_are_put_back() {
    let mut g = game();
    g.swap(17, 18);
    let r = solve(&g);
    assert_eq!(plain(&r), game());
    assert_eq!(edits(&r), [(Op::Swap, 18, 18)]);
    assert_eq!(r.best.edits[0].other_ply, Some(19));
}

#[test]
fn entries_of_one_player_exchanged_are_put_back() {
    let mut g = game();
    g.swap(21, 23);
    let r = solve(&g);
    assert_eq!(plain(&r), game());
    assert_eq!(edits(&r), [(Op::Swap, 22, 22)]);
}

#[test]
fn castling_to_the_wrong_side_is_turned() {
    let mut g = game();
    g[9] = "O-O-O".into();
    let r = solve(&g);
    assert_eq!(plain(&r), game());
    assert_eq!(edits(&r), [(Op::Substitute, 10, 10)]);
}

#[test]
fn a_blank_box_is_filled() {
    let mut g = game();
    g[25] = "--".into();
    let r = solve(&g);
    assert_eq!(plain(&r), game());
    assert_eq!(edits(&r), [(Op::Substitute, 26, 26)]);
}

#[test]
fn a_split_token_is_joined() {
    let mut g = game();
    g[10] = "N".into();
    g.insert(11, "f3".into());
    let r = solve(&g);
    assert_eq!(plain(&r), game());
}

#[test]
fn moves_after_mate_are_cut() {
    let mut g = game();
    g.push("Kg8".into());
    let r = solve(&g);
    assert_eq!(plain(&r), game());
    assert_eq!(edits(&r), [(Op::Delete, 46, 46)]);
}

#[test]
fn a_box_that_the_numbers_show_is_inserted() {
    let mut g = game();
    g.remove(16);
    let mut cells = Vec::new();
    for (i, t) in g.iter().enumerate() {
        let ply = if i < 16 { i } else { i + 1 };
        let white = ply % 2 == 0 || i == 16;
        cells.push(Cell {
            text: t.clone(),
            number: white.then_some(ply as u32 / 2 + 1),
            side: white.then_some(if ply % 2 == 0 { Color::White } else { Color::Black }),
            span: Span::default(),
        });
    }
    let r = repair(
        &Problem { start: Chess::default(), first_number: 1, cells, result: None },
        &Limits::default(),
    );
    assert_eq!(plain(&r), game());
    assert_eq!(edits(&r), [(Op::Insert, 17, 17)]);
}

#[test]
fn nonsense_at_the_end_keeps_the_legal_prefix() {
    let mut g: Vec<String> = game().into_iter().take(12).collect();
    for t in ["Qh9", "zz", "Ra7xh1", "K12", "Qh9", "bb8", "Nz3", "rr", "Qh9", "Ke9"] {
        g.push(t.into());
    }
    let r = solve(&g);
    assert_eq!(r.verdict, Verdict::Unexplained);
    assert_eq!(r.unexplained_from, Some(13));
    assert_eq!(plain(&r), game()[..12]);
}

#[test]
fn castling_through_check_that_all_the_rest_confirms_is_said_to_be_played() {
    // The bishop on a6 covers f1, and takes the rook there: nothing legal tells the same story.
    let g: Vec<String> =
        "e4 e6 Nf3 b6 g3 Ba6 Bg2 Nf6 O-O Bxf1 Qxf1 Be7 d3 O-O Bg5 d6 Nbd2 Nbd7 Re1 h6 Be3 Re8"
            .split_ascii_whitespace()
            .map(str::to_owned)
            .collect();
    let r = solve(&g);
    let played = |r: &&Reading| r.edits.len() == 1 && r.edits[0].op == Op::Played && r.edits[0].ply == 9;
    let found = std::iter::once(&r.best).chain(&r.alternatives).find(played).expect("it is listed");
    assert_eq!(found.sans, g);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_texts_give_legal_readings_and_probabilities(texts in prop::collection::vec("[a-hNBRQKxO1-8+#=.?-]{0,6}", 0..14)) {
        let r = solve(&texts);
        let mut total = 0.0;
        for reading in std::iter::once(&r.best).chain(&r.alternatives) {
            total += reading.probability;
            let mut pos = Chess::default();
            for m in &reading.moves {
                prop_assert!(pos.is_legal(*m));
                pos.play_unchecked(*m);
            }
        }
        prop_assert!(total <= 1.0 + 1e-9);
        prop_assert!(r.alternatives.len() <= 9);
    }

    #[test]
    fn a_random_legal_game_needs_no_edit(picks in prop::collection::vec(0usize..1000, 1..60)) {
        let mut pos = Chess::default();
        let mut moves = Vec::new();
        for p in picks {
            let legal = pos.legal_moves();
            let Some(&m) = legal.get(p % legal.len().max(1)) else { break };
            pos.play_unchecked(m);
            moves.push(m);
        }
        let r = solve(&spell(&Chess::default(), &moves));
        prop_assert!(r.best.edits.is_empty());
        prop_assert_eq!(r.best.moves, moves);
    }
}

#[test]
fn a_pair_numbered_zero_is_no_part_of_the_game() {
    let texts = ["Ne3", "c6", "d4", "d5", "c3", "e5"];
    let cell = |(i, t): (usize, &&str)| Cell {
        text: (*t).to_owned(),
        number: (i % 2 == 0).then_some(i as u32 / 2),
        side: (i % 2 == 0).then_some(Color::White),
        span: Span::new(10 * i, 10 * i + t.len()),
    };
    let cells: Vec<Cell> = texts.iter().enumerate().map(cell).collect();
    let problem = Problem { start: Chess::default(), first_number: 1, cells, result: None };
    let r = repair(&problem, &Limits::default());
    assert_eq!(plain(&r), ["d4", "d5", "c3", "e5"]);
    assert_eq!(edits(&r), [(Op::Delete, 1, 1), (Op::Delete, 2, 1)]);
    let sum: f64 = r.alternatives.iter().map(|a| a.probability).sum();
    assert!(r.best.probability + sum <= 1.0 && !r.alternatives.is_empty());
}

#[test]
fn a_capture_written_as_a_push_is_an_edit() {
    let r = solve(&["d4", "d5", "c4", "e6", "Nf3", "Nf6", "e3", "c4", "Bxc4", "c5"].map(str::to_owned));
    assert_eq!(edits(&r), [(Op::Substitute, 8, 8)]);
    assert_eq!(r.best.sans[7], "dxc4");
}

#[test]
fn a_found_game_costs_what_it_costs_when_given() {
    let mut g = game();
    g[14] = "Bd5".into();
    g.remove(30);
    let cells = g
        .iter()
        .map(|t| Cell { text: t.clone(), number: None, side: None, span: Span::new(0, t.len()) })
        .collect();
    let problem = Problem { start: Chess::default(), first_number: 1, cells, result: None };
    let found = repair(&problem, &Limits::default());
    assert_eq!(plain(&found), game());
    let (given, best) =
        compare(&problem, &Limits::default(), &found.best.moves).expect("operators lead to it");
    assert!((given - best).abs() < 1e-3, "{given} {best}");
    assert!(
        compare(&problem, &Limits::default(), &found.best.moves[..20])
            .is_none_or(|(given, _)| given > best + 9.0)
    );
}

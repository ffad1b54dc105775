//! Repairs made by hand, for the tests of what is done with them.

use shakmaty::{Chess, Position, san::San};

use super::{Edit, Op, Reading, Repair, Verdict};
use crate::sheet::Span;

/// A certain repair of a game from the usual start: the moves really played, and the edits (op, written ply, other ply).
pub(crate) fn repair(played: &str, edits: &[(Op, u32, Option<u32>)]) -> Repair {
    let mut position = Chess::default();
    let mut best = Reading { probability: 1.0, moves: vec![], sans: vec![], edits: vec![] };
    for san in played.split_whitespace() {
        let mv = san.parse::<San>().unwrap().to_move(&position).unwrap();
        position.play_unchecked(mv);
        best.moves.push(mv);
        best.sans.push(san.to_owned());
    }
    let edit = |&(op, written_ply, other_ply): &(Op, u32, Option<u32>)| Edit {
        op,
        written_ply,
        ply: written_ply,
        other_ply,
        written: String::new(),
        san: String::new(),
        span: Span::new(0, 0),
        cost: 1.0,
        reason: String::new(),
    };
    best.edits = edits.iter().map(edit).collect();
    Repair { verdict: Verdict::Certain, best, alternatives: vec![], unexplained_from: None }
}

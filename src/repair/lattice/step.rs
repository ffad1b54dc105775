//! How entries are explained by moves: the operators.

use shakmaty::Move;

/// How one arc explains entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One entry, one move: as written or misread.
    Match,
    /// A move without an entry, then one entry.
    Insert,
    /// Two moves without entries, then one entry.
    InsertPair,
    /// An entry that is no move.
    Delete,
    /// Two entries that are no moves.
    DeletePair,
    /// Two neighbouring entries in each other's place.
    Swap,
    /// Two entries of one player in each other's place, one of the other player's between.
    SwapOwn,
    /// One move broken into two entries.
    Join,
}

impl Kind {
    /// How many entries it explains.
    pub fn entries(self) -> usize {
        match self {
            Kind::Match | Kind::Insert | Kind::InsertPair | Kind::Delete => 1,
            Kind::DeletePair | Kind::Swap | Kind::Join => 2,
            Kind::SwapOwn => 3,
        }
    }
}

/// One way of explaining the next entries.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// How.
    pub kind: Kind,
    /// The first entry explained.
    pub entry: u32,
    pub(super) moves: [Option<Move>; 3],
}

impl Step {
    pub(super) fn new(kind: Kind, entry: usize, moves: &[Move]) -> Step {
        let mut m = [None; 3];
        for (slot, &mv) in m.iter_mut().zip(moves) {
            *slot = Some(mv);
        }
        Step { kind, entry: entry as u32, moves: m }
    }

    /// The moves played.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves.iter().flatten().copied()
    }
}

//! The transposition table: what was found out about a position, under its Zobrist key.

use super::{alphabeta::MATE_BOUND, order::Packed};

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// The entry is empty.
    #[default]
    Empty,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
    /// The true score.
    Exact,
}

/// One position's entry.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entry {
    /// The full key, so that a slot shared by two positions is seen.
    pub key: u64,
    /// The best move found, or [`Packed::NONE`].
    pub best: Packed,
    /// Score from the mover's view, mates counted from this position.
    pub score: i16,
    /// Static evaluation from the mover's view.
    pub eval: i16,
    /// Depth in plies that the score rests on.
    pub depth: i8,
    /// What the score is.
    pub bound: Bound,
}

/// A table of fixed size; the newest entry wins unless it is much shallower than what it would push out.
#[derive(Clone, Debug)]
pub struct Table {
    entries: Vec<Entry>,
}

impl Table {
    /// A table of `2^bits` entries of 16 bytes.
    pub fn new(bits: u32) -> Table {
        Table { entries: vec![Entry::default(); 1 << bits] }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(Entry::default());
    }

    /// What is known of `key`.
    pub fn get(&self, key: u64) -> Option<Entry> {
        let entry = self.entries[self.slot(key)];
        (entry.bound != Bound::Empty && entry.key == key).then_some(entry)
    }

    /// Stores `entry`; keeps the old best move of the same position if the new entry has none.
    pub fn put(&mut self, mut entry: Entry) {
        let slot = self.slot(entry.key);
        let old = &mut self.entries[slot];
        if old.bound != Bound::Empty && old.key == entry.key {
            if entry.best == Packed::NONE {
                entry.best = old.best;
            }
            if entry.bound != Bound::Exact && entry.depth + 3 < old.depth {
                return;
            }
        }
        *old = entry;
    }

    fn slot(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }
}

/// A score of the search as the table keeps it: mates count from the position, not from the root `ply` plies before.
pub fn to_table(score: i32, ply: usize) -> i16 {
    let ply = ply as i32;
    let kept = if score >= MATE_BOUND {
        score + ply
    } else if score <= -MATE_BOUND {
        score - ply
    } else {
        score
    };
    kept as i16
}

/// The inverse of [`to_table`].
pub fn from_table(score: i16, ply: usize) -> i32 {
    let (score, ply) = (i32::from(score), ply as i32);
    if score >= MATE_BOUND {
        score - ply
    } else if score <= -MATE_BOUND {
        score + ply
    } else {
        score
    }
}

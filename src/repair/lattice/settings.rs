//! Rates of the operators, and how far the search goes.

use crate::repair::channel::Sheet;

/// Rates of the operators in nats, and how far the search goes.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Weight of the prior: below 1 because what makes one move unlikely (a piece left hanging) makes its neighbours
    /// unlikely too, and counts once only.
    pub prior: f32,
    /// Positions kept in a layer soon after a refusal.
    pub width: usize,
    /// Positions kept in a layer where all is well.
    pub calm: usize,
    /// For how many layers after a refusal the beam stays wide.
    pub alert: usize,
    /// Hypotheses costlier than a layer's best by this many nats are dropped.
    pub window: f32,
    /// How many entries back a cause is sought.
    pub lookback: usize,
    /// Below a layer's best only this far, in nats, is a cause sought.
    pub near: f32,
    /// How many entries back a lost pair is sought.
    pub pairs: usize,
    /// How many causes of one refusal are followed.
    pub causes: usize,
    /// How many searches for a cause in all.
    pub lookbacks: usize,
    /// How many distinct games are returned at most.
    pub games: usize,
    /// A move that is not written.
    pub insert: f32,
    /// A pair of moves that is not written.
    pub insert_pair: f32,
    /// An entry written twice.
    pub doubled: f32,
    /// An entry that is no move of the game.
    pub spurious: f32,
    /// A blank that is no move of the game.
    pub no_blank: f32,
    /// Neighbours exchanged.
    pub swap: f32,
    /// Entries of one player exchanged.
    pub swap_own: f32,
    /// A move broken in two.
    pub join: f32,
    /// To stop explaining.
    pub stop: f32,
    /// For each entry that is left unexplained.
    pub unexplained: f32,
    /// For a game that ends in mate or stalemate with another result than the sheet's.
    pub contradiction: f32,
    /// A move against the rules that nobody noticed: about one sheet in a hundred holds one.
    pub illegal: f32,
    /// Kings put on centre squares behind the last move.
    pub signal: f32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            prior: 0.65,
            width: 80,
            calm: 30,
            alert: 12,
            window: 15.0,
            lookback: 60,
            near: 4.0,
            pairs: 36,
            causes: 80,
            lookbacks: 40,
            games: 12,
            insert: 6.8,
            insert_pair: 7.4,
            doubled: 6.8,
            spurious: 11.0,
            no_blank: 3.5,
            swap: 7.4,
            swap_own: 7.4,
            join: 5.0,
            stop: 10.0,
            unexplained: 6.5,
            contradiction: 5.0,
            illegal: 9.5,
            signal: 9.0,
        }
    }
}

impl Sheet {
    /// The price of an entry that is no move.
    pub(super) fn delete_cost(&self, set: &Settings, entry: usize) -> f32 {
        if self.entries[entry].blank {
            set.no_blank
        } else if entry + 1 < self.entries.len() && self.same(entry, entry + 1) {
            set.doubled
        } else {
            set.spurious
        }
    }
}

//! How a writer writes: habits, counted and as rates.

/// How often a writer departs from canonical notation: probabilities.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// That a check or mate gets no sign.
    pub sign_omitted: f32,
    /// That a capture gets no `x`.
    pub takes_omitted: f32,
    /// That a needed disambiguator is left out.
    pub origin_omitted: f32,
    /// That a pawn capture is written by its files (`exd`).
    pub files_only: f32,
    /// That a pawn capture is written by its square (`d5`).
    pub square_only: f32,
    /// That a capture names the piece taken (`NxB`).
    pub names_taken: f32,
    /// That both squares of a move are named (`Ng1f3`).
    pub long: f32,
    /// That a piece's letter is left out where both squares are named (`g1f3`).
    pub letterless: f32,
    /// That an entry is wrong at all.
    pub wrong: f32,
}

/// Counts of how a writer writes, gathered over entries whose move is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Checks, and those without a sign.
    pub checks: [f32; 2],
    /// Captures, and those without `x`.
    pub captures: [f32; 2],
    /// Needed disambiguators, and those left out.
    pub origins: [f32; 2],
    /// Pawn captures, those by files, those by square.
    pub pawns: [f32; 3],
    /// Captures that name the piece taken.
    pub named: f32,
    /// Moves that are no castling, and those with both squares.
    pub longs: [f32; 2],
    /// Moves of pieces, and those without a letter.
    pub letters: [f32; 2],
    /// Entries, and the wrong ones.
    pub entries: [f32; 2],
}

impl Tally {
    /// The rates, shrunk towards what is usual over many writers.
    pub fn style(&self) -> Style {
        let rate = |k: f32, n: f32, usual: f32, weight: f32| {
            ((k + usual * weight) / (n + weight)).clamp(0.004, 0.99)
        };
        // Each omission is priced as if only those before it were known (a Pólya urn), all at their geometric mean:
        // the first one of a careful writer is a surprise and does not excuse itself.
        let urn = |k: f32, n: f32, usual: f32, weight: f32| {
            let seen = k.round() as usize;
            let logs: f32 = (0..seen.max(1)).map(|i| (i as f32 + usual * weight).ln()).sum();
            ((logs / seen.max(1) as f32).exp() / (n + weight)).clamp(0.004, 0.99)
        };
        Style {
            sign_omitted: urn(self.checks[1], self.checks[0], 0.15, 1.5),
            takes_omitted: urn(self.captures[1], self.captures[0], 0.03, 5.0),
            origin_omitted: urn(self.origins[1], self.origins[0], 0.12, 3.0),
            // One rare abbreviation may be a slip; a habit shows twice.
            files_only: rate((self.pawns[1] - 1.0).max(0.0), self.pawns[0], 0.02, 3.0),
            square_only: rate((self.pawns[2] - 1.0).max(0.0), self.pawns[0], 0.004, 4.0),
            names_taken: rate((self.named - 1.0).max(0.0), self.captures[0], 0.004, 6.0),
            // A sheet is written in long notation or it is not: one such entry is a surprise, three are a habit. The
            // numbers are chosen, not fitted: no set of real sheets in long notation was at hand. `long` is that of
            // other rare habits (a capture without `x`), `letterless` the least that any habit counts; a weight of one
            // entry lets the third such entry outweigh them, and in a sheet of one kind it is soon all that counts.
            long: rate((self.longs[1] - 1.0).max(0.0), self.longs[0], 0.03, 1.0),
            letterless: rate((self.letters[1] - 1.0).max(0.0), self.letters[0], 0.004, 1.0),
            wrong: rate(self.entries[1], self.entries[0], 0.035, 60.0),
        }
    }
}

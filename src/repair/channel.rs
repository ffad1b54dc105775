//! The cost of writing this entry for that move here.
//!
//! An entry is compared with every way of writing the move (full, without the disambiguator, `exd`, `d5`, long form, ...)
//! by a weighted edit distance over single characters. All costs are natural logarithms of inverse probabilities (nats).
//! The costs of single slips were derived from counts over transcribed tournament sheets (Eicher et al. 2021, HCS, as
//! measured for this project): a cost for each class of character and the pairs that stand out of their class.
//! How a writer abbreviates is learned from the sheet itself ([`Style`]).

mod confusion;
mod shape;
mod sheet;
mod spelling;
mod style;

use shakmaty::{CastlingSide, Move, Role};

use super::{
    entry::{Entry, Plain, Sign},
    table::Table,
};
use confusion::Confusion;
pub use shape::{Need, Shape, shapes};
pub use sheet::Sheet;
use spelling::Spelling;
pub use style::{Style, Tally};

/// What a slip costs beside the characters: nats.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// Added to every slip of an otherwise careful writer (error rate 3.5 %).
    pub slip: f32,
    /// Leaving out a character.
    pub lost: f32,
    /// One character too many.
    pub extra: f32,
    /// An entirely different entry.
    pub other: f32,
    /// Castling to the wrong side.
    pub side: f32,
    /// A check sign where there is no check.
    pub false_sign: f32,
    /// An `x` where nothing is taken.
    pub false_takes: f32,
    /// Origin letters that are not needed.
    pub more_origin: f32,
}

impl Default for Costs {
    fn default() -> Costs {
        Costs {
            slip: 0.9,
            lost: 6.2,
            extra: 7.5,
            other: 9.6,
            side: 4.4,
            false_sign: 6.7,
            false_takes: 5.5,
            more_origin: 3.0,
        }
    }
}

/// What an entry costs for a move: abbreviations apart from slips.
#[derive(Clone, Copy, Debug, Default)]
pub struct Price {
    /// Abbreviation, a matter of style.
    pub style: f32,
    /// Slips of the pen or the eye.
    pub slips: f32,
}

impl Price {
    /// The sum.
    pub fn total(self) -> f32 {
        self.style + self.slips
    }
}

/// Prices entries for moves, for one sheet.
pub struct Channel {
    confusion: Confusion,
    costs: Costs,
    style: Style,
    slip: f32,
    cache: Table<Price>,
}

impl Channel {
    /// A channel for a writer of this style.
    pub fn new(style: Style, costs: Costs) -> Channel {
        // Error rates differ from writer to writer by a factor of ten: a slip costs what it costs this one.
        let slip = costs.slip - (style.wrong / 0.035).ln();
        Channel { confusion: Confusion::new(), costs, style, slip, cache: Table::default() }
    }

    /// The cost of an entry that stands for an entirely different move.
    pub fn ceiling(&self) -> f32 {
        self.costs.other + self.slip - self.costs.slip
    }

    /// Price of `entry` (its check sign apart) for a move of this shape.
    pub fn price(&mut self, entry: &Entry, shape: Shape) -> Price {
        if entry.blank {
            return Price::default();
        }
        let key = shape.key(entry.id);
        if let Some(p) = self.cache.get(&key) {
            return *p;
        }
        let p = self.compute(entry, shape);
        self.cache.insert(key, p);
        p
    }

    fn compute(&self, entry: &Entry, shape: Shape) -> Price {
        let Move::Castle { king, rook } = shape.mv else {
            return Spelling::new(self, entry).of(shape);
        };
        let short = king < rook;
        let side = if short { CastlingSide::KingSide } else { CastlingSide::QueenSide };
        match entry.plain {
            Some(Plain::Castle(written)) if written == side => Price::default(),
            Some(Plain::Castle(_)) => {
                Price { style: 0.0, slips: self.costs.side + self.slip - self.costs.slip }
            }
            _ => Spelling::new(self, entry).castling(shape.mv, short),
        }
    }

    /// Price of the entry's check sign for a move that gives check or mate or neither.
    pub fn sign(&self, entry: &Entry, check: bool, mate: bool) -> f32 {
        if entry.blank {
            return 0.0;
        }
        let omitted = self.style.sign_omitted;
        match (entry.sign, check) {
            (Sign::None, false) => 0.0,
            (Sign::None, true) => -omitted.ln(),
            (_, false) => self.costs.false_sign + if entry.sign == Sign::Mate { 1.0 } else { 0.0 },
            (Sign::Check, true) => -(1.0 - omitted).ln() + if mate { 0.7 } else { 0.0 },
            (Sign::Mate, true) => -(1.0 - omitted).ln() + if mate { 0.0 } else { 5.0 },
        }
    }

    /// The least cost of slips that make the one text of the other.
    fn distance(&self, written: &[u8], truth: &[u8]) -> f32 {
        let n = truth.len();
        let mut row = [0f32; 12];
        let lost = |t: u8| match t {
            b'-' => 0.8,
            b'=' => 0.2,
            b'x' => 7.0,
            _ => self.costs.lost,
        };
        let extra = |w: u8| match w {
            b'-' | b'.' | b',' | b'\'' => 2.0,
            _ => self.costs.extra,
        };
        for j in 0..n {
            row[j + 1] = row[j] + lost(truth[j]);
        }
        for &w in written {
            let mut diagonal = row[0];
            row[0] += extra(w);
            for j in 0..n {
                let t = truth[j];
                let change = diagonal + self.confusion.cost(w, t);
                diagonal = row[j + 1];
                row[j + 1] = change.min(row[j] + lost(t)).min(diagonal + extra(w));
            }
        }
        row[n]
    }

    /// Counts how the entry was written, given its move.
    pub fn count(&mut self, entry: &Entry, shape: Shape, check: bool, tally: &mut Tally) {
        if entry.blank {
            return;
        }
        let price = self.price(entry, shape);
        tally.entries[0] += 1.0;
        if price.slips > 0.0 {
            tally.entries[1] += 1.0;
            return;
        }
        let m = shape.mv;
        if check {
            tally.checks[0] += 1.0;
            tally.checks[1] += f32::from(u8::from(entry.sign == Sign::None));
        }
        if shape.need != Need::Nothing {
            tally.origins[0] += 1.0;
            if let Some(Plain::Move { file: None, rank: None, .. }) = entry.plain {
                tally.origins[1] += 1.0;
            }
        }
        if !m.is_castle() {
            let lettered = entry.core.first().is_some_and(u8::is_ascii_uppercase);
            let both = match entry.plain {
                Some(Plain::Squares(..)) => true,
                Some(Plain::Move { file, rank, .. }) => file.is_some() && rank.is_some(),
                _ => false,
            };
            tally.longs[0] += 1.0;
            tally.longs[1] += f32::from(u8::from(both));
            if m.role() != Role::Pawn {
                tally.letters[0] += 1.0;
                tally.letters[1] += f32::from(u8::from(!lettered));
            }
        }
        if m.is_capture() {
            tally.captures[0] += 1.0;
            tally.captures[1] += f32::from(u8::from(!entry.core.contains(&b'x')));
            if m.role() == Role::Pawn {
                tally.pawns[0] += 1.0;
                match entry.plain {
                    Some(Plain::Files(..)) => tally.pawns[1] += 1.0,
                    Some(Plain::Move { file: None, .. }) => tally.pawns[2] += 1.0,
                    _ => {}
                }
            }
            if entry.plain.is_none() {
                tally.named += 1.0;
            }
        }
    }
}

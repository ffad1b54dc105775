//! The cost of writing this entry for that move here.
//!
//! An entry is compared with every way of writing the move (full, without the disambiguator, `exd`, `d5`, long form, ...)
//! by a weighted edit distance over single characters. All costs are natural logarithms of inverse probabilities (nats).
//! The costs of single slips were derived from counts over transcribed tournament sheets (Eicher et al. 2021, HCS, as
//! measured for this project): a cost for each class of character and the pairs that stand out of their class.
//! How a writer abbreviates is learned from the sheet itself ([`Style`]).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use shakmaty::{CastlingSide, Chess, Move, Position, Role};

use super::entry::{Entry, Plain, Sign, plain};

/// A hasher for keys that are well mixed or small integers; the maps are only ever looked up.
#[derive(Clone, Copy, Default)]
pub struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.write_u64(u64::from(b));
        }
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 29;
    }
}

/// A map with [`Mix`].
pub type Table<V> = HashMap<u64, V, BuildHasherDefault<Mix>>;

/// Which letters of origin the rules of notation ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// None.
    Nothing,
    /// The file.
    File,
    /// The rank.
    Rank,
    /// Both.
    Both,
}

/// A move as far as its notation goes.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The move.
    pub mv: Move,
    /// The disambiguator that it needs here.
    pub need: Need,
}

impl Shape {
    fn key(self, id: u32) -> u64 {
        let m = self.mv;
        let from = m.from().map_or(0, |s| s as u64);
        let capture = m.capture().map_or(0, |r| r as u64);
        let promotion = m.promotion().map_or(0, |r| r as u64);
        (u64::from(id) << 24)
            | from
            | ((m.to() as u64) << 6)
            | ((m.role() as u64) << 12)
            | (capture << 15)
            | (promotion << 18)
            | ((self.need as u64) << 21)
            | (u64::from(m.is_castle()) << 23)
    }
}

/// The shapes of the moves of one position, in their order.
pub fn shapes(moves: impl Iterator<Item = Move> + Clone, out: &mut Vec<Shape>) {
    out.clear();
    let mut arrivals = [0u8; 7 * 64];
    let place = |m: Move| m.role() as usize * 64 + m.to() as usize;
    for mv in moves.clone() {
        arrivals[place(mv) - 64] += 1;
    }
    for mv in moves.clone() {
        let role = mv.role();
        let mut need = Need::Nothing;
        if !matches!(role, Role::Pawn | Role::King) && arrivals[place(mv) - 64] > 1 {
            let from = mv.from().unwrap_or(mv.to());
            let (mut rival, mut on_file, mut on_rank) = (false, false, false);
            for other in moves.clone() {
                if other.to() == mv.to() && other.role() == role && other != mv {
                    let o = other.from().unwrap_or(from);
                    rival = true;
                    on_file |= o.file() == from.file();
                    on_rank |= o.rank() == from.rank();
                }
            }
            need = match (rival, on_file, on_rank) {
                (false, ..) => Need::Nothing,
                (_, false, _) => Need::File,
                (_, true, false) => Need::Rank,
                _ => Need::Both,
            };
        }
        out.push(Shape { mv, need });
    }
}

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
            wrong: rate(self.entries[1], self.entries[0], 0.035, 60.0),
        }
    }
}

const SYMBOLS: usize = 96;

/// The strongest confusions: written, true, nats.
const PAIRS: &[(u8, u8, f32)] = &[
    (b'e', b'c', 4.0),
    (b'c', b'e', 4.5),
    (b'5', b'3', 4.4),
    (b'5', b'4', 4.6),
    (b'b', b'h', 4.5),
    (b'R', b'K', 4.6),
    (b'K', b'R', 5.2),
    (b'a', b'g', 4.8),
    (b'f', b'g', 4.8),
    (b'g', b'a', 5.0),
    (b'd', b'e', 4.9),
    (b'a', b'c', 5.0),
    (b'c', b'a', 5.0),
    (b'1', b'8', 5.2),
    (b'R', b'B', 5.0),
    (b'B', b'R', 5.4),
    (b'2', b'7', 5.1),
    (b'7', b'2', 5.2),
    (b'e', b'f', 5.2),
    (b'd', b'a', 5.2),
    (b'a', b'd', 5.2),
    (b'6', b'5', 5.2),
    (b'5', b'6', 5.3),
    (b'1', b'2', 5.4),
    (b'1', b'7', 5.2),
    (b'7', b'1', 5.2),
    (b'h', b'b', 5.2),
    (b'8', b'6', 5.4),
    (b'6', b'8', 5.4),
    (b'8', b'3', 5.0),
    (b'3', b'8', 5.0),
    (b'4', b'9', 6.0),
    (b'3', b'5', 5.2),
    // A capital for a small letter, a digit for a letter and the like: forms that look alike.
    (b'b', b'B', 4.8),
    (b'B', b'b', 4.8),
    (b'8', b'B', 5.0),
    (b'B', b'8', 5.0),
    (b'6', b'b', 5.0),
    (b'b', b'6', 5.0),
    (b'S', b'5', 4.2),
    (b's', b'5', 4.2),
    (b'O', b'Q', 4.2),
    (b'0', b'Q', 4.2),
    (b'Q', b'O', 5.0),
    (b'l', b'1', 4.0),
    (b'I', b'1', 4.0),
    (b'i', b'1', 4.0),
    (b'Z', b'2', 4.0),
    (b'z', b'2', 4.0),
    (b'9', b'g', 4.2),
    (b'q', b'g', 4.6),
    (b'g', b'8', 5.8),
    (b'A', b'4', 4.6),
    (b'H', b'N', 4.4),
    (b'M', b'N', 4.4),
    (b'G', b'6', 4.4),
    (b'T', b'7', 4.4),
    (b'n', b'N', 3.6),
    (b'r', b'R', 3.6),
    (b'q', b'Q', 3.6),
    (b'k', b'K', 3.6),
    (b'h', b'N', 5.5),
    (b'a', b'Q', 5.8),
    (b'Q', b'a', 5.8),
    (b'o', b'a', 4.6),
    (b'D', b'd', 3.6),
    (b'A', b'a', 3.6),
    (b'C', b'c', 3.2),
    (b'E', b'e', 3.6),
    (b'F', b'f', 3.6),
    (b'G', b'g', 3.6),
    (b'H', b'h', 3.6),
    (b'X', b'x', 0.3),
    (b'K', b'x', 6.0),
    (b'0', b'O', 0.1),
    (b'o', b'O', 0.1),
    (b'4', b'x', 7.0),
    (b'f', b'x', 7.0),
    (b'x', b'f', 6.8),
    (b'x', b'4', 7.2),
    (b'd', b'g', 5.4),
    (b':', b'x', 0.3),
    (b'*', b'x', 0.5),
    (b'5', b'f', 5.8),
    (b'f', b'5', 6.2),
    (b'N', b'h', 6.0),
];

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
    swap: Vec<f32>,
    costs: Costs,
    style: Style,
    slip: f32,
    cache: Table<Price>,
}

fn class(b: u8) -> u8 {
    match b {
        b'a'..=b'h' => 0,
        b'1'..=b'8' => 1,
        b'N' | b'B' | b'R' | b'Q' | b'K' => 2,
        b'x' => 3,
        b'O' => 4,
        b'-' | b'=' => 5,
        _ => 6,
    }
}

fn symbol(b: u8) -> usize {
    usize::from(b.clamp(32, 127) - 32)
}

impl Channel {
    /// A channel for a writer of this style.
    pub fn new(style: Style, costs: Costs) -> Channel {
        let mut swap = vec![0f32; SYMBOLS * SYMBOLS];
        for w in 32..128u8 {
            for t in 32..128u8 {
                let cost = match (class(w), class(t)) {
                    _ if w == t => 0.0,
                    (0, 0) => {
                        if w.abs_diff(t) == 1 {
                            5.7
                        } else {
                            6.2
                        }
                    }
                    (1, 1) => {
                        if w.abs_diff(t) == 1 {
                            5.5
                        } else {
                            6.1
                        }
                    }
                    (2, 2) => 6.4,
                    (6, _) => 7.0,
                    (3, 5) | (5, 3) => 3.0,
                    _ => 8.6,
                };
                swap[symbol(w) * SYMBOLS + symbol(t)] = cost;
            }
        }
        for &(w, t, cost) in PAIRS {
            swap[symbol(w) * SYMBOLS + symbol(t)] = cost;
        }
        // Error rates differ from writer to writer by a factor of ten: a slip costs what it costs this one.
        let slip = costs.slip - (style.wrong / 0.035).ln();
        Channel { swap, costs, style, slip, cache: Table::default() }
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
        let m = shape.mv;
        let ceiling = Price { style: 0.0, slips: self.ceiling() };
        let mut best = ceiling;
        let mut consider = |text: &[u8], style: f32| {
            if style < best.total() {
                let slips = self.distance(&entry.core, text);
                let slips = if slips > 0.0 { slips + self.slip } else { 0.0 };
                if style + slips < best.total() {
                    best = Price { style, slips };
                }
            }
        };
        if let Move::Castle { king, rook } = m {
            let short = king < rook;
            let side = if short { CastlingSide::KingSide } else { CastlingSide::QueenSide };
            return match entry.plain {
                Some(Plain::Castle(s)) if s == side => Price::default(),
                Some(Plain::Castle(_)) => {
                    Price { style: 0.0, slips: self.costs.side + self.slip - self.costs.slip }
                }
                _ => {
                    consider(if short { b"O-O" } else { b"O-O-O" }, 0.0);
                    best
                }
            };
        }
        let from = m.from().unwrap_or(m.to());
        let (f, r) = (from.file().char() as u8, from.rank().char() as u8);
        let to = [m.to().file().char() as u8, m.to().rank().char() as u8];
        let miss = |p: f32| -p.max(1e-4).ln();
        let keep = |p: f32| -(1.0 - p).max(1e-2).ln();
        let role = m.role();
        let taken = m.capture();
        let mut text = Text::default();
        let style = &self.style;
        if role == Role::Pawn {
            let tail = |t: &mut Text| {
                if let Some(p) = m.promotion() {
                    t.push(b'=');
                    t.push(p.upper_char() as u8);
                }
            };
            if taken.is_some() {
                text.set(&[f, b'x', to[0], to[1]]);
                tail(&mut text);
                consider(text.get(), 0.0);
                text.set(&[f, to[0], to[1]]);
                tail(&mut text);
                consider(text.get(), miss(style.takes_omitted));
                text.set(&[f, b'x', to[0]]);
                consider(text.get(), miss(style.files_only) + keep(style.takes_omitted));
                text.set(&[f, to[0]]);
                consider(text.get(), miss(style.files_only) + miss(style.takes_omitted.max(0.2)));
                text.set(&to);
                tail(&mut text);
                consider(text.get(), miss(style.square_only));
                text.set(&[b'x', to[0], to[1]]);
                consider(text.get(), miss(style.square_only) + 0.7);
            } else {
                text.set(&to);
                tail(&mut text);
                consider(text.get(), 0.0);
            }
            text.set(&[f, r, if taken.is_some() { b'x' } else { b'-' }, to[0], to[1]]);
            tail(&mut text);
            consider(text.get(), self.costs.more_origin);
            text.set(&[f, r, to[0], to[1]]);
            consider(text.get(), self.costs.more_origin);
        } else {
            let letter = role.upper_char() as u8;
            let origin: [&[u8]; 4] = [&[], &[f], &[r], &[f, r]];
            let wanted = shape.need as usize;
            for (i, o) in origin.iter().enumerate() {
                let cost = if i == wanted {
                    0.0
                } else if i == 0 {
                    miss(style.origin_omitted)
                } else if wanted == 0 || i == 3 {
                    self.costs.more_origin
                } else {
                    self.costs.more_origin + 0.7
                };
                text.set(&[letter]);
                text.extend(o);
                if taken.is_some() {
                    text.push(b'x');
                    text.extend(&to);
                    consider(text.get(), cost);
                    text.set(&[letter]);
                    text.extend(o);
                    text.extend(&to);
                    consider(text.get(), cost + miss(style.takes_omitted));
                } else {
                    text.extend(&to);
                    consider(text.get(), cost);
                    text.set(&[letter]);
                    text.extend(o);
                    text.push(b'x');
                    text.extend(&to);
                    consider(text.get(), cost + self.costs.false_takes);
                }
            }
        }
        if let Some(t) = taken {
            let letter = if role == Role::Pawn { b'P' } else { role.upper_char() as u8 };
            let victim = t.upper_char() as u8;
            text.set(&[letter, b'x', victim]);
            consider(text.get(), miss(style.names_taken));
            text.set(&[letter, b'x', victim, to[0], to[1]]);
            consider(text.get(), miss(style.names_taken));
            if role == Role::Pawn {
                text.set(&[f, b'x', victim]);
                consider(text.get(), miss(style.names_taken));
            }
        }
        best
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
                let change = diagonal + self.swap[symbol(w) * SYMBOLS + symbol(t)];
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

#[derive(Default)]
struct Text {
    bytes: [u8; 10],
    len: usize,
}

impl Text {
    fn set(&mut self, s: &[u8]) {
        self.len = 0;
        self.extend(s);
    }

    fn extend(&mut self, s: &[u8]) {
        for &b in s {
            self.push(b);
        }
    }

    fn push(&mut self, b: u8) {
        self.bytes[self.len] = b;
        self.len += 1;
    }

    fn get(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// A sheet's entries with what they cost.
pub struct Sheet {
    /// The entries in order.
    pub entries: Vec<Entry>,
    /// An entry and its successor written as one, where that reads as a move and they do not.
    pub joined: Vec<Option<Entry>>,
    /// The prices.
    pub channel: Channel,
}

impl Sheet {
    /// A sheet of these texts.
    pub fn new<'a>(texts: impl Iterator<Item = &'a str>, style: Style, costs: Costs) -> Sheet {
        let mut numbers = HashMap::new();
        let mut number = |e: &mut Entry| {
            let next = numbers.len() as u32;
            e.id = *numbers.entry(e.core.clone()).or_insert(next);
        };
        let mut entries: Vec<Entry> = texts.map(Entry::read).collect();
        entries.iter_mut().for_each(&mut number);
        let mut joined: Vec<Option<Entry>> = vec![None; entries.len()];
        for (i, pair) in entries.windows(2).enumerate() {
            let [a, b] = pair else { continue };
            let broken =
                |e: &Entry| !e.blank && e.core.len() <= 4 && (e.plain.is_none() || e.core.len() <= 2);
            if (broken(a) && a.plain.is_none() || broken(b) && b.plain.is_none()) && broken(a) && !b.blank {
                let mut core = a.core.clone();
                core.extend(&b.core);
                let whole = plain(&core);
                if whole.is_some() {
                    let mut e = Entry { core, sign: b.sign, blank: false, plain: whole, id: 0 };
                    number(&mut e);
                    joined[i] = Some(e);
                }
            }
        }
        Sheet { entries, joined, channel: Channel::new(style, costs) }
    }

    /// The same sheet by a writer of another style.
    #[must_use]
    pub fn restyled(self, style: Style, costs: Costs) -> Sheet {
        Sheet { channel: Channel::new(style, costs), ..self }
    }

    /// Whether two entries have the same text, signs apart.
    pub fn same(&self, a: usize, b: usize) -> bool {
        self.entries[a].id == self.entries[b].id && !self.entries[a].blank
    }

    /// Whether the entry, though it reads as no move, can abbreviate this one only (`BxQ`).
    pub fn abbreviates(&mut self, pos: &Chess, entry: usize, m: Move) -> bool {
        let mut list = Vec::new();
        shapes(pos.legal_moves().iter().copied(), &mut list);
        let entry = &self.entries[entry];
        let mut clean = list.iter().filter(|s| self.channel.price(entry, **s).slips == 0.0);
        entry.plain.is_none()
            && !entry.blank
            && clean.next().is_some_and(|s| s.mv == m)
            && clean.next().is_none()
    }
}

//! The ways of writing a move: which of them the entry is nearest to, and what it costs to write so.

use shakmaty::{Move, Role};

use super::{Channel, Need, Price, Shape};
use crate::repair::entry::{Entry, castled_king};

/// Most bytes of a spelling.
const LONGEST: usize = 10;

/// An entry compared with the ways of writing one move.
pub(super) struct Spelling<'a> {
    channel: &'a Channel,
    written: &'a [u8],
    best: Price,
}

/// What a habit of this rate costs where it shows.
fn shown(rate: f32) -> f32 {
    -rate.max(1e-4).ln()
}

/// What a habit of this rate costs where it does not show.
fn kept(rate: f32) -> f32 {
    -(1.0 - rate).max(1e-2).ln()
}

impl<'a> Spelling<'a> {
    pub fn new(channel: &'a Channel, entry: &'a Entry) -> Spelling<'a> {
        let best = Price { style: 0.0, slips: channel.ceiling() };
        Spelling { channel, written: &entry.core, best }
    }

    /// The price of the cheapest way of writing castling.
    pub fn castling(mut self, mv: Move, short: bool) -> Price {
        let square = |s: shakmaty::Square| [s.file().char() as u8, s.rank().char() as u8];
        if let Some(king) = mv.from() {
            let (from, to) = (square(king), square(castled_king(mv)));
            let long = self.long();
            self.consider(&[b"K", &from, &to], long);
            self.consider(&[&from, &to], long + shown(self.channel.style.letterless));
        }
        self.consider(&[if short { b"O-O" } else { b"O-O-O" }], 0.0);
        self.best
    }

    /// The price of the cheapest way of writing a move that is no castling.
    pub fn of(mut self, shape: Shape) -> Price {
        let m = shape.mv;
        let from = m.from().unwrap_or(m.to());
        let origin = [from.file().char() as u8, from.rank().char() as u8];
        let to = [m.to().file().char() as u8, m.to().rank().char() as u8];
        if m.role() == Role::Pawn {
            self.pawn(m, origin, to);
        } else {
            self.piece(m, shape.need, origin, to);
        }
        if let Some(taken) = m.capture() {
            self.naming(m.role(), taken, origin, to);
        }
        self.best
    }

    /// Compares the entry with a spelling, given in parts, that costs so much in style.
    fn consider(&mut self, parts: &[&[u8]], style: f32) {
        if style >= self.best.total() {
            return;
        }
        let (mut text, mut len) = ([0; LONGEST], 0);
        for part in parts {
            text[len..len + part.len()].copy_from_slice(part);
            len += part.len();
        }
        let slips = self.channel.distance(self.written, &text[..len]);
        let slips = if slips > 0.0 { slips + self.channel.slip } else { 0.0 };
        if style + slips < self.best.total() {
            self.best = Price { style, slips };
        }
    }

    /// What it costs to name both squares.
    fn long(&self) -> f32 {
        shown(self.channel.style.long).min(self.channel.costs.more_origin)
    }

    fn pawn(&mut self, m: Move, [f, r]: [u8; 2], to: [u8; 2]) {
        let Channel { style, .. } = self.channel;
        let promotion = m.promotion().map(|p| [b'=', p.upper_char() as u8]);
        let tail: &[u8] = promotion.as_ref().map_or(&[], |p| p);
        if m.is_capture() {
            self.consider(&[&[f, b'x'], &to, tail], 0.0);
            self.consider(&[&[f], &to, tail], shown(style.takes_omitted));
            self.consider(&[&[f, b'x', to[0]]], shown(style.files_only) + kept(style.takes_omitted));
            self.consider(&[&[f, to[0]]], shown(style.files_only) + shown(style.takes_omitted.max(0.2)));
            self.consider(&[&to, tail], shown(style.square_only));
            self.consider(&[b"x", &to], shown(style.square_only) + 0.7);
        } else {
            self.consider(&[&to, tail], 0.0);
        }
        let sign = if m.is_capture() { b'x' } else { b'-' };
        let long = self.long();
        self.consider(&[&[f, r, sign], &to, tail], long);
        self.consider(&[&[f, r], &to, tail], long);
    }

    fn piece(&mut self, m: Move, need: Need, [f, r]: [u8; 2], to: [u8; 2]) {
        let Channel { style, costs, .. } = self.channel;
        let letter = [m.role().upper_char() as u8];
        let wanted = need as usize;
        let origins: [&[u8]; 4] = [&[], &[f], &[r], &[f, r]];
        let long = self.long();
        let bare = long + shown(style.letterless);
        self.consider(&[&[f, r], &to], bare);
        if m.is_capture() {
            self.consider(&[&[f, r, b'x'], &to], bare);
        }
        for (i, origin) in origins.into_iter().enumerate() {
            let cost = if i == 3 && wanted != 3 {
                long
            } else if i == wanted {
                0.0
            } else if i == 0 {
                shown(style.origin_omitted)
            } else if wanted == 0 {
                costs.more_origin
            } else {
                costs.more_origin + 0.7
            };
            let (quiet, takes): ([&[u8]; 3], [&[u8]; 4]) =
                ([&letter, origin, &to], [&letter, origin, b"x", &to]);
            if m.is_capture() {
                self.consider(&takes, cost);
                self.consider(&quiet, cost + shown(style.takes_omitted));
            } else {
                self.consider(&quiet, cost);
                self.consider(&takes, cost + costs.false_takes);
            }
        }
    }

    /// `NxB` and the like: the piece taken is named.
    fn naming(&mut self, role: Role, taken: Role, [f, _]: [u8; 2], to: [u8; 2]) {
        let cost = shown(self.channel.style.names_taken);
        let (letter, victim) = (role.upper_char() as u8, taken.upper_char() as u8);
        self.consider(&[&[letter, b'x', victim]], cost);
        self.consider(&[&[letter, b'x', victim], &to], cost);
        if role == Role::Pawn {
            self.consider(&[&[f, b'x', victim]], cost);
        }
    }
}

//! The entries of one sheet with what they cost.

use std::collections::HashMap;

use shakmaty::{Chess, Move, Position};

use super::{Channel, Costs, Style, shapes};
use crate::repair::entry::{Entry, plain};

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
                    let mut e = Entry {
                        core,
                        sign: b.sign,
                        blank: false,
                        plain: whole,
                        promotes_nothing: false,
                        id: 0,
                    };
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
            && !entry.promotes_nothing
            && clean.next().is_some_and(|s| s.mv == m)
            && clean.next().is_none()
    }
}

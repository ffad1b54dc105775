//! A line of moves being gathered: the main line, or a variation.

use shakmaty::Color;

use crate::sheet::Slot;

/// A line of moves being gathered: the main line, or a variation.
pub(super) struct Line {
    pub slots: Vec<Slot>,
    /// Its place among the variations; `None` for the main line.
    pub variation: Option<usize>,
    /// A number read and no move behind it yet.
    pub pending: Option<(u32, Option<Color>)>,
    /// The item that this number is.
    pub numbered_at: usize,
    /// Moves since the last number.
    pub since: usize,
    /// Number and side of the next move, by what is written.
    pub next: Option<(u32, Color)>,
    /// No parenthesis closes it.
    pub unclosed: bool,
    /// Items in it that are neither moves nor comments.
    pub remarks: usize,
    /// The item that was read last went into this slot.
    pub last_item: Option<usize>,
}

impl Line {
    pub fn new(variation: Option<usize>, unclosed: bool) -> Line {
        Line {
            slots: Vec::new(),
            variation,
            pending: None,
            numbered_at: 0,
            since: 0,
            next: None,
            unclosed,
            remarks: 0,
            last_item: None,
        }
    }

    pub fn push(&mut self, slot: Slot) {
        self.slots.push(slot);
        self.pending = None;
        self.since += 1;
        self.next = match self.next {
            Some((n, Color::White)) => Some((n, Color::Black)),
            Some((n, Color::Black)) => Some((n.saturating_add(1), Color::White)),
            None => None,
        };
    }
}

//! Prices one given game exactly: what the search misses when it returns a dearer one.

use shakmaty::{Chess, Move, Position};

use super::Settings;
use crate::repair::channel::{Shape, Sheet, shapes};
use crate::repair::prior::{Choice, Context, Prior};

/// The least cost, in nats, of explaining the whole sheet by `game` from `start`; `None` where no sequence of operators
/// does. Prices are those of [`search`](super::search).
pub fn price_of(
    sheet: &mut Sheet,
    prior: &Prior,
    start: &Chess,
    set: Settings,
    game: &[Move],
    finale: &dyn Fn(&Chess) -> f32,
) -> Option<f64> {
    let (n, plies) = (sheet.entries.len(), game.len());
    let mut pos = start.clone();
    let mut context = Context::default();
    let mut played: Vec<(Choice, Shape)> = Vec::with_capacity(plies);
    let (mut menu, mut list) = (Vec::new(), Vec::new());
    for &m in game {
        prior.menu(&pos, context, set.prior, &mut menu);
        shapes(menu.iter().map(|c| c.mv), &mut list);
        let i = menu.iter().position(|c| c.mv == m)?;
        played.push((menu[i], list[i]));
        pos.play_unchecked(m);
        context = context.after(m);
    }
    let mut write = |entry: usize, ply: usize| -> f32 {
        let (choice, shape) = played[ply];
        let e = &sheet.entries[entry];
        choice.nats + sheet.channel.price(e, shape).total() + sheet.channel.sign(e, choice.check, choice.mate)
    };
    // Nobody writes many moves more or fewer than were played: entries and plies stay close.
    let band = n.abs_diff(plies) + 12;
    let width = plies + 1;
    let written: Vec<f32> = (0..n * width)
        .map(|k| (k / width, k % width))
        .map(|(e, p)| if p < plies && e.abs_diff(p) <= band { write(e, p) } else { f32::INFINITY })
        .collect();
    let at = |entry: usize, ply: usize| written[entry * width + ply];
    let mut best = vec![f32::INFINITY; (n + 1) * width];
    best[0] = 0.0;
    for entry in 0..n {
        for ply in 0..=plies {
            let cost = best[entry * width + ply];
            if !cost.is_finite() {
                continue;
            }
            let left = plies - ply;
            let mut reach = |entries: usize, moves: usize, more: f32| {
                let slot = &mut best[(entry + entries) * width + ply + moves];
                *slot = slot.min(cost + more);
            };
            reach(1, 0, sheet.delete_cost(&set, entry));
            if left >= 1 {
                reach(1, 1, at(entry, ply));
            }
            if left >= 2 {
                reach(1, 2, set.insert + played[ply].0.nats + at(entry, ply + 1));
            }
            if left >= 3 {
                let unwritten = played[ply].0.nats + played[ply + 1].0.nats;
                reach(1, 3, set.insert_pair + unwritten + at(entry, ply + 2));
            }
            if left >= 2 && entry + 1 < n {
                reach(2, 2, set.swap + at(entry + 1, ply) + at(entry, ply + 1));
            }
            if left >= 3 && entry + 2 < n {
                reach(3, 3, set.swap_own + at(entry + 2, ply) + at(entry + 1, ply + 1) + at(entry, ply + 2));
            }
        }
    }
    let total = best[n * width + plies];
    total.is_finite().then(|| f64::from(total + finale(&pos)))
}

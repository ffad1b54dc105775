//! Finds the game that was really played: chooses, ranks and weighs repairs, or says that it cannot tell.

pub mod channel;
pub mod entry;
mod explain;
pub mod lattice;
mod outside;
mod played;
pub mod prior;
mod source;
mod table;

use std::cmp::Ordering;

use shakmaty::{Chess, Color, Move, Position, san::SanPlus};

use channel::{Costs, Sheet, Tally, shapes};
use entry::denoted;
use lattice::{Ending, Found, Kind, Path, Settings, price_of, search};
use played::AsPlayed;
pub(crate) use played::king_can_be_taken;
use prior::Prior;
pub use source::ScoreSource;

use crate::sheet::Span;

/// One written entry as the decoder sees it: spelling habits and language already taken away.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The entry in ASCII English SAN letters as far as it can be read (`Nf9`, `exd`, `0-0` as `O-O`), with
    /// both squares where both are written (`Ng1f3`, `e2e4`); empty for a blank box.
    pub text: String,
    /// The move number written right before it.
    pub number: Option<u32>,
    /// The column it is written in, where number or dots say so.
    pub side: Option<Color>,
    /// Where it stands in the text.
    pub span: Span,
}

/// What is to be explained.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The position that the game starts from.
    pub start: Chess,
    /// The number of the first move (1, or what a FEN tag says).
    pub first_number: u32,
    /// The written entries, in order.
    pub cells: Vec<Cell>,
    /// The result as read off the sheet (`1-0`, `0-1`, `1/2-1/2`), if it is known.
    pub result: Option<String>,
}

/// What an edit does to the written sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Another move was played than the one written.
    Substitute,
    /// A move was played that is not written.
    Insert,
    /// An entry is no move of the game.
    Delete,
    /// Two entries stand in each other's place.
    Swap,
    /// A move stands as it is written although it is against the rules: it was played.
    Played,
    /// A tag is changed (FEN side to move, result).
    Tag,
}

/// One change of which move is played.
#[derive(Clone, Debug)]
pub struct Edit {
    /// What is done.
    pub op: Op,
    /// Written ply (from 1); for an insertion the slot that it precedes, for a swap the smaller one.
    pub written_ply: u32,
    /// Ply in the repaired game (from 1); for a deletion that of the next kept move, for a tag 0.
    pub ply: u32,
    /// For a swap the other written ply.
    pub other_ply: Option<u32>,
    /// The entry as the decoder saw it; empty for an insertion.
    pub written: String,
    /// Canonical SAN of the move played; empty for a deletion.
    pub san: String,
    /// Where it was written; an empty span for an insertion.
    pub span: Span,
    /// Cost in nats.
    pub cost: f64,
    /// Why, in one sentence.
    pub reason: String,
}

/// How far the search goes and what it counts with.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Rates of the operators and the search's width.
    pub search: Settings,
    /// Costs of slips.
    pub costs: Costs,
    /// A best reading less probable than this is looked for again with a wider search.
    pub content: f64,
    /// Divides differences of cost before they become probabilities: what the model overrates its own certainty by.
    pub temperature: f64,
    /// What the odds of the likeliest reading are multiplied by: its rivals share most of what the model gets wrong, so
    /// that it is right more often than their masses say. Fitted, with the temperature, on games with known faults.
    pub favour: f64,
    /// Share of the probability that is always left to "none of these".
    pub none: f64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            search: Settings::default(),
            costs: Costs::default(),
            content: 0.85,
            temperature: 0.8,
            favour: 1.6,
            none: 0.006,
        }
    }
}

/// How sure the best repair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Probability at least [`Verdict::CERTAIN`].
    Certain,
    /// The best by a margin.
    Likely,
    /// Several repairs cannot be told apart.
    Ambiguous,
    /// From some ply on nothing plausible was found.
    Unexplained,
}

impl Verdict {
    /// The probability from which on a reading is certain.
    pub const CERTAIN: f64 = 0.99;

    /// The verdict on a whole reading of this probability whose closest rival has that of `rival`.
    pub fn of(best: f64, rival: f64) -> Verdict {
        if best >= Self::CERTAIN {
            Verdict::Certain
        } else if best > 2.0 * rival && best >= 0.5 {
            Verdict::Likely
        } else {
            Verdict::Ambiguous
        }
    }
}

/// One game that explains the sheet.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Probability, 0 to 1; those of one sheet sum to at most 1.
    pub probability: f64,
    /// The moves from the start position.
    pub moves: Vec<Move>,
    /// Canonical SAN of `moves`, check signs included.
    pub sans: Vec<String>,
    /// The changes, by ply.
    pub edits: Vec<Edit>,
}

/// The answer for one sheet.
#[derive(Clone, Debug)]
pub struct Repair {
    /// How sure.
    pub verdict: Verdict,
    /// The best reading.
    pub best: Reading,
    /// At most nine others, the likeliest first.
    pub alternatives: Vec<Reading>,
    /// The first written ply (from 1) that `best` does not explain; from there on nothing is kept.
    pub unexplained_from: Option<u32>,
}

/// An entry of the decoder: a cell, or a box that the numbering says is there though nothing is written in it.
struct Slot {
    /// Index of the cell, for a missing box of the one after it.
    cell: usize,
    missing: bool,
}

/// The slots of a problem: where numbers and columns jump over a box, that box is there.
fn slots(cells: &[Cell], first: u32, start: Color) -> Vec<Slot> {
    let place = |c: &Cell| -> Option<i64> {
        let number = i64::from(c.number?);
        let black = matches!(c.side?, Color::Black);
        Some(2 * (number - i64::from(first)) + i64::from(black) - i64::from(start.is_black()))
    };
    let mut out = Vec::with_capacity(cells.len());
    let mut last: Option<(usize, i64)> = None;
    for (i, c) in cells.iter().enumerate() {
        if let Some(p) = place(c) {
            let before = last.map_or(i as i64, |(j, q)| q + (i - j) as i64);
            let jump = p - before;
            if (1..=3).contains(&jump) && (last.is_some() || i == 0) {
                for _ in 0..jump {
                    out.push(Slot { cell: i, missing: true });
                }
            }
            last = Some((i, p));
        }
        out.push(Slot { cell: i, missing: false });
    }
    out
}

/// The moves as written, as far as each entry denotes exactly one legal move.
fn as_written(start: &Chess, sheet: &Sheet) -> Vec<Move> {
    let mut pos = start.clone();
    let mut out = Vec::new();
    let mut moves = Vec::new();
    for e in &sheet.entries {
        let Some(plain) = e.plain else { break };
        denoted(&pos, plain, &mut moves);
        let [m] = moves[..] else { break };
        pos.play_unchecked(m);
        out.push(m);
    }
    out
}

/// How the entries that `moves` explain one by one were written.
fn tally(start: &Chess, sheet: &mut Sheet, pairs: impl Iterator<Item = (Option<usize>, Move)>) -> Tally {
    let mut pos = start.clone();
    let mut tally = Tally::default();
    let mut list = Vec::new();
    for (entry, m) in pairs {
        let mut after = pos.clone();
        after.play_unchecked(m);
        if let Some(e) = entry {
            let legal = pos.legal_moves();
            shapes(legal.iter().copied(), &mut list);
            if let Some(shape) = list.iter().find(|s| s.mv == m) {
                let entry = sheet.entries[e].clone();
                sheet.channel.count(&entry, *shape, after.is_check(), &mut tally);
            }
        }
        pos = after;
    }
    tally
}

/// Whether every check sign is as the moves have it.
fn signs_agree(start: &Chess, sheet: &Sheet, moves: &[Move]) -> bool {
    let mut pos = start.clone();
    let (mut false_signs, mut checks, mut unsigned) = (0, 0, 0);
    for (m, e) in moves.iter().zip(&sheet.entries) {
        pos.play_unchecked(*m);
        let check = pos.is_check();
        let mate = check && pos.is_checkmate();
        checks += usize::from(check);
        unsigned += usize::from(check && e.sign == entry::Sign::None);
        false_signs += usize::from(
            !check && e.sign != entry::Sign::None || e.sign == entry::Sign::Mate && check && !mate,
        );
    }
    false_signs == 0 && (unsigned == 0 || unsigned * 2 >= checks)
}

fn signal(cells: &[Slot], sheet: &Sheet) -> Option<usize> {
    let centre = |e: &entry::Entry| matches!(e.core.as_slice(), b"Ke4" | b"Kd4" | b"Ke5" | b"Kd5");
    let mut from = cells.len();
    while from > 0 && cells.len() - from < 2 && centre(&sheet.entries[from - 1]) {
        from -= 1;
    }
    (from > 0 && from < cells.len()).then_some(from)
}

/// Finds the game that was really played.
pub fn repair(problem: &Problem, limits: &Limits) -> Repair {
    outside::left_out(problem, limits, decode(problem, limits))
}

/// Finds the game that explains every entry best.
fn decode(problem: &Problem, limits: &Limits) -> Repair {
    let slots = slots(&problem.cells, problem.first_number, problem.start.turn());
    let text = |s: &Slot| if s.missing { "" } else { problem.cells[s.cell].text.as_str() };
    let sheet = Sheet::new(slots.iter().map(text), Tally::default().style(), limits.costs);
    let written = as_written(&problem.start, &sheet);
    let whole = written.len() == slots.len();
    if whole && signs_agree(&problem.start, &sheet, &written) {
        let sans = spell(&problem.start, &written);
        let best = Reading { probability: 1.0 - limits.none, moves: written, sans, edits: Vec::new() };
        return Repair { verdict: Verdict::Likely, best, alternatives: Vec::new(), unexplained_from: None };
    }
    let prior = Prior::embedded();
    let signal = signal(&slots, &sheet);
    let finale = |pos: &Chess| contradiction(pos, problem.result.as_deref()) * limits.search.contradiction;
    let mut sheet = learn(problem, limits, sheet, &prior, signal, &finale);
    let mut found = search(&mut sheet, &prior, &problem.start, limits.search, signal, &finale);
    let played = played::as_played(problem, &slots, &mut sheet, &prior, &limits.search, &finale);
    let answer = conclude(problem, limits, &slots, &mut sheet, &found, played.as_ref());
    if answer.best.probability >= limits.content && answer.verdict != Verdict::Unexplained {
        return answer;
    }
    // A doubtful answer may be the fault of the search: once more with a wider view.
    let wide = Settings {
        width: limits.search.width * 2,
        calm: limits.search.calm * 3,
        window: limits.search.window + 4.0,
        near: limits.search.near * 2.0,
        lookbacks: limits.search.lookbacks * 2,
        ..limits.search
    };
    found = search(&mut sheet, &prior, &problem.start, wide, signal, &finale);
    conclude(problem, limits, &slots, &mut sheet, &found, played.as_ref())
}

/// The sheet with the style of its writer: first as far as it plays as written, then as a quick search reads it.
fn learn(
    problem: &Problem,
    limits: &Limits,
    mut sheet: Sheet,
    prior: &Prior,
    signal: Option<usize>,
    finale: &dyn Fn(&Chess) -> f32,
) -> Sheet {
    let written = as_written(&problem.start, &sheet);
    let first = tally(&problem.start, &mut sheet, written.iter().enumerate().map(|(i, m)| (Some(i), *m)));
    let mut sheet = sheet.restyled(first.style(), limits.costs);
    let quick = Settings {
        width: limits.search.width / 3,
        calm: 10,
        window: 10.0,
        games: 1,
        pairs: 0,
        lookbacks: 8,
        ..limits.search
    };
    let found = search(&mut sheet, prior, &problem.start, quick, signal, finale);
    let Some(best) = found.paths.first() else { return sheet };
    let pairs: Vec<(Option<usize>, Move)> = best.steps.iter().flat_map(|(s, _)| aligned(s)).collect();
    let known = tally(&problem.start, &mut sheet, pairs.into_iter());
    sheet.restyled(known.style(), limits.costs)
}

/// What the decoder would pay for a given game and for the best one that it finds, in nats, under the style that it
/// learns from that one: a dearer best one is a fault of the search, a dearer given one a fault of the model. `None`
/// where no operators lead from the sheet to the game.
pub fn compare(problem: &Problem, limits: &Limits, game: &[Move]) -> Option<(f64, f64)> {
    let slots = slots(&problem.cells, problem.first_number, problem.start.turn());
    let text = |s: &Slot| if s.missing { "" } else { problem.cells[s.cell].text.as_str() };
    let sheet = Sheet::new(slots.iter().map(text), Tally::default().style(), limits.costs);
    let prior = Prior::embedded();
    let finale = |pos: &Chess| contradiction(pos, problem.result.as_deref()) * limits.search.contradiction;
    let signal = signal(&slots, &sheet);
    let mut sheet = learn(problem, limits, sheet, &prior, signal, &finale);
    let found = search(&mut sheet, &prior, &problem.start, limits.search, signal, &finale);
    let known = price_of(&mut sheet, &prior, &problem.start, limits.search, game, &finale)?;
    Some((known, found.paths.first()?.cost))
}

/// Entry and move of the moves of a step; no entry for what was not written.
fn aligned(step: &lattice::Step) -> Vec<(Option<usize>, Move)> {
    let first = step.entry as usize;
    step.moves()
        .enumerate()
        .map(|(k, m)| {
            let entry = match step.kind {
                Kind::Insert if k < 1 => None,
                Kind::InsertPair if k < 2 => None,
                Kind::Swap => Some(first + 1 - k),
                Kind::SwapOwn => Some(first + 2 - k),
                Kind::Join => None,
                _ => Some(first),
            };
            (entry, m)
        })
        .collect()
}

/// 1 where the board contradicts the sheet's result, else 0.
fn contradiction(pos: &Chess, result: Option<&str>) -> f32 {
    let wanted = if pos.is_checkmate() {
        if pos.turn().is_white() { "0-1" } else { "1-0" }
    } else if pos.is_stalemate() {
        "1/2-1/2"
    } else {
        return 0.0;
    };
    f32::from(u8::from(result.is_some_and(|r| r != wanted && r != "*")))
}

/// Canonical SAN of a line.
pub fn spell(start: &Chess, moves: &[Move]) -> Vec<String> {
    let mut pos = start.clone();
    moves.iter().map(|&m| SanPlus::from_move_and_play_unchecked(&mut pos, m).to_string()).collect()
}

/// A reading, and where the path that it comes from gave up.
type Drafted = (Reading, Option<usize>);

fn conclude(
    problem: &Problem,
    limits: &Limits,
    slots: &[Slot],
    sheet: &mut Sheet,
    found: &Found,
    played: Option<&AsPlayed>,
) -> Repair {
    // Paths that play the same game are one reading; the likeliest of them tells what was changed.
    let mut games: Vec<(Vec<Move>, &Path, f64)> = Vec::new();
    let cheapest = found.paths.first().map(|p| p.cost);
    let least = cheapest.into_iter().chain(played.map(|p| p.cost)).fold(f64::INFINITY, f64::min);
    let mass = |cost: f64| ((least - cost) / limits.temperature).exp();
    for path in &found.paths {
        let moves: Vec<Move> = path.moves().collect();
        match games.iter_mut().find(|g| g.0 == moves && g.1.explained == path.explained) {
            Some(g) => g.2 += mass(path.cost),
            None => games.push((moves, path, mass(path.cost))),
        }
    }
    games.sort_by(|a, b| b.2.total_cmp(&a.2).then(Ordering::Equal));
    let listed: f64 = games.iter().map(|g| g.2).sum();
    let stands = played.map_or(0.0, |p| mass(p.cost));
    // What the lattice holds beyond the listed paths counts against them.
    let all = if found.paths.is_empty() { 0.0 } else { mass(found.total).max(listed) } + stands;
    let share = |mass: f64| (1.0 - limits.none) * mass / all;
    let mut readings: Vec<Drafted> = games
        .into_iter()
        .take(10)
        .map(|(moves, path, mass)| {
            let edits = explain::edits(problem, slots, sheet, path);
            let sans = spell(&problem.start, &moves);
            let given_up = (path.ending == Ending::Unexplained).then_some(path.explained);
            (Reading { probability: share(mass), moves, sans, edits }, given_up)
        })
        .collect();
    if let Some(AsPlayed { moves, sans, edits, .. }) = played {
        // It is a reading of another kind than its rivals, and stays in the list however many they are.
        readings.truncate(9);
        let reading = Reading {
            probability: share(stands),
            moves: moves.clone(),
            sans: sans.clone(),
            edits: edits.clone(),
        };
        readings.push((reading, None));
        readings.sort_by(|a, b| b.0.probability.total_cmp(&a.0.probability));
    }
    if readings.is_empty() {
        return Repair {
            verdict: Verdict::Unexplained,
            best: Reading { probability: 0.0, moves: Vec::new(), sans: Vec::new(), edits: Vec::new() },
            alternatives: Vec::new(),
            unexplained_from: Some(1),
        };
    }
    let p = readings[0].0.probability;
    let favoured = (limits.favour * p / (limits.favour * p + 1.0 - p)).min(1.0 - limits.none);
    for (i, (reading, _)) in readings.iter_mut().enumerate() {
        reading.probability = if i == 0 {
            favoured
        } else {
            reading.probability * (1.0 - favoured) / (1.0 - p).max(limits.none)
        };
    }
    let (best, given_up) = readings.remove(0);
    let rival = readings.first().map_or(0.0, |r| r.0.probability);
    let verdict =
        if given_up.is_some() { Verdict::Unexplained } else { Verdict::of(best.probability, rival) };
    Repair {
        verdict,
        unexplained_from: given_up
            .map(|entry| slots.get(entry).map_or(problem.cells.len(), |s| s.cell) as u32 + 1),
        best,
        alternatives: readings.into_iter().map(|r| r.0).collect(),
    }
}

#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;

//! The only place that plays written moves; a refusal is data with a reason in chess terms.

mod deviations;
mod explain;
mod infer;
mod numbers;
mod resolve;
mod result;
mod signal;
mod start;
mod unproven;
mod variations;

use shakmaty::{
    Chess, Color, Move, Position,
    san::{San, SanPlus},
};

pub use resolve::{Refused, resolve};
pub use result::{ResultReading, result};
pub use start::{Start, start};
pub use unproven::play_unproven;

use crate::{
    finding::{Finding, Severity, TextEdit},
    repair::{Cell, Problem},
    rules::{self, Rule},
    sheet::{
        Game, Letters, Source, Span, letters,
        notation::{self, Form, Written},
        strict, witness,
    },
};

/// A written move that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Index of its slot.
    pub slot: usize,
    /// The move.
    pub mv: Move,
    /// Canonical SAN with the true check sign.
    pub san: String,
}

/// Why a written move could not be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// Understood, but against the rules in this position.
    Illegal,
    /// More than one legal move answers to it.
    Ambiguous,
    /// Not a move in any spelling known.
    Unreadable,
    /// An empty box.
    Missing,
    /// The game was over already, or the entry is no part of it.
    Extra,
    /// A variant or a notation that is recognised and not supported: nothing is to be repaired.
    Unsupported,
}

/// The first written move that cannot be played.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Index of its slot.
    pub slot: usize,
    /// What kind of failure.
    pub kind: RefusalKind,
    /// The reason in chess terms: "no white knight can reach f3".
    pub reason: String,
}

/// A game played as far as its written moves allow.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The position that the game starts from.
    pub start: Chess,
    /// The number of the first move: 1, or what a FEN tag says.
    pub first_number: u32,
    /// The moves played, in order.
    pub plies: Vec<Played>,
    /// The position after the last of them.
    pub end: Chess,
    /// Where and why the replay stopped before the last slot, if it did.
    pub refusal: Option<Refusal>,
    /// The piece letters that the game is written in.
    pub letters: &'static Letters,
    /// The variant, where the game is of one that is not supported; nothing is then played.
    pub variant: Option<String>,
    /// The change of the FEN tag where its side to move had to be turned for the moves to be played.
    pub side_to_move: Option<TextEdit>,
    /// What playing found, in the order of the text: refusals, spellings, numbers, check signs, result.
    pub findings: Vec<Finding>,
}

/// Plays the written moves of a game from its start position, in the language in which most of them can be played.
pub fn replay(source: &Source, game: &Game) -> Replay {
    let start = start(game);
    let mut findings = start.findings;
    let mut replay = Replay {
        end: start.position.clone(),
        start: start.position,
        first_number: start.first_number,
        plies: Vec::new(),
        refusal: None,
        letters: &letters::ENGLISH,
        variant: start.variant,
        side_to_move: None,
        findings: Vec::new(),
    };
    if let Some(reason) = unsupported(game, replay.variant.as_deref(), start.unplayable) {
        if !game.slots.is_empty() {
            replay.refusal = Some(Refusal { slot: 0, kind: RefusalKind::Unsupported, reason });
        }
        replay.findings = findings;
        descriptive(game, &mut replay);
        return replay;
    }
    let mut chosen = infer::letters(game, &replay.start);
    if chosen.line.refusal.as_ref().is_some_and(|r| r.slot < 2)
        && let Some(turned) = start::turn(game, &replay.start)
    {
        let other = infer::letters(game, &turned.0);
        if other.line.refusal.is_none() || other.line.plies.len() > chosen.line.plies.len() + 1 {
            let message = "the FEN gives the move to the wrong side: with the other side to move the moves can be played";
            findings.push(Finding {
                fix: vec![turned.1.clone()],
                ..Finding::new(&rules::WRONG_SIDE_TO_MOVE, turned.1.span, message)
            });
            replay.start = turned.0;
            replay.side_to_move = Some(turned.1);
            chosen = other;
        }
    }
    replay.letters = chosen.letters;
    replay.plies = chosen.line.plies;
    replay.end = chosen.line.end;
    replay.refusal = chosen.line.refusal;
    let forms: Vec<Form> =
        game.slots.iter().map(|s| parse_slot(s.blank, &s.written, replay.letters)).collect();
    deviations::check(source, game, &replay, &forms, &mut findings);
    numbers::check(game, &replay, &mut findings);
    variations::check(source, game, &replay, &mut findings);
    findings.extend(refused(game, &replay));
    result::check(game, &replay, &mut findings);
    signal::check(source, game, &replay, &mut findings);
    let lost = witnessed(source, game, &replay);
    findings.extend(lost.or_else(|| stumbled(source, game, &replay, &findings)));
    settle(game, &mut findings);
    findings.sort_by_key(|f| (f.span.start, f.rule.code));
    replay.findings = findings;
    replay
}

/// What the decoder of repairs has to explain.
pub fn problem(game: &Game, replay: &Replay) -> Problem {
    let cells = game
        .slots
        .iter()
        .enumerate()
        .map(|(i, slot)| {
            let form = parse_slot(slot.blank, &slot.written, replay.letters);
            let castles = replay.plies.get(i).is_some_and(|played| played.mv.is_castle());
            let text = match (&form, replay.plies.get(i)) {
                (Form::Blank, _) => String::new(),
                // The square of departure is a second witness of the move: it goes to the decoder as it is written.
                _ if let Some(both) = notation::both_squares(&form).filter(|_| !castles) => both,
                // What was played and is not written in SAN is given in SAN; the writer's check sign is evidence and stays.
                (Form::Move(Written { sign, .. }) | Form::Takes { sign, .. }, Some(played))
                    if !is_san_shaped(&form) =>
                {
                    let bare = played.san.trim_end_matches(['+', '#']);
                    let sign = match sign {
                        notation::Sign::None => "",
                        notation::Sign::Mate => "#",
                        _ => "+",
                    };
                    format!("{bare}{sign}")
                }
                _ => notation::reading(&slot.written, replay.letters),
            };
            Cell { text, number: slot.number, side: slot.side, span: slot.span }
        })
        .collect();
    let result = result(game, replay).read;
    let result = matches!(result.as_str(), "1-0" | "0-1" | "1/2-1/2").then_some(result);
    Problem { start: replay.start.clone(), first_number: replay.first_number, cells, result }
}

/// Whether the entry has the parts of SAN, whatever their spelling.
fn is_san_shaped(form: &Form) -> bool {
    match form {
        Form::Move(m) => m.role.is_some() && m.or_piece.is_none() && m.to_rank.is_some(),
        Form::Takes { .. } => false,
        _ => true,
    }
}

/// Moves played until one is refused.
#[derive(Clone, Debug)]
struct Line {
    plies: Vec<Played>,
    end: Chess,
    refusal: Option<Refusal>,
}

fn parse_slot(blank: bool, written: &str, letters: &Letters) -> Form {
    if blank { Form::Blank } else { notation::parse(written, letters) }
}

fn play(game: &Game, start: &Chess, letters: &Letters) -> Line {
    let mut line = Line { plies: Vec::with_capacity(game.slots.len()), end: start.clone(), refusal: None };
    for (i, slot) in game.slots.iter().enumerate() {
        let form = parse_slot(slot.blank, &slot.written, letters);
        match resolve(&line.end, &form, &slot.written) {
            Ok(mv) => {
                let san = SanPlus::from_move_and_play_unchecked(&mut line.end, mv).to_string();
                line.plies.push(Played { slot: i, mv, san });
            }
            Err(refused) => {
                let reason = match refused.kind {
                    RefusalKind::Extra if i > 0 => {
                        format!("{}: {} at ply {i}", refused.reason, line.plies[i - 1].san)
                    }
                    _ => refused.reason,
                };
                line.refusal = Some(Refusal { slot: i, kind: refused.kind, reason });
                break;
            }
        }
    }
    line
}

/// Why nothing of this game is to be played or repaired, if so.
fn unsupported(game: &Game, variant: Option<&str>, unplayable: Option<String>) -> Option<String> {
    if let Some(variant) = variant {
        return Some(format!("{variant} is not standard chess: its moves are left alone"));
    }
    if unplayable.is_some() {
        return unplayable;
    }
    let described = game
        .slots
        .iter()
        .filter(|s| notation::parse(&s.written, &letters::ENGLISH) == Form::Descriptive)
        .count();
    // Some write algebraic and take in the old way: that alone does not make the game descriptive.
    (described > 0 && described * 3 >= game.slots.len())
        .then(|| "descriptive notation is not supported".to_string())
}

fn descriptive(game: &Game, replay: &mut Replay) {
    let first =
        game.slots.iter().position(|s| notation::parse(&s.written, &letters::ENGLISH) == Form::Descriptive);
    if replay.variant.is_none()
        && let Some(slot) = first
    {
        let message = "descriptive notation is not supported: the moves are left alone";
        replay.findings.push(of_slot(game, replay, slot, &rules::DESCRIPTIVE_NOTATION, message.to_string()));
    }
}

/// Where pgn-reader drops a move that was played here, or reads another one.
fn witnessed(source: &Source, game: &Game, replay: &Replay) -> Option<Finding> {
    let (moves, games) = witness::reads(source, game);
    let mut pos = replay.start.clone();
    for (i, played) in replay.plies.iter().enumerate() {
        let same = moves
            .get(i)
            .and_then(|m| San::from_ascii(m.as_bytes()).ok())
            .is_some_and(|s| s.to_move(&pos) == Ok(played.mv));
        if !same {
            let seen = match (moves.get(i), games) {
                (Some(other), _) => format!("reads {other}"),
                (None, 0 | 1) => "reads no move".to_string(),
                (None, _) => "has ended the game".to_string(),
            };
            let message = format!("pgn-reader {seen} where {} was played", played.san);
            return Some(of_slot(game, replay, played.slot, &rules::READER_LOSES_MOVE, message));
        }
        pos.play_unchecked(played.mv);
    }
    None
}

/// Where python-chess or pgn-extract stumbles over something that no other finding changes.
fn stumbled(source: &Source, game: &Game, replay: &Replay, findings: &[Finding]) -> Option<Finding> {
    if game.findings.iter().chain(findings).any(|f| !f.fix.is_empty()) {
        return None;
    }
    let moves: Vec<Move> = replay.plies.iter().map(|played| played.mv).collect();
    let strict::Stumble { span, why } =
        strict::stumble(source, game, &replay.start, &moves, replay.refusal.is_some())?;
    let message = format!("python-chess or pgn-extract would {why}");
    let slot = game.slots.iter().position(|s| s.span.start < span.end && span.start < s.span.end);
    Some(match slot {
        Some(slot) if slot < replay.plies.len() => {
            let san = replay.plies[slot].san.as_bytes();
            of_slot(game, replay, slot, &rules::READER_LOSES_MOVE, message)
                .cured_by(TextEdit::replace(game.slots[slot].span, san))
        }
        _ => Finding {
            fix: strict::cure(source, game, &replay.start, &moves),
            ..Finding::new(&rules::READER_LOSES_MOVE, span, message)
        },
    })
}

/// Leaves of two changes of the same text the one found first: in the text alone before in the play.
fn settle(game: &Game, findings: &mut [Finding]) {
    let mut taken: Vec<Span> = game.findings.iter().flat_map(|f| f.fix.iter().map(|e| e.span)).collect();
    taken.sort_unstable();
    for finding in findings {
        finding.fix.retain(|e| {
            let at = taken.partition_point(|t| t.start < e.span.end);
            // Spans that only touch do not disturb each other.
            !taken[at.saturating_sub(2)..at].iter().any(|t| t.start < e.span.end && e.span.start < t.end)
        });
    }
}

fn refused(game: &Game, replay: &Replay) -> Option<Finding> {
    replay.refusal.as_ref().map(|refusal| refusal_finding(game, replay, refusal))
}

/// A refusal as a finding about its slot.
pub fn refusal_finding(game: &Game, replay: &Replay, refusal: &Refusal) -> Finding {
    let rule: &'static Rule = match refusal.kind {
        RefusalKind::Illegal => &rules::ILLEGAL_MOVE,
        RefusalKind::Ambiguous => &rules::AMBIGUOUS_MOVE,
        RefusalKind::Unreadable => &rules::UNREADABLE_MOVE,
        RefusalKind::Missing => &rules::MISSING_MOVE,
        RefusalKind::Extra => &rules::EXTRA_MOVE,
        RefusalKind::Unsupported => {
            match notation::parse(&game.slots[refusal.slot].written, replay.letters) {
                Form::Descriptive => &rules::DESCRIPTIVE_NOTATION,
                _ => &rules::DROP_MOVE,
            }
        }
    };
    let finding = of_slot(game, replay, refusal.slot, rule, refusal.reason.clone());
    Finding { severity: Severity::Error, ..finding }
}

/// A finding about a slot of the main line.
fn of_slot(game: &Game, replay: &Replay, slot: usize, rule: &'static Rule, message: String) -> Finding {
    let written = &game.slots[slot];
    let (number, side) = count(replay, slot);
    Finding {
        ply: u32::try_from(slot + 1).ok(),
        side: Some(written.side.unwrap_or(side)),
        san: Some(written.written.clone()),
        move_number: Some(number),
        ..Finding::new(rule, written.span, message)
    }
}

/// Move number and side of a slot by count.
fn count(replay: &Replay, slot: usize) -> (u32, Color) {
    let black_first = usize::from(replay.start.turn() == Color::Black);
    let half = slot + black_first;
    let number = replay.first_number.saturating_add(u32::try_from(half / 2).unwrap_or(u32::MAX));
    (number, if half.is_multiple_of(2) { Color::White } else { Color::Black })
}

#[cfg(test)]
mod tests;

//! The result: what tag, terminator and board say, and what a careful person reads off the sheet.

use shakmaty::{Color, Position};

use super::Replay;
use crate::{
    finding::{Finding, TextEdit},
    rules,
    sheet::{Game, outcome},
};

/// The result from each place where it can stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultReading {
    /// The Result tag as written.
    pub tag: Option<String>,
    /// The terminator as written.
    pub terminator: Option<String>,
    /// What the rules say of the last position, all moves having been played.
    pub board: Option<&'static str>,
    /// What a careful person reads: the board, else the tag, else the terminator; `*` if none of them says.
    pub read: String,
}

/// Reads the result.
pub fn result(game: &Game, replay: &Replay) -> ResultReading {
    let tag = tag_of(game);
    let terminator = game.terminator.as_ref();
    let board = board(game, replay);
    let says = |v: Option<&'static str>| v.filter(|v| *v != "*");
    let read = board
        .or_else(|| says(tag.and_then(|t| outcome::parse(&t.value))))
        .or_else(|| says(terminator.and_then(|t| outcome::parse(&t.value))))
        .unwrap_or("*");
    ResultReading {
        tag: tag.map(|t| t.value.clone()),
        terminator: terminator.map(|t| t.written.clone()),
        board,
        read: read.to_string(),
    }
}

/// The Result tag; of several the one that the terminator supports, else the first.
fn tag_of(game: &Game) -> Option<&crate::sheet::Tag> {
    let mut tags = game.tags.iter().filter(|t| t.name == "Result");
    let first = tags.clone().next()?;
    let value = game.terminator.as_ref().map(|t| t.value.as_str());
    tags.find(|t| outcome::parse(&t.value).is_some() && outcome::parse(&t.value) == value).or(Some(first))
}

fn board(game: &Game, replay: &Replay) -> Option<&'static str> {
    if replay.plies.len() < game.slots.len() || replay.variant.is_some() || game.slots.is_empty() {
        return None;
    }
    let end = &replay.end;
    if end.is_checkmate() {
        return Some(if end.turn() == Color::White { "0-1" } else { "1-0" });
    }
    (end.is_stalemate() || end.is_insufficient_material()).then_some("1/2-1/2")
}

/// Findings where tag, terminator and board contradict each other.
pub(super) fn check(game: &Game, replay: &Replay, findings: &mut Vec<Finding>) {
    let reading = result(game, replay);
    let tag = tag_of(game);
    let tag_value = tag.and_then(|t| outcome::parse(&t.value));
    let end = game.terminator.as_ref();
    let end_value = end.and_then(|t| outcome::parse(&t.value));
    if let (Some(tag), Some(settled)) = (tag, settled(reading.board, tag_value, end_value)) {
        let others = game.tags.iter().filter(|t| t.name == "Result" && t.span != tag.span);
        for other in others.filter(|t| outcome::parse(&t.value).is_some_and(|v| v != settled)) {
            let message = format!("a second Result tag says {}, where {settled} stands", other.value);
            let edit = TextEdit { span: other.value_span, text: settled.as_bytes().to_vec() };
            let finding = Finding::new(&rules::RESULT_MISMATCH, other.span, message);
            findings.push(finding.cured_by(edit));
        }
    }
    if let Some(board) = reading.board {
        let over = if replay.end.is_checkmate() {
            "checkmate"
        } else if replay.end.is_stalemate() {
            "stalemate"
        } else {
            "a dead position"
        };
        let mut fix = Vec::new();
        let mut place = None;
        if let Some(tag) = tag.filter(|_| tag_value.is_some_and(|v| v != board)) {
            fix.push(TextEdit { span: tag.value_span, text: board.as_bytes().to_vec() });
            place = Some(tag.span);
        }
        if let Some(end) = end.filter(|_| end_value.is_some_and(|v| v != board)) {
            fix.push(TextEdit { span: end.span, text: board.as_bytes().to_vec() });
            place.get_or_insert(end.span);
        }
        if let Some(span) = place {
            let said = match (tag_value, end_value) {
                (Some(a), Some(b)) if a != b => {
                    format!("the Result tag says {a} and the end of the movetext {b}")
                }
                (a, b) => format!("the sheet says {}", a.or(b).unwrap_or("*")),
            };
            let message = format!("the board shows {over}, {board}, but {said}");
            findings.push(Finding { fix, ..Finding::new(&rules::RESULT_AGAINST_BOARD, span, message) });
            return;
        }
    }
    if let (Some(tag), Some(end), Some(a), Some(b)) = (tag, end, tag_value, end_value)
        && a != b
    {
        // The tag is an arbiter's word; an unfinished one gives way.
        let edit = if a == "*" {
            TextEdit { span: tag.value_span, text: b.as_bytes().to_vec() }
        } else {
            TextEdit { span: end.span, text: a.as_bytes().to_vec() }
        };
        let fix = if a == "0-0" || b == "0-0" { Vec::new() } else { vec![edit] };
        let message = format!("the Result tag says {a}, the end of the movetext {b}");
        findings.push(Finding { fix, ..Finding::new(&rules::RESULT_MISMATCH, end.span, message) });
    }
}

/// The result that tag and terminator have once the contradictions between them are settled; none for a double forfeit,
/// which the standard cannot write.
fn settled(
    board: Option<&'static str>,
    tag: Option<&'static str>,
    end: Option<&'static str>,
) -> Option<&'static str> {
    board.or(tag.filter(|v| *v != "*")).or(end).or(tag).filter(|v| *v != "0-0")
}

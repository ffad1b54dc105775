//! Spellings that are understood here and not by every mainstream reader, and check signs against the board.

use shakmaty::{
    Chess, Move, Position, Role,
    san::{San, SanPlus, Suffix},
};

use super::{Replay, of_slot};
use crate::{
    finding::{Finding, TextEdit},
    rules::{self, Rule},
    sheet::{
        Game, Letters, Slot, Source,
        letters::{ENGLISH, figurine},
        notation::{Form, Sign, Written},
    },
};

/// Findings on the spelling of every move played.
pub(super) fn check(
    source: &Source,
    game: &Game,
    replay: &Replay,
    forms: &[Form],
    findings: &mut Vec<Finding>,
) {
    let mut pos = replay.start.clone();
    for played in &replay.plies {
        let (slot, form) = (&game.slots[played.slot], &forms[played.slot]);
        if let Some((rule, message, fix)) =
            spelling(source, slot, form, &pos, played.mv, &played.san, replay.letters)
        {
            let finding = of_slot(game, replay, played.slot, rule, message);
            findings.push(Finding { fix, ..finding });
        }
        pos.play_unchecked(played.mv);
        if let Some((rule, message)) = sign(form, &pos) {
            findings.push(of_slot(game, replay, played.slot, rule, message));
        }
    }
}

/// The rule that the spelling of a move breaks, with the change that makes every reader see the move.
pub(super) fn spelling(
    source: &Source,
    slot: &Slot,
    form: &Form,
    pos: &Chess,
    mv: Move,
    san: &str,
    letters: &Letters,
) -> Option<(&'static Rule, String, Vec<TextEdit>)> {
    let written = slot.written.as_str();
    let raw = source.bytes(slot.span);
    let plain = raw == written.as_bytes();
    // A torn move is mended by the rule on torn moves alone, if that is all that is wrong with it.
    let torn = !plain && raw.iter().any(u8::is_ascii_whitespace) && !written.contains(' ');
    if torn && is_read_everywhere(written, pos, mv) {
        return None;
    }
    if plain && is_read_everywhere(written, pos, mv) {
        return noted(written, form, san);
    }
    let fix = vec![TextEdit { span: slot.span, text: san.as_bytes().to_vec() }];
    let rule = rule(written, form, mv, letters);
    let message = match rule.code {
        "PA209" => format!("{written} is written as a capture and takes nothing"),
        "PA305" => format!("{written} is {san} with the letters of {}", letters.languages),
        _ => format!("{written} is read as {san}"),
    };
    Some((rule, message, fix))
}

/// What is worth a note though every reader reads it.
fn noted(written: &str, form: &Form, san: &str) -> Option<(&'static Rule, String, Vec<TextEdit>)> {
    let bare = |s: &str| s.trim_end_matches(['+', '#']).to_string();
    if bare(written) == bare(san) {
        return None;
    }
    let rule = match form {
        Form::Castle(..) => &rules::CASTLING_SPELLING,
        Form::Move(m)
            if m.file.is_some() && m.rank.is_some() && bare(san).len() + 2 <= bare(written).len() =>
        {
            &rules::LONG_ALGEBRAIC
        }
        _ => &rules::OVER_DISAMBIGUATION,
    };
    Some((rule, format!("{written} would do as {san}"), Vec::new()))
}

/// Whether python-chess, pgn-extract and pgn-reader all take the written text for this move.
fn is_read_everywhere(written: &str, pos: &Chess, mv: Move) -> bool {
    let core = written.strip_suffix(['+', '#']).unwrap_or(written);
    if core.ends_with(['+', '#']) {
        return false;
    }
    if matches!(core, "0-0" | "0-0-0" | "O-O" | "O-O-O") {
        return true;
    }
    // pgn-reader knows a `P` and takes `xd4`; python-chess and pgn-extract want a pawn's file where it takes.
    !core.starts_with(['P', 'x']) && San::from_ascii(core.as_bytes()).is_ok_and(|s| s.to_move(pos) == Ok(mv))
}

fn rule(written: &str, form: &Form, mv: Move, letters: &Letters) -> &'static Rule {
    if written.chars().any(|c| figurine(c).is_some()) {
        return &rules::FIGURINE;
    }
    let m = match form {
        Form::Move(m) => m,
        Form::Takes { .. } => return &rules::CAPTURE_SPELLING,
        _ => return &rules::CASTLING_SPELLING,
    };
    let first: Vec<char> = written.chars().take(2).collect();
    let lettered =
        !matches!(m.role, None | Some(Role::Pawn)) || mv.role() != Role::Pawn && m.or_piece.is_some();
    if *letters != ENGLISH && lettered && ENGLISH.piece(&first).map(|p| p.0) != Some(mv.role()) {
        return &rules::FOREIGN_LETTERS;
    }
    if lettered && first[0].is_lowercase() {
        return &rules::LOWER_CASE_PIECE;
    }
    let lower = written.to_lowercase();
    if m.capture && !mv.is_capture() && mv.role() != Role::Pawn {
        return &rules::FALSE_CAPTURE_SIGN;
    }
    if is_long(m) || written.contains('-') {
        return &rules::LONG_ALGEBRAIC;
    }
    if mv.is_promotion() && !written.contains(&promoted(mv)) {
        return &rules::PROMOTION_SPELLING;
    }
    if lower.contains("ep") || lower.contains("e.p") || lower.contains("a.p") {
        return &rules::EN_PASSANT_SUFFIX;
    }
    if mv.is_capture() && !written.contains('x') {
        return &rules::CAPTURE_SPELLING;
    }
    if m.to_rank.is_none() {
        return &rules::CAPTURE_SPELLING;
    }
    if m.sign != Sign::None {
        return &rules::CHECK_WORD;
    }
    &rules::LONG_ALGEBRAIC
}

fn is_long(m: &Written) -> bool {
    m.role.is_none() || (m.file.is_some() && m.rank.is_some())
}

fn promoted(mv: Move) -> String {
    mv.promotion().map_or(String::new(), |r| format!("={}", r.upper_char()))
}

/// The rule that the check sign breaks, `pos` being the position after the move.
fn sign(form: &Form, pos: &Chess) -> Option<(&'static Rule, String)> {
    let written = match form {
        Form::Castle(_, sign) => *sign,
        Form::Move(m) => m.sign,
        Form::Takes { sign, .. } => *sign,
        _ => return None,
    };
    let found = match (written, Suffix::from_position(pos)) {
        (Sign::None, Some(Suffix::Check)) => {
            (&rules::MISSING_CHECK_SIGN, "the move gives check, which is not marked")
        }
        (Sign::None, Some(Suffix::Checkmate)) => {
            (&rules::MISSING_CHECK_SIGN, "the move is mate, which is not marked")
        }
        (Sign::Check, Some(Suffix::Checkmate)) => {
            (&rules::MISSING_CHECK_SIGN, "the move is mate, marked as check")
        }
        (Sign::Check | Sign::Double, None) => (&rules::FALSE_CHECK_SIGN, "marked as check, which it is not"),
        (Sign::Mate, None) => (&rules::FALSE_CHECK_SIGN, "marked as mate, and it is not even check"),
        (Sign::Mate, Some(Suffix::Check)) => {
            (&rules::FALSE_CHECK_SIGN, "marked as mate, but it is only check")
        }
        _ => return None,
    };
    Some((found.0, found.1.to_string()))
}

/// Canonical SAN of a move, `pos` being the position before it.
pub(super) fn canonical(pos: &Chess, mv: Move) -> String {
    SanPlus::from_move(pos.clone(), mv).to_string()
}

//! The position that a game starts from.

use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position, PositionError, Setup,
    fen::{Epd, Fen},
};

use crate::{
    finding::{Finding, TextEdit},
    rules,
    sheet::{Game, Span, Tag},
};

/// A start position with what is wrong with the tags that give it.
#[derive(Clone, Debug)]
pub struct Start {
    /// The position; the usual one where the tags give none that is possible.
    pub position: Chess,
    /// The number of the first move.
    pub first_number: u32,
    /// The variant, where it is one that is not supported.
    pub variant: Option<String>,
    /// Why nothing can be played, where the FEN describes no possible position.
    pub unplayable: Option<String>,
    /// What is wrong with the tags.
    pub findings: Vec<Finding>,
}

/// Reads the start position from the FEN and Variant tags; a FEN counts with or without SetUp.
pub fn start(game: &Game) -> Start {
    let mut out = Start {
        position: Chess::default(),
        first_number: 1,
        variant: None,
        unplayable: None,
        findings: Vec::new(),
    };
    let chess960 = variant(game, &mut out);
    let Some(tag) = fen_tag(game) else { return out };
    if tag.value.trim().is_empty() || matches!(tag.value.trim(), "?" | "-" | "startpos") {
        return out;
    }
    let setup_tag = game.tag("SetUp").or_else(|| game.tag("Setup"));
    if setup_tag.is_none() {
        out.findings.push(Finding::new(
            &rules::MISSING_SETUP_TAG,
            tag.span,
            "a FEN tag without [SetUp \"1\"]",
        ));
    }
    let fen: Fen = match tag.value.trim().parse() {
        Ok(fen) => fen,
        Err(_) => match salvage(&tag.value) {
            Some(fen) => fen,
            None => return broken(out, tag, "it cannot be read"),
        },
    };
    let setup = fen.into_setup();
    out.first_number = u32::from(setup.fullmoves);
    let mode = if chess960 || shredder(&tag.value) { CastlingMode::Chess960 } else { CastlingMode::Standard };
    match position(setup.clone(), mode) {
        Ok((position, rights_kept)) => {
            if !rights_kept {
                out.findings.push(castling_finding(tag, &position));
            } else if let Some(finding) = incomplete(tag, &position, mode) {
                out.findings.push(finding);
            }
            out.position = position;
            out
        }
        Err(reason) => broken(out, tag, &reason),
    }
}

fn fen_tag(game: &Game) -> Option<&Tag> {
    game.tags.iter().find(|t| t.name.eq_ignore_ascii_case("FEN"))
}

fn broken(mut out: Start, tag: &Tag, reason: &str) -> Start {
    let message = format!("the FEN describes no possible position: {reason}");
    out.findings.push(Finding::new(&rules::BROKEN_FEN, tag.value_span, message.clone()));
    out.unplayable = Some(message);
    out
}

/// The position of a set-up, impossible castling rights and en passant squares dropped; whether all rights were kept.
fn position(setup: Setup, mode: CastlingMode) -> Result<(Chess, bool), String> {
    let accept = |r: Result<Chess, PositionError<Chess>>| {
        r.or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
    };
    let mut kept = true;
    let result = accept(Chess::from_setup(setup, mode)).or_else(|e| {
        kept = false;
        accept(e.ignore_invalid_castling_rights())
    });
    result.map(|p| (p, kept)).map_err(|e| e.to_string())
}

/// Notes a variant; returns whether it is Chess960.
fn variant(game: &Game, out: &mut Start) -> bool {
    let Some(tag) = game.tags.iter().find(|t| t.name.eq_ignore_ascii_case("Variant")) else { return false };
    let plain: String = tag.value.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    match plain.as_str() {
        "" | "standard" | "chess" | "normal" | "fromposition" | "classic" | "classical" | "orthodox"
        | "wild0" | "wild1" => false,
        "chess960" | "fischerandom" | "fischerrandom" | "fischerrandomchess" | "frc" | "freestyle"
        | "freestylechess" | "960" => true,
        _ => {
            let message = format!("a game of {}, which is not standard chess: it is left alone", tag.value);
            out.findings.push(Finding::new(&rules::VARIANT, tag.span, message));
            out.variant = Some(tag.value.clone());
            false
        }
    }
}

/// Whether the castling field names rook files, as Chess960 does.
fn shredder(fen: &str) -> bool {
    fen.split_whitespace()
        .nth(2)
        .is_some_and(|f| f.chars().any(|c| matches!(c.to_ascii_lowercase(), 'a'..='h')))
}

/// A FEN with a field too few or a wrong counter: the board and side to move are what counts.
fn salvage(value: &str) -> Option<Fen> {
    let fields: Vec<&str> = value.split_whitespace().collect();
    let board = fields.first()?;
    let turn = match fields.get(1).map(|f| f.to_ascii_lowercase()) {
        Some(f) if f.starts_with('b') => "b",
        _ => "w",
    };
    let castling: String =
        fields.get(2).unwrap_or(&"-").chars().filter(|c| matches!(c, 'K' | 'Q' | 'k' | 'q')).collect();
    let castling = if castling.is_empty() { "-" } else { &castling };
    let number = fields
        .last()
        .and_then(|n| n.parse::<u32>().ok())
        .filter(|n| (1..1000).contains(n) && fields.len() > 4)
        .unwrap_or(1);
    format!("{board} {turn} {castling} - 0 {number}").parse().ok()
}

/// The finding on castling rights that the position cannot have, with the field corrected.
fn castling_finding(tag: &Tag, position: &Chess) -> Finding {
    let possible = Epd::from_position(position, EnPassantMode::Legal).to_string();
    let right = possible.split(' ').nth(2).unwrap_or("-").to_string();
    let message = "the FEN grants castling without king and rook in place";
    let fix = field(tag, 2).map(|span| TextEdit { span, text: right.into_bytes() }).into_iter().collect();
    Finding { fix, ..Finding::new(&rules::IMPOSSIBLE_CASTLING_RIGHT, tag.value_span, message) }
}

/// The finding on a FEN that is understood and that stricter readers refuse: fields missing, or an impossible en passant square.
fn incomplete(tag: &Tag, position: &Chess, mode: CastlingMode) -> Option<Finding> {
    let value = tag.value.trim();
    let fields = value.split_whitespace().count();
    let strict = value.parse::<Fen>().is_ok_and(|f| f.into_position::<Chess>(mode).is_ok());
    if fields == 6 && strict {
        return None;
    }
    let whole = Fen::from_position(position, EnPassantMode::Legal).to_string();
    let fix = vec![TextEdit { span: tag.value_span, text: whole.clone().into_bytes() }];
    Some(Finding {
        fix,
        ..Finding::new(&rules::INCOMPLETE_FEN, tag.value_span, format!("the FEN is read as {whole}"))
    })
}

/// Where a field of the FEN stands in the text.
fn field(tag: &Tag, index: usize) -> Option<Span> {
    // A FEN is ASCII without escapes; where the value is anything else, its bytes are not the text's.
    if tag.value.len() != tag.value_span.len() {
        return None;
    }
    let word = tag.value.split_whitespace().nth(index)?;
    let at = word.as_ptr() as usize - tag.value.as_ptr() as usize;
    Some(Span::new(tag.value_span.start + at, tag.value_span.start + at + word.len()))
}

/// The same position with the other side to move, and the change of the FEN tag that says so; only for a game with a FEN.
pub(super) fn turn(game: &Game, start: &Chess) -> Option<(Chess, TextEdit)> {
    let tag = fen_tag(game)?;
    let span = field(tag, 1)?;
    let mut setup = start.to_setup(EnPassantMode::Legal);
    setup.turn = !setup.turn;
    setup.ep_square = None;
    let letter = if setup.turn == Color::White { "w" } else { "b" };
    let position = Chess::from_setup(setup, start.castles().mode()).ok()?;
    Some((position, TextEdit { span, text: letter.as_bytes().to_vec() }))
}

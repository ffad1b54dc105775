//! The movetext of a well-kept game.

use memchr::memchr;
use shakmaty::{CastlingSide, Chess, File, Rank, Role, Square};

use super::{
    Clean, PADDING,
    follow::{Follower, Sign},
    tags::{self, Tags},
};
use crate::{check::cut, sheet::Span};

/// Variations deeper than this are left to the full reader.
const DEPTH: usize = 16;

/// The movetext behind `tags`, if nothing in it is out of the ordinary and it ends in their result.
pub fn read(text: &[u8], tags: &Tags, start: Chess, mut moves: Option<&mut Vec<Span>>) -> Option<Clean> {
    let known = moves.as_deref().map_or(0, Vec::len);
    match Reading::new(text, tags, start.clone(), false).run(tags.result, moves.as_deref_mut()) {
        Ok(clean) => Some(clean),
        Err(GivesUp::Altogether) => None,
        Err(GivesUp::ForWantOfHistory) => {
            if let Some(moves) = moves.as_deref_mut() {
                moves.truncate(known);
            }
            Reading::new(text, tags, start, true).run(tags.result, moves).ok()
        }
    }
}

enum GivesUp {
    Altogether,
    /// There is a variation: it begins in a position that was not kept.
    ForWantOfHistory,
}

/// A place in a line of moves.
#[derive(Clone)]
struct Line {
    game: Follower,
    number: Number,
    white: bool,
    plies: u32,
}

struct Reading<'t> {
    text: &'t [u8],
    at: usize,
    crlf: bool,
    now: Line,
    /// A move number was read and its move was not.
    numbered: bool,
    mated: bool,
    /// Where positions are kept: the line before its last move.
    before: Option<Line>,
    keeps: bool,
    /// The lines left for a variation, with what stood in `before`.
    left: Vec<(Line, Option<Line>)>,
}

impl<'t> Reading<'t> {
    fn new(text: &'t [u8], tags: &Tags, start: Chess, keeps: bool) -> Self {
        let now = Line { game: Follower::new(start), number: Number::one(), white: true, plies: 0 };
        Reading {
            text,
            at: tags.movetext,
            crlf: tags.crlf,
            now,
            numbered: false,
            mated: false,
            before: None,
            keeps,
            left: vec![],
        }
    }

    fn run(mut self, result: &'static str, mut moves: Option<&mut Vec<Span>>) -> Result<Clean, GivesUp> {
        let end = self.text.len() - PADDING;
        loop {
            let done = match self.byte() {
                b' ' => {
                    self.at += 1;
                    Some(())
                }
                b'\n' | b'\r' => self.line_end(),
                b'0'..=b'9' => match self.move_number() {
                    Some(found) => found,
                    None => break,
                },
                b'a'..=b'h' | b'N' | b'B' | b'R' | b'Q' | b'K' | b'O' => self.one_move(moves.as_deref_mut()),
                b'{' => self.comment(),
                b'$' => self.glyph(),
                b'(' if self.keeps => self.open(),
                b'(' => return Err(GivesUp::ForWantOfHistory),
                b')' => self.close(),
                b'*' => break,
                _ => None,
            };
            done.ok_or(GivesUp::Altogether)?;
        }
        self.finish(end, result).ok_or(GivesUp::Altogether)
    }

    fn finish(&self, end: usize, result: &'static str) -> Option<Clean> {
        if self.numbered || !self.left.is_empty() || self.at >= end {
            return None;
        }
        let rest = self.text[self.at..end].strip_prefix(result.as_bytes())?;
        let board = if self.mated {
            Some(if self.now.white { "0-1" } else { "1-0" })
        } else {
            (self.now.plies > 0 && self.now.game.drawn()).then_some("1/2-1/2")
        };
        if board.is_some_and(|board| board != result) {
            return None;
        }
        let next = end - next_game(rest, self.crlf)?.len();
        let cut = next == end || cut::looks_like_start(&self.text[..end], next);
        cut.then_some(Clean { end: next, plies: self.now.plies, result, board })
    }

    #[inline(always)]
    fn byte(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    #[inline(always)]
    fn token(&self) -> [u8; 8] {
        self.text.get(self.at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; 8])
    }

    /// The number of the next move with its points; `None` where something else stands here, `Some(None)`
    /// where the number does not belong.
    #[inline(always)]
    fn move_number(&mut self) -> Option<Option<()>> {
        let length = self.now.number.at(self.token())?;
        if self.numbered {
            return Some(None);
        }
        self.at += length;
        self.numbered = true;
        if self.now.white {
            return Some(Some(()));
        }
        let dotted = self.text[self.at..].starts_with(b"..");
        self.at += 2 * usize::from(dotted);
        Some(dotted.then_some(()))
    }

    #[inline(always)]
    fn one_move(&mut self, moves: Option<&mut Vec<Span>>) -> Option<()> {
        // White's moves carry their number, and so does the first one of a variation.
        let first = !self.left.is_empty() && self.before.is_none();
        if (self.now.white || first) && !self.numbered {
            return None;
        }
        if self.keeps {
            self.before = Some(self.now.clone());
        }
        let begin = self.at;
        let token = self.token();
        let (sign, length) = play(&mut self.now.game, token)?;
        self.at += length;
        if sign != Sign::Quiet {
            let written = if sign == Sign::Check { b'+' } else { b'#' };
            self.at += (self.byte() == written).then_some(1)?;
            self.mated |= sign == Sign::Mate && self.left.is_empty();
        }
        if let (Some(moves), true) = (moves, self.left.is_empty()) {
            moves.push(Span::new(begin, self.at));
        }
        if !matches!(self.byte(), b' ' | b'\n') {
            self.suffix()?;
        }
        self.now.plies += 1;
        self.numbered = false;
        if !self.now.white {
            self.now.number.next()?;
        }
        self.now.white = !self.now.white;
        Some(())
    }

    /// `(`: the variation goes on from before the last move.
    fn open(&mut self) -> Option<()> {
        if self.numbered || self.left.len() == DEPTH {
            return None;
        }
        let before = self.before.take()?;
        self.left.push((std::mem::replace(&mut self.now, before.clone()), Some(before)));
        self.at += 1;
        Some(())
    }

    fn close(&mut self) -> Option<()> {
        // A variation without a move is none.
        if self.numbered || self.before.is_none() {
            return None;
        }
        (self.now, self.before) = self.left.pop()?;
        self.at += 1;
        self.ends_token()
    }

    /// A line end that does not end the movetext; what stands first on the next line is no `%` and no `[`.
    fn line_end(&mut self) -> Option<()> {
        self.at = line_end(self.text, self.at, self.crlf)?;
        Some(())
    }

    /// `{...}` of plain text without a blank line or a line that looks like tags.
    fn comment(&mut self) -> Option<()> {
        if self.numbered {
            return None;
        }
        let begin = self.at + 1;
        let end = begin + memchr(b'}', self.text.get(begin..)?)?;
        let mut at = begin;
        while let Some(line) = memchr(b'\n', &self.text[at..end]) {
            let text = &self.text[at..at + line];
            if !comment_text(text.strip_suffix(b"\r").unwrap_or(text)) {
                return None;
            }
            at = line_end(self.text, at + line - usize::from(self.crlf), self.crlf)?;
        }
        if !comment_text(&self.text[at..end]) {
            return None;
        }
        self.at = end + 1;
        self.ends_token()
    }

    /// `$n` of one of the 256 glyphs.
    fn glyph(&mut self) -> Option<()> {
        let rest = &self.text[self.at + 1..];
        let digits = rest.iter().take(4).take_while(|b| b.is_ascii_digit()).count();
        let value = rest[..digits].iter().fold(0, |n, b| 10 * n + u32::from(b - b'0'));
        if self.numbered || self.now.plies == 0 || !(1..=3).contains(&digits) || value > 255 {
            return None;
        }
        self.at += 1 + digits;
        self.ends_token()
    }

    /// What may stand right behind a move: `!`, `?` or two of them.
    fn suffix(&mut self) -> Option<()> {
        for _ in 0..2 {
            self.at += usize::from(matches!(self.byte(), b'!' | b'?'));
        }
        self.ends_token()
    }

    fn ends_token(&self) -> Option<()> {
        matches!(self.byte(), b' ' | b'\n' | b'\r' | b')').then_some(())
    }
}

/// Behind the line end at `at`, if the next line is not blank and begins neither with `%` nor with `[`.
fn line_end(text: &[u8], at: usize, crlf: bool) -> Option<usize> {
    let at = at + tags::line_end(text.get(at..)?, crlf)?;
    (!matches!(text.get(at), Some(b'\n' | b'\r' | b'%' | b'['))).then_some(at)
}

/// What is left behind a terminator: nothing, or the next game after one blank line at least.
fn next_game(rest: &[u8], crlf: bool) -> Option<&[u8]> {
    let mut lines = 0;
    let mut left = rest;
    loop {
        if left.is_empty() || (left[0] == b'[' && lines >= 2) {
            return Some(left);
        }
        left = &left[tags::line_end(left, crlf)?..];
        lines += 1;
    }
}

fn comment_text(line: &[u8]) -> bool {
    memchr(b'{', line).is_none() && tags::printable(line)
}

/// The number of the move that comes next, as it is written with its point.
#[derive(Clone)]
struct Number {
    /// Digits and point, the first in the lowest byte.
    written: u32,
    length: usize,
}

impl Number {
    fn one() -> Self {
        Number { written: u32::from_le_bytes(*b"1.\0\0"), length: 1 }
    }

    /// The length of this number and its point, if `token` begins with them.
    #[inline(always)]
    fn at(&self, token: [u8; 8]) -> Option<usize> {
        let token = u64::from_le_bytes(token) as u32;
        let mask = u32::MAX >> (24 - 8 * self.length as u32);
        (token & mask == self.written).then_some(self.length + 1)
    }

    /// One more; `None` beyond 999, where the full reader takes over.
    #[inline(always)]
    fn next(&mut self) -> Option<()> {
        let mut bytes = self.written.to_le_bytes();
        for i in (0..self.length).rev() {
            if bytes[i] < b'9' {
                bytes[i] += 1;
                self.written = u32::from_le_bytes(bytes);
                return Some(());
            }
            bytes[i] = b'0';
        }
        if self.length == 3 {
            return None;
        }
        bytes[0] = b'1';
        bytes[self.length] = b'0';
        bytes[self.length + 1] = b'.';
        self.written = u32::from_le_bytes(bytes);
        self.length += 1;
        Some(())
    }
}

/// Plays the move at the start of `token`; gives the sign that it must carry and its length without sign.
#[inline(always)]
fn play(game: &mut Follower, token: [u8; 8]) -> Option<(Sign, usize)> {
    match token[0] {
        b'N' => piece(game, Role::Knight, token),
        b'B' => piece(game, Role::Bishop, token),
        b'R' => piece(game, Role::Rook, token),
        b'Q' => piece(game, Role::Queen, token),
        b'K' => king(game, token),
        b'O' => castling(game, token),
        _ => pawn(game, token),
    }
}

#[inline(always)]
fn piece(game: &mut Follower, role: Role, token: [u8; 8]) -> Option<(Sign, usize)> {
    if let (Some(to), false) = (square(token[1], token[2]), token[3] == b'x' || is_file(token[3])) {
        return Some((game.piece(role, None, None, false, to)?, 3));
    }
    if token[1] == b'x' {
        return Some((game.piece(role, None, None, true, square(token[2], token[3])?)?, 4));
    }
    told_apart(game, role, token)
}

/// A piece with the file or rank, or both, that it comes from.
#[inline(never)]
fn told_apart(game: &mut Follower, role: Role, token: [u8; 8]) -> Option<(Sign, usize)> {
    let (mut file, mut rank) = (None, None);
    let mut at = 1;
    if is_file(token[at]) {
        file = Some(File::new(u32::from(token[at] - b'a')));
        at += 1;
    }
    if matches!(token[at], b'1'..=b'8') {
        rank = Some(Rank::new(u32::from(token[at] - b'1')));
        at += 1;
    }
    let capture = token[at] == b'x';
    at += usize::from(capture);
    let to = square(token[at], token[at + 1])?;
    Some((game.piece(role, file, rank, capture, to)?, at + 2))
}

fn king(game: &mut Follower, token: [u8; 8]) -> Option<(Sign, usize)> {
    let capture = token[1] == b'x';
    let at = 1 + usize::from(capture);
    Some((game.king(capture, square(token[at], token[at + 1])?)?, at + 2))
}

#[inline(always)]
fn pawn(game: &mut Follower, token: [u8; 8]) -> Option<(Sign, usize)> {
    let capture = token[1] == b'x';
    let file = capture.then(|| File::new(u32::from(token[0].wrapping_sub(b'a') & 7)));
    let at = 2 * usize::from(capture);
    let to = square(token[at], token[at + 1])?;
    if token[at + 2] != b'=' {
        return Some((game.pawn(file, capture, to, None)?, at + 2));
    }
    let role = match token[at + 3] {
        b'Q' => Role::Queen,
        b'R' => Role::Rook,
        b'B' => Role::Bishop,
        b'N' => Role::Knight,
        _ => return None,
    };
    Some((game.pawn(file, capture, to, Some(role))?, at + 4))
}

fn castling(game: &mut Follower, token: [u8; 8]) -> Option<(Sign, usize)> {
    if token.starts_with(b"O-O-O") {
        Some((game.castle(CastlingSide::QueenSide)?, 5))
    } else if token.starts_with(b"O-O") {
        Some((game.castle(CastlingSide::KingSide)?, 3))
    } else {
        None
    }
}

#[inline(always)]
fn is_file(byte: u8) -> bool {
    byte.wrapping_sub(b'a') < 8
}

#[inline(always)]
fn square(file: u8, rank: u8) -> Option<Square> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    if file < 8 && rank < 8 { Some(Square::new(u32::from(rank * 8 + file))) } else { None }
}

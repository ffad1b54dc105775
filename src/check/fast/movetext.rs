//! The movetext of a well-kept game.

use memchr::memchr;
use shakmaty::{CastlingSide, Chess, File, Position, Rank, Role, Square};

use super::{
    Clean, PADDING,
    follow::{Follower, Sign, Written},
};
use crate::{check::cut, sheet::Span};

/// The movetext at `from`, if nothing in it is out of the ordinary and it ends in `result`.
pub fn read(
    text: &[u8],
    from: usize,
    result: &'static str,
    start: Chess,
    mut moves: Option<&mut Vec<Span>>,
) -> Option<Clean> {
    let end = text.len() - PADDING;
    let mut scanner = Scanner { text, at: from };
    let mut game = Follower::new(start);
    let mut number = Number::one();
    let mut plies = 0u32;
    let mut white = true;
    let mut numbered = false;
    let mut mated = false;
    loop {
        match scanner.byte() {
            b' ' => scanner.at += 1,
            b'\n' | b'\r' => scanner.line_end()?,
            b'0'..=b'9' => {
                if let Some(after) = number.at(text, scanner.at) {
                    if numbered {
                        return None;
                    }
                    scanner.at = after;
                    if !white {
                        scanner.at += text[after..].starts_with(b"..").then_some(2)?;
                    }
                    numbered = true;
                } else {
                    break;
                }
            }
            b'*' => break,
            b'{' => {
                if plies == 0 || numbered {
                    return None;
                }
                scanner.comment()?;
            }
            b'$' => {
                if plies == 0 || numbered {
                    return None;
                }
                scanner.glyph()?;
            }
            _ => {
                if white && !numbered {
                    return None;
                }
                let begin = scanner.at;
                let (written, length) = san(scanner.token())?;
                let sign = game.play(written)?;
                scanner.at += length;
                match sign {
                    Sign::Quiet => {}
                    Sign::Check => scanner.at += (scanner.byte() == b'+').then_some(1)?,
                    Sign::Mate => {
                        scanner.at += (scanner.byte() == b'#').then_some(1)?;
                        mated = true;
                    }
                }
                if let Some(moves) = moves.as_deref_mut() {
                    moves.push(Span::new(begin, scanner.at));
                }
                scanner.suffix()?;
                plies += 1;
                numbered = false;
                if !white {
                    number.next()?;
                }
                white = !white;
            }
        }
    }
    if numbered || scanner.at >= end {
        return None;
    }
    let rest = &text[scanner.at..end];
    let rest = rest.strip_prefix(result.as_bytes())?;
    let board = if mated {
        Some(if white { "0-1" } else { "1-0" })
    } else {
        drawn(game.position()).then_some("1/2-1/2")
    };
    if board.is_some_and(|board| board != result) {
        return None;
    }
    let next = end - next_game(rest)?.len();
    (next == end || cut::looks_like_start(&text[..end], next)).then_some(Clean {
        end: next,
        plies,
        result,
        board,
    })
}

/// Stalemate or a dead position.
fn drawn(pos: &Chess) -> bool {
    pos.is_insufficient_material() || pos.is_stalemate()
}

/// What is left behind a terminator: nothing, or the next game's tags after one blank line at least.
fn next_game(rest: &[u8]) -> Option<&[u8]> {
    let mut lines = 0;
    let mut left = rest;
    loop {
        left = match left {
            [] => return Some(left),
            [b'\n', after @ ..] | [b'\r', b'\n', after @ ..] => {
                lines += 1;
                after
            }
            [b'[', ..] if lines >= 2 => return Some(left),
            _ => return None,
        };
    }
}

/// A place in the text.
struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
}

impl Scanner<'_> {
    fn byte(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn token(&self) -> [u8; 8] {
        self.text.get(self.at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; 8])
    }

    /// A line end that does not end the movetext; what stands first on the next line is no `%` and no `[`.
    fn line_end(&mut self) -> Option<()> {
        if self.byte() == b'\r' {
            self.at += 1;
        }
        self.at += (self.byte() == b'\n').then_some(1)?;
        (!matches!(self.byte(), b'\n' | b'\r' | b'%' | b'[')).then_some(())
    }

    /// `{...}` of plain text without a blank line or a line that looks like tags.
    fn comment(&mut self) -> Option<()> {
        let begin = self.at + 1;
        let length = memchr(b'}', self.text.get(begin..)?)?;
        let mut inside = Scanner { text: self.text, at: begin };
        let end = begin + length;
        while let Some(line) = memchr(b'\n', &self.text[inside.at..end]) {
            let text = &self.text[inside.at..inside.at + line];
            if !comment_text(text.strip_suffix(b"\r").unwrap_or(text)) {
                return None;
            }
            inside.at += line;
            inside.line_end()?;
        }
        if !comment_text(&self.text[inside.at..end]) {
            return None;
        }
        self.at = end + 1;
        self.ends_token()
    }

    /// `$n` of one of the 256 glyphs.
    fn glyph(&mut self) -> Option<()> {
        let digits = self.text[self.at + 1..].iter().take(4).take_while(|b| b.is_ascii_digit()).count();
        let value = self.text[self.at + 1..][..digits].iter().fold(0, |n, b| 10 * n + u32::from(b - b'0'));
        if !(1..=3).contains(&digits) || value > 255 {
            return None;
        }
        self.at += 1 + digits;
        self.ends_token()
    }

    /// What may stand right behind a move: `!`, `?` or two of them, then a space or a line end.
    fn suffix(&mut self) -> Option<()> {
        for _ in 0..2 {
            self.at += usize::from(matches!(self.byte(), b'!' | b'?'));
        }
        self.ends_token()
    }

    fn ends_token(&self) -> Option<()> {
        matches!(self.byte(), b' ' | b'\n' | b'\r').then_some(())
    }
}

fn comment_text(line: &[u8]) -> bool {
    memchr(b'{', line).is_none()
        && if line.is_ascii() {
            line.iter().all(|b| (b' '..0x7f).contains(b))
        } else {
            std::str::from_utf8(line)
                .is_ok_and(|t| t.chars().all(|c| c.is_alphanumeric() || (' '..'\x7f').contains(&c)))
        }
}

/// The number of the move that comes next, as its digits.
struct Number {
    digits: [u8; 4],
    length: usize,
}

impl Number {
    fn one() -> Self {
        Number { digits: *b"1...", length: 1 }
    }

    /// Where the text goes on behind this number and its point.
    #[inline]
    fn at(&self, text: &[u8], at: usize) -> Option<usize> {
        let token: &[u8; 4] = text.get(at..)?.first_chunk()?;
        let same = match self.length {
            1 => token[..2] == self.digits[..2],
            2 => token[..3] == self.digits[..3],
            _ => token[..] == self.digits[..],
        };
        same.then_some(at + self.length + 1)
    }

    /// One more; `None` beyond 999, where the full reader takes over.
    fn next(&mut self) -> Option<()> {
        for i in (0..self.length).rev() {
            if self.digits[i] < b'9' {
                self.digits[i] += 1;
                return Some(());
            }
            self.digits[i] = b'0';
        }
        if self.length == 3 {
            return None;
        }
        self.digits[self.length] = b'0';
        self.digits[0] = b'1';
        self.length += 1;
        Some(())
    }
}

/// A move in canonical SAN at the start of `token`, and its length without sign.
#[inline]
fn san(token: [u8; 8]) -> Option<(Written, usize)> {
    let role = match token[0] {
        b'a'..=b'h' => return pawn(token),
        b'N' => Role::Knight,
        b'B' => Role::Bishop,
        b'R' => Role::Rook,
        b'Q' => Role::Queen,
        b'K' => Role::King,
        b'O' => return castling(token),
        _ => return None,
    };
    let (mut file, mut rank) = (None, None);
    let mut at = 1;
    if let (Some(to), false) = (square(token[1], token[2]), token[3] == b'x' || is_file(token[3])) {
        return Some((Written::Normal { role, file, rank, capture: false, to, promotion: None }, 3));
    }
    if token[1] != b'x' {
        if is_file(token[at]) {
            file = Some(File::new(u32::from(token[at] - b'a')));
            at += 1;
        }
        if matches!(token[at], b'1'..=b'8') {
            rank = Some(Rank::new(u32::from(token[at] - b'1')));
            at += 1;
        }
        if role == Role::King {
            return None;
        }
    }
    let capture = token[at] == b'x';
    at += usize::from(capture);
    let to = square(token[at], token[at + 1])?;
    Some((Written::Normal { role, file, rank, capture, to, promotion: None }, at + 2))
}

#[inline]
fn pawn(token: [u8; 8]) -> Option<(Written, usize)> {
    let capture = token[1] == b'x';
    let (file, at) = if capture { (Some(File::new(u32::from(token[0] - b'a'))), 2) } else { (None, 0) };
    let to = square(token[at], token[at + 1])?;
    let (promotion, length) = if token[at + 2] == b'=' {
        let role = match token[at + 3] {
            b'Q' => Role::Queen,
            b'R' => Role::Rook,
            b'B' => Role::Bishop,
            b'N' => Role::Knight,
            _ => return None,
        };
        (Some(role), at + 4)
    } else {
        (None, at + 2)
    };
    Some((Written::Normal { role: Role::Pawn, file, rank: None, capture, to, promotion }, length))
}

fn castling(token: [u8; 8]) -> Option<(Written, usize)> {
    if token.starts_with(b"O-O-O") {
        Some((Written::Castle(CastlingSide::QueenSide), 5))
    } else if token.starts_with(b"O-O") {
        Some((Written::Castle(CastlingSide::KingSide), 3))
    } else {
        None
    }
}

fn is_file(byte: u8) -> bool {
    byte.wrapping_sub(b'a') < 8
}

#[inline]
fn square(file: u8, rank: u8) -> Option<Square> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    if file < 8 && rank < 8 { Some(Square::new(u32::from(rank * 8 + file))) } else { None }
}

//! One word of movetext taken apart: numbers, moves, results, glyphs, glued or not; knows nothing of positions.

mod seam;
mod shape;
mod signs;

use super::{outcome, source::char_at};
pub(super) use seam::{is_long, seam};
use shape::{castling_end, is_canonical};
pub(super) use shape::{is_coordinates, is_piece, move_end};
use signs::{glyph, is_null, is_suffix_word, is_time};

/// A character of a word with the bytes that it came from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Char {
    /// The character, dashes and crosses in their many forms made one.
    pub c: char,
    /// As written.
    pub raw: char,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// What a piece of a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceKind {
    /// A move number with how many dots.
    Number(u32, u8),
    /// Dots without a number.
    Dots,
    /// Something in the shape of a move.
    Move,
    /// A placeholder for a move: `--`, `Z0`.
    Blank,
    /// An evaluation sign; the NAG that means the same, if there is one.
    Glyph(Option<u8>),
    /// A check word or `e.p.` that belongs to the move before.
    Suffix,
    /// A result.
    Result(&'static str),
    /// A clock time.
    Time,
    /// A comma, a table line.
    Punctuation,
    /// None of these: an unreadable move or prose.
    Other,
}

/// A piece: which characters, and what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub kind: PieceKind,
    pub from: usize,
    pub to: usize,
}

/// The characters of a stretch of text, invisible ones left out.
pub(super) fn chars(text: &[u8], start: usize, end: usize) -> Vec<Char> {
    let (mut out, mut at) = (Vec::<Char>::new(), start);
    while at < end {
        let (raw, len) = super::lexer::entity(&text[..end], at).unwrap_or_else(|| char_at(&text[..end], at));
        // Variation selectors belong to the figurine before them.
        if matches!(raw, '\u{FE00}'..='\u{FE0F}' | '\u{00AD}') {
            if let Some(last) = out.last_mut() {
                last.end = at + len;
            }
        } else {
            out.push(Char { c: plain(raw), raw, start: at, end: at + len });
        }
        at += len;
    }
    out
}

/// One form for the many forms of dashes, crosses, daggers and wide letters.
pub(super) fn plain(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' | '\u{FF0D}' => '-',
        '×' | '✕' | '✖' | '⨯' | '╳' | 'х' | 'Х' => 'x',
        '∶' | '：' => ':',
        '†' | '✝' => '+',
        '‡' | '≠' => '#',
        'О' | 'Ο' => 'O',
        'о' | 'ο' => 'o',
        'а' => 'a',
        'с' => 'c',
        'е' => 'e',
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        c => c,
    }
}

/// Whether prose or movetext: does the word begin as movetext does?
pub(super) fn begins_like_movetext(word: &str) -> bool {
    let chars: Vec<Char> = word.chars().map(|raw| Char { c: plain(raw), raw, start: 0, end: 0 }).collect();
    let Some(first) = chars.first() else { return false };
    if matches!(first.c, '(' | '{' | '$') || outcome::parse(word).is_some() {
        return true;
    }
    let digits = chars.iter().take_while(|c| c.c.is_ascii_digit()).count();
    if digits > 0 {
        return digits <= 3 && chars.get(digits).is_none_or(|c| matches!(c.c, '.' | '…'));
    }
    move_end(&chars, 0).is_some_and(|end| end == chars.len() || !chars[end].c.is_alphanumeric())
}

/// Takes a word apart; `expected` is the next move number by count. Two moves glued into the shape of one, `e4e5`, stay one.
pub(super) fn pieces(c: &[Char], expected: u32) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < c.len() {
        let (kind, to) = piece(c, at, expected, out.last());
        out.push(Piece { kind, from: at, to });
        at = to.max(at + 1);
    }
    out
}

fn piece(c: &[Char], at: usize, expected: u32, before: Option<&Piece>) -> (PieceKind, usize) {
    let end = c.len();
    if is_canonical(&c[at..]) {
        return (PieceKind::Move, end);
    }
    let rest: String = c[at..end.min(at + 24)].iter().map(|c| c.c).collect();
    let whole = end - at <= 24;
    if whole && is_null(&rest) {
        return (PieceKind::Blank, end);
    }
    if whole && is_suffix_word(&rest) {
        return (PieceKind::Suffix, end);
    }
    // The marks of a comment in C.
    if rest.starts_with("/*") || rest.starts_with("*/") {
        return (PieceKind::Punctuation, at + 2);
    }
    if whole && let Some(result) = outcome::parse(&rest) {
        // Zeros may be castling: the caller decides.
        return if result == "0-0" && rest != "0:0" {
            // A glyph behind it, `0-0!`, is no part of the move.
            (PieceKind::Move, castling_end(c, at).unwrap_or(end))
        } else {
            (PieceKind::Result(result), end)
        };
    }
    if whole && is_time(&rest) {
        return (PieceKind::Time, end);
    }
    if c[at].c.is_ascii_digit()
        && castling_end(c, at).is_none()
        && let Some(found) = number(c, at, expected)
    {
        return found;
    }
    if matches!(c[at].c, '.' | '…') {
        let dots = c[at..].iter().take_while(|c| matches!(c.c, '.' | '…')).count();
        return (PieceKind::Dots, at + dots);
    }
    if rest.starts_with("--") || rest.starts_with("__") {
        let run = c[at..].iter().take_while(|x| x.c == c[at].c).count();
        return (PieceKind::Blank, at + run);
    }
    if let Some((nag, len)) = glyph(&rest, before.is_none()) {
        return (PieceKind::Glyph(nag), at + len);
    }
    if let Some(to) = move_end(c, at) {
        return if continues(c, to, expected) {
            (PieceKind::Move, to)
        } else {
            (PieceKind::Other, word_end(c, to))
        };
    }
    // The sign of an engine's score, `-0.2/10`, belongs to it.
    if c[at].c == '-' && is_decimal(&c[at + 1..]) {
        return (PieceKind::Other, word_end(c, at + 1));
    }
    if matches!(c[at].c, ',' | ';' | '|' | '/' | '-' | ':' | '"' | '\'' | '_' | '~' | '=' | '\\') {
        return (PieceKind::Punctuation, at + 1);
    }
    (PieceKind::Other, word_end(c, at + 1))
}

/// Whether digits, a point or comma and more digits stand here.
fn is_decimal(c: &[Char]) -> bool {
    let digits = c.iter().take_while(|c| c.c.is_ascii_digit()).count();
    digits > 0
        && c.get(digits).is_some_and(|c| matches!(c.c, '.' | ','))
        && c.get(digits + 1).is_some_and(|c| c.c.is_ascii_digit())
}

/// The end of an unreadable stretch: trailing punctuation and glyphs do not belong to it.
fn word_end(c: &[Char], from: usize) -> usize {
    let mut end = c.len();
    while end > from && matches!(c[end - 1].c, ',' | '.' | '!' | '?' | ':' | ';') {
        end -= 1;
    }
    end
}

fn number(c: &[Char], at: usize, expected: u32) -> Option<(PieceKind, usize)> {
    let digits = c[at..].iter().take_while(|c| c.c.is_ascii_digit()).count();
    if digits > 3 {
        return None;
    }
    let n = c[at..at + digits].iter().fold(0, |n, d| n * 10 + d.c.to_digit(10).unwrap_or(0));
    let mut to = at + digits;
    let dots: u8 = c[to..]
        .iter()
        .take(8)
        .map_while(|c| match c.c {
            '.' => Some(1),
            '…' => Some(3),
            _ => None,
        })
        .sum();
    if dots > 0 {
        to += c[to..].iter().take(8).take_while(|c| matches!(c.c, '.' | '…')).count();
        // `0.5`, `2024.03`: no move number, unless castling with zeros follows.
        if c.get(to).is_some_and(|c| c.c.is_ascii_digit())
            && move_end(c, to).is_none()
            && !rest_is_blank(c, to)
        {
            return None;
        }
        return Some((PieceKind::Number(n, dots), to));
    }
    if to == c.len() {
        return Some((PieceKind::Number(n, 0), to));
    }
    // `1:` and `1,` at the end of a word.
    if to + 1 == c.len() && matches!(c[to].c, ':' | ',') {
        return Some((PieceKind::Number(n, 1), to + 1));
    }
    if matches!(c[to].c, ',' | ':' | '-') && c.len() > to + 1 && move_end(c, to + 1).is_some() {
        return Some((PieceKind::Number(n, 1), to + 1));
    }
    // `1e4`: a number only where it is the one that is due; else it is a slip of the pen.
    (n == expected && move_end(c, to).is_some()).then_some((PieceKind::Number(n, 0), to))
}

fn rest_is_blank(c: &[Char], at: usize) -> bool {
    let rest: String = c[at..c.len().min(at + 6)].iter().map(|c| c.c).collect();
    is_null(&rest)
}

/// Whether what stands at `at` can follow a move in the same word.
fn continues(c: &[Char], at: usize, expected: u32) -> bool {
    if at == c.len() {
        return true;
    }
    let rest: String = c[at..c.len().min(at + 24)].iter().map(|c| c.c).collect();
    if outcome::parse(&rest).is_some() || glyph(&rest, false).is_some() || is_suffix_word(&rest) {
        return true;
    }
    if c[at].c.is_ascii_digit() {
        return matches!(number(c, at, expected), Some((PieceKind::Number(n, dots), to)) if dots > 0 || (n == expected && to < c.len()));
    }
    matches!(c[at].c, ',' | '.' | ';' | '…' | '|' | '"' | '\'' | ':' | '/')
        || rest.starts_with("--")
        || move_end(c, at).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_canonical_move_is_nothing_else() {
        let places = |from: &str, to: &str| {
            let squares = ('a'..='h').flat_map(|f| ('1'..='8').map(move |r| format!("{f}{r}")));
            let words: Vec<String> = squares.map(|square| format!("{from}{square}{to}")).collect();
            words
        };
        let mut words = vec!["O-O".to_owned(), "O-O-O+".to_owned()];
        for end in ["", "+", "#", "=Q", "=N+"] {
            for from in
                ["", "ax", "bx", "dx", "hx", "N", "Nx", "Bb", "Rax", "Q1", "R8x", "Qh4", "Qh4x", "K", "Kx"]
            {
                words.extend(places(from, end));
            }
        }
        let canonical: Vec<String> =
            words.into_iter().filter(|word| is_canonical(&chars(word.as_bytes(), 0, word.len()))).collect();
        assert!(canonical.len() > 3000, "{}", canonical.len());
        for word in canonical {
            let c = chars(word.as_bytes(), 0, word.len());
            assert_eq!(move_end(&c, 0), Some(c.len()), "{word}");
            let other =
                is_null(&word) || is_suffix_word(&word) || is_time(&word) || outcome::parse(&word).is_some();
            assert!(!other && glyph(&word, true).is_none(), "{word}");
        }
    }

    fn cut(word: &str) -> Vec<(String, PieceKind)> {
        let chars = chars(word.as_bytes(), 0, word.len());
        pieces(&chars, 1)
            .into_iter()
            .map(|p| (chars[p.from..p.to].iter().map(|c| c.raw).collect(), p.kind))
            .collect()
    }

    fn moves(word: &str) -> Vec<String> {
        cut(word).into_iter().filter(|p| p.1 == PieceKind::Move).map(|p| p.0).collect()
    }

    #[test]
    fn whole_moves_in_many_spellings() {
        for word in [
            "e4", "Nf3", "Nbd7", "R1e2", "Qh4xe1", "exd5", "ed5", "ed", "exd", "d:e", "e2-e4", "Ng1-f3",
            "O-O", "0-0-0+", "o-o", "OO", "O–O", "e8=Q", "e8Q", "e8(Q)", "e8/Q", "gxh1+=Q", "exd6e.p.",
            "gxh3ep", "Qh4ch", "Qxg3†", "Bxg3mate", "♘f3", "Sf3", "Крf1", "N@f6", "P@e6", "Nf3++", "ed5:",
            "NF3", "E4", "e4*d5", "hg=Q", "Ktf3", "e7e8q", "e8=D+", "Bxf7+", "nf3",
        ] {
            let word = word.to_string();
            assert_eq!(moves(&word), std::slice::from_ref(&word), "{word}");
        }
    }

    #[test]
    fn glued_words_come_apart() {
        assert_eq!(moves("Nf3Nc6"), ["Nf3", "Nc6"]);
        assert_eq!(seam("Nf3d5"), Some((3, false)));
        assert_eq!(seam("Ng1f3"), Some((3, true)));
        assert_eq!(seam("e4e5"), Some((2, false)));
        assert_eq!(moves("e4e52.Nf3"), ["e4e5", "Nf3"]);
        assert_eq!(cut("Qxf7#1-0").last().map(|p| p.1), Some(PieceKind::Result("1-0")));
        assert_eq!(moves("0-0!!"), ["0-0"]);
        assert_eq!(cut("0-0!").len(), 2);
        assert_eq!(cut("5.0-0")[0].1, PieceKind::Number(5, 1));
        assert_eq!(cut("5...Nf6")[0].1, PieceKind::Number(5, 3));
    }

    #[test]
    fn what_is_no_move_is_none() {
        for word in ["Nf9", "eS", "BbS", "Nf33", "Bx94", "hello", "P-K4", "9f3"] {
            assert_eq!(moves(word), Vec::<String>::new(), "{word}");
        }
        assert_eq!(cut("0:06")[0].1, PieceKind::Time);
        assert_eq!(cut("*/")[0].1, PieceKind::Punctuation);
        assert_eq!(cut("--")[0].1, PieceKind::Blank);
    }
}

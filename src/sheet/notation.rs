//! What one written move may mean: spelling habits, foreign letters, glyphs; knows nothing of positions.

use shakmaty::{
    CastlingSide, File, Rank, Role, Square,
    san::{San, SanPlus, Suffix},
};

use super::{
    letters::{self, Letters, figurine},
    word::{self, Char},
};

/// A check sign as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// None.
    None,
    /// Check: `+`, `ch`, a dagger.
    Check,
    /// Double check or, with many writers, mate: `++`.
    Double,
    /// Mate: `#`, `mate`, a double dagger.
    Mate,
}

/// A written move in the shape of a piece, where it comes from and where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The piece; `None` for a bare pair of squares, which any piece may be.
    pub role: Option<Role>,
    /// The file it comes from, where written.
    pub file: Option<File>,
    /// The rank it comes from, where written.
    pub rank: Option<Rank>,
    /// Whether a capture sign is written.
    pub capture: bool,
    /// The file it goes to.
    pub to_file: File,
    /// The rank it goes to; `None` for a pawn capture by files alone, `exd`.
    pub to_rank: Option<Rank>,
    /// The piece that a pawn becomes, where written.
    pub promotion: Option<Role>,
    /// The piece that the first letter means if it is a lower-case piece letter and no file: the `b` of `bc4`.
    pub or_piece: Option<Role>,
    /// The check sign.
    pub sign: Sign,
}

/// What a written entry is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// An empty box.
    Blank,
    /// Castling, in any spelling.
    Castle(CastlingSide, Sign),
    /// A move of a piece.
    Move(Written),
    /// A capture told by the two pieces alone: `RxR`, `NxP`.
    Takes {
        /// The piece that takes.
        role: Role,
        /// The piece that is taken.
        victim: Role,
        /// The check sign.
        sign: Sign,
    },
    /// A piece dropped on the board, as in crazyhouse.
    Drop,
    /// English descriptive notation, `P-K4`.
    Descriptive,
    /// In no spelling of a move.
    Unreadable,
}

/// Reads one written entry, its piece letters as `letters` has them. An unknown letter never becomes a pawn move.
pub fn parse(written: &str, letters: &Letters) -> Form {
    if *letters == letters::ENGLISH
        && let Some(written) = canonical(written)
    {
        return Form::Move(written);
    }
    parse_in_full(written, letters)
}

/// A piece move or a pawn push in canonical SAN with English letters, which can be nothing else.
fn canonical(written: &str) -> Option<Written> {
    let bytes = written.as_bytes();
    if !matches!(bytes.first(), Some(b'N' | b'B' | b'R' | b'Q' | b'K' | b'a'..=b'h')) || bytes.len() > 7 {
        return None;
    }
    let SanPlus { san: San::Normal { role, file, rank, capture, to, promotion }, suffix } =
        SanPlus::from_ascii(bytes).ok()?
    else {
        return None;
    };
    // A lower-case letter before a capture may be a piece, `b` the bishop; `bb3` and the like are no pushes. Only pawns
    // are promoted, but SAN's grammar knows `Na1=Q`.
    if promotion.is_some() || (role == Role::Pawn && (file.is_some() || rank.is_some())) {
        return None;
    }
    let sign = match suffix {
        None => Sign::None,
        Some(Suffix::Check) => Sign::Check,
        Some(Suffix::Checkmate) => Sign::Mate,
    };
    Some(Written {
        role: Some(role),
        file,
        rank,
        capture,
        to_file: to.file(),
        to_rank: Some(to.rank()),
        promotion,
        or_piece: None,
        sign,
    })
}

fn parse_in_full(written: &str, letters: &Letters) -> Form {
    if let Some((first, rest)) = written.split_once(char::is_whitespace)
        && is_en_passant(rest)
    {
        return parse(first, letters);
    }
    let chars: Vec<Char> = written
        .chars()
        .filter(|c| !super::lexer::is_space(*c) && !matches!(c, '\u{FE00}'..='\u{FE0F}'))
        .map(|raw| Char { c: word::plain(raw), raw, start: 0, end: 0 })
        .collect();
    if chars.is_empty() {
        return Form::Blank;
    }
    if let Some(form) = parse_takes(&chars, letters) {
        return form;
    }
    let chars = without_victim(&chars, letters);
    if is_descriptive(&chars) {
        return Form::Descriptive;
    }
    if word::move_end(&chars, 0) != Some(chars.len()) {
        return Form::Unreadable;
    }
    if chars.iter().any(|c| c.c == '@') {
        return Form::Drop;
    }
    parse_castle(&chars).or_else(|| parse_move(&chars, letters)).unwrap_or(Form::Unreadable)
}

/// Whether words behind a move say no more than that it takes in passing.
fn is_en_passant(words: &str) -> bool {
    let bare: String = words.chars().filter(|c| c.is_alphabetic()).collect();
    matches!(bare.to_ascii_lowercase().as_str(), "ep" | "ap" | "ip" | "enpassant" | "enp")
}

/// Whether an entry says that the turn passes and nothing moves, as programs and books write that.
pub fn is_null_move(written: &str) -> bool {
    let lower = written.to_ascii_lowercase();
    matches!(lower.as_str(), "--" | "z0" | "<>" | "<null>" | "null" | "pass" | "0000" | "@@@@")
}

/// The entry in ASCII with English letters, in SAN as far as it can be read; empty for a blank box.
///
/// Captures by colon or dash come out with `x`, castling with letters, promotions with `=`; what cannot be read keeps its
/// characters, a leading piece letter translated.
pub fn reading(written: &str, letters: &Letters) -> String {
    match parse(written, letters) {
        Form::Blank => String::new(),
        Form::Castle(side, sign) => {
            let castle = if side == CastlingSide::KingSide { "O-O" } else { "O-O-O" };
            format!("{castle}{}", sign_text(sign))
        }
        Form::Move(m) if m.role.is_none() && is_pawn_shaped(&m) => {
            spell(&Written { role: Some(Role::Pawn), ..m })
        }
        Form::Move(m) => spell(&m),
        Form::Takes { .. } | Form::Drop | Form::Descriptive => ascii(written),
        Form::Unreadable => {
            let chars: Vec<char> = written.chars().collect();
            match letters.piece(&chars) {
                Some((role, len)) if chars[0].is_uppercase() || figurine(chars[0]).is_some() => {
                    let rest: String = chars[len..].iter().collect();
                    let letter =
                        if role == Role::Pawn { String::new() } else { role.upper_char().to_string() };
                    format!("{letter}{}", ascii(&rest))
                }
                _ => ascii(written),
            }
        }
    }
}

/// An entry that names both squares, with its letter where one is written: `Ng1f3`, `Ng1xf3`, `e2e4`, `e7e8=Q+`; `None`
/// for any other.
pub fn both_squares(form: &Form) -> Option<String> {
    let Form::Move(m) = form else { return None };
    let (file, rank, to_rank) = (m.file?, m.rank?, m.to_rank?);
    let letter = m.role.filter(|r| *r != Role::Pawn).map(|r| r.upper_char());
    let takes = if m.capture { "x" } else { "" };
    let mut out: String = letter.into_iter().chain([file.char(), rank.char()]).collect();
    out.push_str(takes);
    out.extend([m.to_file.char(), to_rank.char()]);
    if let Some(role) = m.promotion {
        out.extend(['=', role.upper_char()]);
    }
    out.push_str(sign_text(m.sign));
    Some(out)
}

/// Whether a pair of squares is a step that a pawn could take.
fn is_pawn_shaped(m: &Written) -> bool {
    let (Some(file), Some(from), Some(to)) = (m.file, m.rank, m.to_rank) else { return false };
    let files = i32::from(file).abs_diff(i32::from(m.to_file));
    let ranks = i32::from(from).abs_diff(i32::from(to));
    let double = ranks == 2
        && files == 0
        && matches!((from, to), (Rank::Second, Rank::Fourth) | (Rank::Seventh, Rank::Fifth));
    !matches!(from, Rank::First | Rank::Eighth) && (double || (ranks == 1 && files <= 1))
}

fn ascii(text: &str) -> String {
    text.chars().map(word::plain).filter(|c| c.is_ascii_graphic()).collect()
}

fn spell(m: &Written) -> String {
    let mut out = String::new();
    match m.role {
        Some(Role::Pawn) | None => {}
        Some(role) => out.push(role.upper_char()),
    }
    out.extend(m.file.map(File::char));
    out.extend(m.rank.map(Rank::char));
    if m.role == Some(Role::Pawn) && m.file == Some(m.to_file) && m.rank.is_some() && !m.capture {
        // `e2-e4` is the pawn move `e4`.
        out.clear();
    }
    if m.role == Some(Role::Pawn) && m.file.is_some_and(|f| f != m.to_file) {
        out.clear();
        out.extend(m.file.map(File::char));
        out.push('x');
    } else if m.capture {
        out.push('x');
    }
    out.push(m.to_file.char());
    out.extend(m.to_rank.map(Rank::char));
    if let Some(role) = m.promotion {
        out.push('=');
        out.push(role.upper_char());
    }
    out.push_str(sign_text(m.sign));
    out
}

fn sign_text(sign: Sign) -> &'static str {
    match sign {
        Sign::None => "",
        Sign::Check | Sign::Double => "+",
        Sign::Mate => "#",
    }
}

/// `RxR`, `NxP+`: both letters known, and nothing else but a check sign.
fn parse_takes(c: &[Char], letters: &Letters) -> Option<Form> {
    let [first, cross, second, tail @ ..] = c else { return None };
    let capital = |c: &Char| c.raw.is_uppercase() || figurine(c.raw).is_some();
    if !matches!(cross.c, 'x' | 'X' | ':') || !capital(first) || !capital(second) {
        return None;
    }
    if tail.iter().any(|c| c.c.is_ascii_digit() || c.raw.is_uppercase()) {
        return None;
    }
    let role = |c: &Char| letters.piece(&[c.raw]).or_else(|| letters.piece(&[c.c])).map(|p| p.0);
    Some(Form::Takes { role: role(first)?, victim: role(second)?, sign: sign(tail) })
}

/// `NxBc4` names the piece taken as well as its square: without it the move is in SAN.
fn without_victim(c: &[Char], letters: &Letters) -> Vec<Char> {
    let mut out = c.to_vec();
    let cross = c.iter().position(|c| matches!(c.c, 'x' | 'X' | ':'));
    if let Some(at) = cross.map(|i| i + 1)
        && let Some(victim) = c.get(at).filter(|v| v.raw.is_uppercase() || figurine(v.raw).is_some())
        && letters.piece(&[victim.raw]).is_some()
        && c.get(at + 1).is_some_and(|f| ('a'..='h').contains(&f.c))
        && c.get(at + 2).is_some_and(|r| ('1'..='8').contains(&r.c))
    {
        out.remove(at);
    }
    out
}

fn parse_castle(c: &[Char]) -> Option<Form> {
    let rings = c.iter().take_while(|c| matches!(c.c, 'O' | 'o' | '0' | '-')).filter(|c| c.c != '-').count();
    let first = matches!(c[0].c, 'O' | 'o' | '0');
    let end = c.iter().take_while(|c| matches!(c.c, 'O' | 'o' | '0' | '-')).count();
    let side = match rings {
        2 if first => CastlingSide::KingSide,
        3 if first => CastlingSide::QueenSide,
        _ => return None,
    };
    Some(Form::Castle(side, sign(&c[end..])))
}

fn parse_move(c: &[Char], letters: &Letters) -> Option<Form> {
    let raw: Vec<char> = c.iter().map(|c| if figurine(c.raw).is_some() { c.raw } else { c.c }).collect();
    let original: Vec<char> = c.iter().map(|c| c.raw).collect();
    let is_file = |c: char| ('a'..='h').contains(&c);
    // A capital (or figurine) that is a piece letter and not the file of `E4`.
    let capital_file = ('A'..='H').contains(&raw[0]) && raw.get(1).is_some_and(|c| ('1'..='8').contains(c));
    let piece = letters.piece(&original).or_else(|| letters.piece(&raw));
    let lettered = word::is_piece(raw[0]) && !is_file(raw[0]) && !(capital_file && piece.is_none());
    if lettered && let Some(found) = squares(&raw, letter_len(&raw)) {
        // What stands before the squares must be a letter that the language knows.
        let (role, len) = piece?;
        let at = if len == letter_len(&raw) { found } else { squares(&raw, len)? };
        return finish(c, &raw, at, Some(role), None, letters);
    }
    let filed = |i: usize| raw.get(i).is_some_and(|c| is_file(*c));
    let doubled =
        filed(0) && filed(1) && (filed(2) || (matches!(raw.get(2), Some('x' | 'X' | ':' | '-')) && filed(3)));
    if doubled && rank_of(raw.get(2)).is_none() && squares(&raw, 0).is_none_or(|s| s.to_rank.is_none()) {
        let role = piece?.0;
        return finish(c, &raw, squares(&raw, 1)?, Some(role), None, letters);
    }
    let at = squares(&raw, 0)?;
    let lower =
        if is_file(raw[0]) && at.file.is_some() && at.rank.is_none() { piece.map(|p| p.0) } else { None };
    let coordinates = at.file.is_some() && at.rank.is_some();
    // No pawn goes from the b-file to b3 by way of its letter, nor two files away: `bb3`, `ca5` name pieces.
    let beyond = !coordinates && at.file.is_some_and(|f| i32::from(f).abs_diff(i32::from(at.to_file)) != 1);
    let (role, lower) = match (coordinates, lower) {
        (true, _) => (None, None),
        (false, Some(piece)) if beyond => (Some(piece), None),
        (false, lower) => (Some(Role::Pawn), lower),
    };
    let at = if role.is_some_and(|r| r != Role::Pawn) { Squares { file: None, ..at } } else { at };
    finish(c, &raw, at, role, lower, letters)
}

fn letter_len(raw: &[char]) -> usize {
    match (raw[0], raw.get(1)) {
        ('K', Some('t')) => 2,
        ('К' | 'K', Some('р' | 'Р' | 'p')) => 2,
        _ => 1,
    }
}

fn finish(
    c: &[Char],
    raw: &[char],
    at: Squares,
    role: Option<Role>,
    lower: Option<Role>,
    letters: &Letters,
) -> Option<Form> {
    let mut rest = at.end;
    let mut promotion = None;
    // A capture told by files alone, `hg=Q`, must say that it promotes; so must a move to where nothing promotes.
    let at_the_end = at.to_rank.is_some_and(|r| matches!(r, Rank::First | Rank::Eighth));
    let promotes = at_the_end || raw.get(rest) == Some(&'=');
    if promotes {
        let mut i = rest;
        if matches!(raw.get(i), Some('+' | '#')) && raw.get(i + 1) == Some(&'=') {
            i += 1;
        }
        let from = i;
        while matches!(raw.get(i), Some('=' | '(' | '/' | '-' | ':')) {
            i += 1;
        }
        let original: Vec<char> = c[i.min(c.len())..].iter().map(|c| c.raw).collect();
        let word_sign =
            sign(&c[i.min(c.len())..]) != Sign::None && !matches!(raw.get(i), Some(c) if c.is_uppercase());
        if let Some((role, len)) =
            letters.piece(&original).or_else(|| super::letters::ENGLISH.piece(&original))
            && (role != Role::Pawn || i > from)
            && (i > from || !word_sign)
        {
            promotion = Some(role);
            rest = i + len;
            if raw.get(rest) == Some(&')') {
                rest += 1;
            }
        } else if i > from && (at_the_end || at.to_rank.is_none()) {
            return None;
        }
    }
    if promotion.is_some() && at_the_end && !matches!(role, None | Some(Role::Pawn)) {
        return None;
    }
    let tail = &c[rest.min(c.len())..];
    let capture = at.capture || tail.first().is_some_and(|c| c.c == ':');
    // A sign before the promotion, `gxh1+=Q`, is left aside: it was written before the piece was there to give check.
    let sign = sign(tail);
    Some(Form::Move(Written {
        role,
        file: at.file,
        rank: at.rank,
        capture,
        to_file: at.to_file,
        to_rank: at.to_rank,
        promotion,
        or_piece: lower,
        sign,
    }))
}

struct Squares {
    file: Option<File>,
    rank: Option<Rank>,
    capture: bool,
    to_file: File,
    to_rank: Option<Rank>,
    end: usize,
}

fn file_of(c: Option<&char>) -> Option<File> {
    c.and_then(|c| File::from_char(c.to_ascii_lowercase()))
}

fn rank_of(c: Option<&char>) -> Option<Rank> {
    c.and_then(|c| Rank::from_char(*c))
}

fn squares(raw: &[char], at: usize) -> Option<Squares> {
    let square = |i: usize| Some((file_of(raw.get(i))?, rank_of(raw.get(i + 1))?));
    let sep = |i: usize| match raw.get(i) {
        Some('x' | 'X' | ':' | '*') => (i + 1, true),
        Some('-') => (i + 1, false),
        _ => (i, false),
    };
    let make = |file, rank, capture, to: (File, Rank), end| {
        Some(Squares { file, rank, capture, to_file: to.0, to_rank: Some(to.1), end })
    };
    if let Some(from) = square(at) {
        let (next, capture) = sep(at + 2);
        return match square(next) {
            Some(to) => make(Some(from.0), Some(from.1), capture, to, next + 2),
            None => make(None, None, false, from, at + 2),
        };
    }
    let (file, rank) = (file_of(raw.get(at)), rank_of(raw.get(at)));
    if file.is_some() || rank.is_some() {
        let (next, capture) = sep(at + 1);
        if let Some(to) = square(next) {
            return make(file, rank, capture, to, next + 2);
        }
        // `exd`, `ed`.
        if let (Some(file), Some(to)) = (file, file_of(raw.get(next)))
            && rank_of(raw.get(next + 1)).is_none()
        {
            return Some(Squares {
                file: Some(file),
                rank: None,
                capture: true,
                to_file: to,
                to_rank: None,
                end: next + 1,
            });
        }
        return None;
    }
    let (next, capture) = sep(at);
    square(next).filter(|_| next > at).and_then(|to| make(None, None, capture, to, next + 2))
}

/// The check sign that a move's tail holds.
fn sign(tail: &[Char]) -> Sign {
    let text: String = tail.iter().map(|c| c.c.to_ascii_lowercase()).collect();
    let raw: String = tail.iter().map(|c| c.raw).collect();
    if text.contains('#') || text.contains("mat") || raw.contains('‡') {
        return Sign::Mate;
    }
    match text.matches('+').count() {
        0 if text.contains("ch") => Sign::Check,
        0 => Sign::None,
        1 => Sign::Check,
        _ => Sign::Double,
    }
}

/// English descriptive notation: a piece, a dash or cross, and a piece's file or a piece: `P-K4`, `N-KB3`, `PxP`, `B-N5ch`.
fn is_descriptive(c: &[Char]) -> bool {
    let text: String = c.iter().map(|c| c.c).collect();
    let Some((left, right)) = text.split_once(['-', 'x']) else { return false };
    let man = |s: &str| {
        let s = s.split(['(', '/']).next().unwrap_or(s);
        (1..=4).contains(&s.len()) && s.chars().all(|c| matches!(c, 'K' | 'Q' | 'R' | 'B' | 'N' | 'P' | 't'))
    };
    if !man(left) {
        return false;
    }
    let end =
        right.find(|c: char| !matches!(c, 'K' | 'Q' | 'R' | 'B' | 'N' | 'P' | 't')).unwrap_or(right.len());
    let (place, tail) = right.split_at(end);
    if place.is_empty() || place.len() > 4 {
        return false;
    }
    let mut tail = tail.chars();
    match tail.next() {
        None => true,
        Some(c) if ('1'..='8').contains(&c) => tail.next().is_none_or(|c| !c.is_ascii_digit()),
        Some(c) => matches!(c, '+' | '#' | '(' | '/' | '!' | '?' | 'c' | 'm' | 'e'),
    }
}

/// The target square, where one is written in full.
pub fn target(form: &Form) -> Option<Square> {
    match form {
        Form::Move(m) => m.to_rank.map(|r| Square::from_coords(m.to_file, r)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::letters::{ALL, ENGLISH};

    #[test]
    fn canonical_moves_are_read_alike_the_short_way() {
        let files = || std::iter::once(String::new()).chain(('a'..='h').map(String::from));
        let ranks = || std::iter::once(String::new()).chain(('1'..='8').map(String::from));
        for letter in ["", "N", "B", "R", "Q", "K", "P"] {
            for (from_file, from_rank) in files().flat_map(|f| ranks().map(move |r| (f.clone(), r))) {
                for capture in ["", "x", "-"] {
                    for to in Square::ALL {
                        for end in ["", "+", "#", "=Q", "=Q+"] {
                            let word = format!("{letter}{from_file}{from_rank}{capture}{to}{end}");
                            assert_eq!(parse(&word, &ENGLISH), parse_in_full(&word, &ENGLISH), "{word}");
                        }
                    }
                }
            }
        }
    }

    fn english(written: &str) -> String {
        reading(written, &ENGLISH)
    }

    fn in_language(language: &str, written: &str) -> String {
        reading(written, ALL.iter().find(|l| l.languages.contains(language)).expect("a known language"))
    }

    #[test]
    fn many_spellings_have_one_reading() {
        for (written, want) in [
            ("0-0", "O-O"),
            ("o–o", "O-O"),
            ("O-O-O+", "O-O-O+"),
            ("000", "O-O-O"),
            ("e2-e4", "e4"),
            ("Ng1-f3", "Ng1f3"),
            ("e4:d5", "exd5"),
            ("ed5", "exd5"),
            ("ed", "exd"),
            ("d:e", "dxe"),
            ("Q:d5", "Qxd5"),
            ("Qd5:", "Qxd5"),
            ("ed5:", "exd5"),
            ("bxa8Q", "bxa8=Q"),
            ("a8(Q)", "a8=Q"),
            ("a8/N", "a8=N"),
            ("gxh1+=Q", "gxh1=Q"),
            ("e8q", "e8=Q"),
            ("exd6e.p.", "exd6"),
            ("exd6 e.p.", "exd6"),
            ("gxh3ep", "gxh3"),
            ("Qh4ch", "Qh4+"),
            ("Bxg3 mate", "Bxg3#"),
            ("Qxg3†", "Qxg3+"),
            ("Qf7‡", "Qf7#"),
            ("♘f3", "Nf3"),
            ("♙e4", "e4"),
            ("Pe4", "e4"),
            ("nf3", "Nf3"),
            ("--x", "--x"),
            ("E2-E4", "e4"),
            ("Ktf3", "Nf3"),
            ("g1f3", "g1f3"),
        ] {
            assert_eq!(english(written), want, "{written}");
        }
    }

    #[test]
    fn languages_are_translated() {
        assert_eq!(in_language("German", "Sf3"), "Nf3");
        assert_eq!(in_language("German", "e8D+"), "e8=Q+");
        assert_eq!(in_language("Hungarian", "Be1"), "Re1");
        assert_eq!(in_language("French", "Rf1"), "Kf1");
        assert_eq!(in_language("Russian", "Крf1"), "Kf1");
        assert_eq!(in_language("Russian", "Кf3"), "Nf3");
        assert_eq!(in_language("Portuguese", "Cxe5"), "Nxe5");
    }

    #[test]
    fn an_unknown_letter_never_becomes_a_pawn_move() {
        for written in ["Sf3", "Lb5", "Zf3", "Ыf3"] {
            assert_eq!(parse(written, &ENGLISH), Form::Unreadable, "{written}");
        }
    }

    #[test]
    fn a_lower_case_b_is_a_file_that_may_be_a_bishop() {
        let Form::Move(m) = parse("bc4", &ENGLISH) else { panic!("a move") };
        assert_eq!((m.role, m.file, m.or_piece), (Some(Role::Pawn), Some(File::B), Some(Role::Bishop)));
    }

    #[test]
    fn descriptive_notation_and_drops_are_recognised() {
        for written in ["P-K4", "N-KB3", "B-N5ch", "QxQP", "Kt-KB3", "BxN/B6"] {
            assert_eq!(parse(written, &ENGLISH), Form::Descriptive, "{written}");
        }
        assert_eq!(
            parse("RxR+", &ENGLISH),
            Form::Takes { role: Role::Rook, victim: Role::Rook, sign: Sign::Check }
        );
        assert_eq!(english("NxBc4"), "Nxc4");
        assert_eq!(parse("N@f6", &ENGLISH), Form::Drop);
        assert_eq!(parse("e2-e4", &ENGLISH), parse("e2-e4", &ENGLISH));
        assert_ne!(parse("K-e2", &ENGLISH), Form::Descriptive);
    }
}

//! One word of movetext taken apart: numbers, moves, results, glyphs, glued or not; knows nothing of positions.

use super::{outcome, source::char_at};

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

/// Whether the word is a bare pair of squares, `g1f3`.
pub(super) fn is_coordinates(chars: &[Char]) -> bool {
    let core: Vec<char> = chars.iter().map(|c| c.c.to_ascii_lowercase()).collect();
    let square = |i: usize| {
        core.get(i).is_some_and(|c| ('a'..='h').contains(c))
            && core.get(i + 1).is_some_and(|c| ('1'..='8').contains(c))
    };
    square(0) && square(2) && core[..2] != core[2..4] && (core.len() == 4 || !core[4].is_ascii_digit())
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

/// Whether the whole of `c` is a move in canonical SAN, as nearly every word is: that cannot be anything else.
pub(super) fn is_canonical(c: &[Char]) -> bool {
    if c.len() > 8 || c.iter().any(|c| c.c != c.raw || !c.c.is_ascii()) {
        return false;
    }
    let mut bytes = [0; 8];
    c.iter().zip(&mut bytes).for_each(|(c, b)| *b = c.c as u8);
    let word = &bytes[..c.len()];
    let word = word.strip_suffix(b"+").or_else(|| word.strip_suffix(b"#")).unwrap_or(word);
    let squares = match word {
        b"O-O" | b"O-O-O" => return true,
        [b'N' | b'B' | b'R' | b'Q' | b'K', rest @ ..] => {
            let rest = match rest {
                [b'a'..=b'h', b'1'..=b'8', more @ ..] if more.len() >= 2 => more,
                [b'a'..=b'h' | b'1'..=b'8', more @ ..] if more.len() >= 2 => more,
                rest => rest,
            };
            rest.strip_prefix(b"x").unwrap_or(rest)
        }
        [b'a'..=b'h', b'x', rest @ ..] => rest,
        rest => rest,
    };
    matches!(
        squares,
        [b'a'..=b'h', b'1'..=b'8'] | [b'a'..=b'h', b'1' | b'8', b'=', b'N' | b'B' | b'R' | b'Q']
    )
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
            (PieceKind::Move, end)
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
    if matches!(c[at].c, ',' | ';' | '|' | '/' | '-' | ':' | '"' | '\'' | '_' | '~' | '=' | '\\') {
        return (PieceKind::Punctuation, at + 1);
    }
    (PieceKind::Other, word_end(c, at + 1))
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

fn is_null(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    matches!(
        lower.as_str(),
        "z0" | "zo"
            | "0000"
            | "@@@@"
            | "null"
            | "<null>"
            | "pass"
            | "xxx"
            | "xx"
            | "???"
            | "????"
            | "??-??"
            | "[?]"
    ) || (text.len() >= 2 && text.chars().all(|c| matches!(c, '-' | '_')))
}

fn is_suffix_word(text: &str) -> bool {
    let lower = text.to_lowercase();
    let bare = lower.trim_end_matches(['.', ',', '!']);
    matches!(
        bare,
        "e.p"
            | "ep"
            | "a.p"
            | "e.p.+"
            | "ch"
            | "check"
            | "chk"
            | "mate"
            | "checkmate"
            | "matt"
            | "mat"
            | "schach"
            | "echec"
            | "échec"
            | "sah"
            | "+"
            | "++"
            | "#"
            | "##"
            | "dbl"
            | "dblch"
            | "disch"
            | "dis.ch"
            | "+ch"
    )
}

fn is_time(text: &str) -> bool {
    let parts: Vec<&str> = text.trim_matches(['[', ']', '(', ')']).split(':').collect();
    (2..=3).contains(&parts.len())
        && parts[0].len() <= 2
        && parts.iter().all(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
        && parts[1..].iter().all(|p| {
            p.len() >= 2
                && p.as_bytes()[..2].iter().all(u8::is_ascii_digit)
                && (p.len() == 2 || p.as_bytes()[2] == b'.')
        })
}

/// An evaluation sign at the beginning of `text`: its NAG and its length in characters.
pub(super) fn glyph(text: &str, word_start: bool) -> Option<(Option<u8>, usize)> {
    const SIGNS: [(&str, u8); 36] = [
        ("!!", 3),
        ("??", 4),
        ("!?", 5),
        ("?!", 6),
        ("!", 1),
        ("?", 2),
        ("+/-", 16),
        ("-/+", 17),
        ("+/=", 14),
        ("=/+", 15),
        ("+--", 18),
        ("--+", 19),
        ("+-", 18),
        ("-+", 19),
        ("+=", 14),
        ("=+", 15),
        ("±", 16),
        ("∓", 17),
        ("⩲", 14),
        ("⩱", 15),
        ("∞", 13),
        ("□", 7),
        ("⟳", 32),
        ("↑", 36),
        ("→", 40),
        ("⇆", 132),
        ("⊕", 138),
        ("=", 10),
        ("⨀", 22),
        ("⊙", 22),
        ("○", 26),
        ("⯹", 44),
        ("∆", 140),
        ("⌓", 142),
        ("⇄", 132),
        ("~", 13),
    ];
    for (sign, nag) in SIGNS {
        if let Some(rest) = text.strip_prefix(sign) {
            // `=Q` is a promotion cut off from its move.
            if sign == "=" && rest.starts_with(char::is_alphabetic) {
                return None;
            }
            return Some((Some(nag), sign.chars().count()));
        }
    }
    let bare = text.trim_end_matches(['.', ',']);
    match bare {
        "N" | "TN" => Some((Some(146), bare.len())),
        "D" if word_start => Some((Some(220), 1)),
        "RR" | "ZZ" if word_start => Some((None, 2)),
        _ => None,
    }
}

fn is_file(c: char) -> bool {
    ('a'..='h').contains(&c)
}

fn is_rank(c: char) -> bool {
    ('1'..='8').contains(&c)
}

fn is_separator(c: char) -> bool {
    matches!(c, 'x' | 'X' | ':' | '-' | '*')
}

/// Whether a chess piece can stand behind the character: any letter, or a figurine.
pub(super) fn is_piece(c: char) -> bool {
    ('♔'..='♟').contains(&c) || (c.is_alphabetic() && !matches!(c, 'x' | 'X' | 'o' | 'ª' | 'º'))
}

/// The end of the move that begins at `at`, promotion, check signs and `e.p.` included.
pub(super) fn move_end(c: &[Char], at: usize) -> Option<usize> {
    let get = |i: usize| c.get(i).map_or('\0', |c| c.c);
    if let Some(end) = castling_end(c, at) {
        return Some(suffix_end(c, end));
    }
    // A drop: `N@f6`, `@e4`.
    let drop =
        if get(at) == '@' { Some(at) } else { (is_piece(get(at)) && get(at + 1) == '@').then_some(at + 1) };
    if let Some(sign) = drop {
        return (is_file(get(sign + 1)) && is_rank(get(sign + 2))).then(|| suffix_end(c, sign + 3));
    }
    // Old English `Kt`, Russian `Кр`.
    let letters = match (get(at), get(at + 1)) {
        ('K', 't') | ('К', 'р' | 'Р' | 'p') | ('K', 'р' | 'p') => 2,
        (first, _) if is_piece(first) && !is_file(first) => 1,
        _ => 0,
    };
    if letters > 0
        && let Some(end) = squares_end(c, at + letters, false).or_else(|| squares_end(c, at + letters, true))
    {
        return Some(suffix_end(c, promotion_end(c, end)));
    }
    if let Some(end) = squares_end(c, at, false).or_else(|| squares_end(c, at, true)) {
        return Some(suffix_end(c, promotion_end(c, end)));
    }
    // A capture that names the piece taken: `RxR`, `NxBc4`.
    let capital = |i: usize| is_piece(get(i)) && (get(i).is_uppercase() || ('♔'..='♟').contains(&get(i)));
    if capital(at) && matches!(get(at + 1), 'x' | 'X' | ':') && capital(at + 2) {
        if is_file(get(at + 3)) && is_rank(get(at + 4)) {
            return Some(suffix_end(c, at + 5));
        }
        if !get(at + 3).is_alphanumeric() || suffix_end(c, at + 3) > at + 3 {
            return Some(suffix_end(c, at + 3));
        }
    }
    // A lower-case piece letter that is also a file, told by the files behind it: `cbd2`, `fexd5`.
    if is_file(get(at))
        && is_file(get(at + 1))
        && (is_file(get(at + 2)) || (is_separator(get(at + 2)) && is_file(get(at + 3))))
        && let Some(end) = squares_end(c, at + 1, false)
    {
        return Some(suffix_end(c, end));
    }
    // Pawn captures by file alone: `ed`, `exd`, `d:e`.
    let crossed = is_separator(get(at + 1)) && get(at + 1) != '-';
    let second = at + 1 + usize::from(crossed);
    let (a, b) = (get(at), get(second));
    if is_file(a)
        && is_file(b)
        && u32::from(a).abs_diff(u32::from(b)) == 1
        && !get(second + 1).is_alphanumeric()
    {
        let promoted =
            if get(second + 1) == '=' && is_piece(get(second + 2)) { second + 3 } else { second + 1 };
        return Some(suffix_end(c, promoted));
    }
    None
}

fn castling_end(c: &[Char], at: usize) -> Option<usize> {
    let get = |i: usize| c.get(i).map_or('\0', |c| c.c);
    let ring = |i: usize| matches!(get(i), 'O' | 'o' | '0');
    if !ring(at) {
        return None;
    }
    if get(at + 1) == '-' && ring(at + 2) {
        let end = if get(at + 3) == '-' && ring(at + 4) { at + 5 } else { at + 3 };
        return (!matches!(get(end), '.' | ',' | '/') || end == c.len() || !get(end + 1).is_ascii_digit())
            .then_some(end);
    }
    let run = (at..c.len()).take_while(|&i| ring(i)).count();
    let rest_ok = !get(at + run).is_alphanumeric() && !matches!(get(at + run), '-' | '.' | ':');
    ((2..=3).contains(&run) && rest_ok).then_some(at + run)
}

/// The end of `f3`, `gf3`, `1f3`, `g1f3`, `g1-f3`, `xf3` at `at`; `upper`: files may be capitals.
fn squares_end(c: &[Char], at: usize, upper: bool) -> Option<usize> {
    let get = |i: usize| {
        let c = c.get(i).map_or('\0', |c| c.c);
        if upper && ('A'..='H').contains(&c) { c.to_ascii_lowercase() } else { c }
    };
    let square = |i: usize| is_file(get(i)) && is_rank(get(i + 1));
    let after_sep = |i: usize| if is_separator(get(i)) { i + 1 } else { i };
    if square(at) {
        let next = after_sep(at + 2);
        // `e4-` alone is `e4` with a dash behind it.
        return Some(if square(next) { next + 2 } else { at + 2 });
    }
    if is_file(get(at)) || is_rank(get(at)) {
        let next = after_sep(at + 1);
        if square(next) {
            return Some(next + 2);
        }
    }
    let next = after_sep(at);
    (next > at && square(next)).then_some(next + 2)
}

/// Behind a promotion in any spelling, if one stands at `at` behind a square of the first or last rank.
fn promotion_end(c: &[Char], at: usize) -> usize {
    let get = |i: usize| c.get(i).map_or('\0', |c| c.c);
    if at == 0 || !matches!(get(at - 1), '1' | '8') {
        return at;
    }
    let mut i = at;
    if matches!(get(i), '+' | '#') && get(i + 1) == '=' {
        i += 1;
    }
    let mut signed = false;
    while matches!(get(i), '=' | '(' | '/' | '-' | ':') && i < at + 4 {
        signed = true;
        i += 1;
    }
    if !is_piece(get(i)) {
        return at;
    }
    let next = get(i + 1);
    // Without a sign the letter could begin the next move or a check word.
    if !signed && (is_file(next) || is_rank(next) || matches!(next, 'x' | ':')) {
        return at;
    }
    if signed && is_rank(next) {
        return at;
    }
    i += 1;
    if get(i) == ')' {
        i += 1;
    }
    i
}

/// Behind check signs, mate words, `e.p.` and the colon that marks a capture afterwards.
fn suffix_end(c: &[Char], at: usize) -> usize {
    let get = |i: usize| c.get(i).map_or('\0', |c| c.c.to_ascii_lowercase());
    let word = |i: usize, w: &str| w.chars().enumerate().all(|(k, x)| get(i + k) == x);
    let mut i = at;
    'more: loop {
        if get(i) == '+' && matches!(get(i + 1), '-' | '/' | '=') {
            return i;
        }
        if matches!(get(i), '+' | '#') {
            i += 1;
            continue;
        }
        if get(i) == ':' && i == at && !get(i + 1).is_alphanumeric() {
            i += 1;
            continue;
        }
        for w in [
            "(e.p.)",
            "(ep)",
            "e.p.",
            "e.p",
            "a.p.",
            "ep.",
            "ep",
            "checkmate",
            "check",
            "chk",
            "ch.",
            "ch",
            "mate",
            "matt",
            "mat",
            "schach",
            "echec",
            "échec",
        ] {
            let after = i + w.chars().count();
            if word(i, w) && !get(after).is_alphanumeric() {
                i = after;
                continue 'more;
            }
        }
        return i;
    }
}

/// Where the second of two moves may begin in what looks like one (`e4e5`, `Nf3d5`, `Bb5a6`), and whether one piece could
/// go that way.
pub(super) fn seam(text: &str) -> Option<(usize, bool)> {
    let chars: Vec<Char> = text
        .char_indices()
        .map(|(i, raw)| Char { c: plain(raw), raw, start: i, end: i + raw.len_utf8() })
        .collect();
    let to = move_end(&chars, 0)?;
    let (cut, fits) = unglue(&chars, 0, to)?;
    Some((chars[cut].start, fits))
}

/// The place between the two squares of a move without a sign between them, and whether one piece could go that way.
fn unglue(c: &[Char], at: usize, to: usize) -> Option<(usize, bool)> {
    let get = |i: usize| c.get(i).map_or('\0', |c| c.c);
    let square = |i: usize| is_file(get(i)) && is_rank(get(i + 1));
    let lettered = is_piece(get(at)) && !is_file(get(at));
    let first = if lettered { at + 1 } else { at };
    if to < first + 4 || !square(first) || !square(first + 2) {
        return None;
    }
    let (f1, r1, f2, r2) =
        (get(first) as i32, get(first + 1) as i32, get(first + 2) as i32, get(first + 3) as i32);
    let (df, dr) = ((f1 - f2).abs(), (r1 - r2).abs());
    let fits = if lettered {
        match get(at) {
            'N' | '♘' | '♞' => df * dr == 2,
            'B' | '♗' | '♝' => df == dr,
            'R' | '♖' | '♜' => df * dr == 0,
            'Q' | '♕' | '♛' => df * dr == 0 || df == dr,
            'K' | '♔' | '♚' => df <= 1 && dr <= 1,
            _ => true,
        }
    } else {
        // `e2e4` can only be one move: no move goes to e2 or e7 and on from there at once.
        let home = (get(first + 1) == '2' && r2 > r1) || (get(first + 1) == '7' && r2 < r1);
        let promotes = matches!((get(first + 1), get(first + 3)), ('7', '8') | ('2', '1'));
        (home && df <= 1 && dr <= 2) || (promotes && df <= 1)
    };
    Some((first + 2, fits))
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

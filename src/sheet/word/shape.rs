//! The shape of a move in its many spellings: where it ends.

use super::Char;

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

/// Whether the word is a bare pair of squares, `g1f3`.
pub(in crate::sheet) fn is_coordinates(chars: &[Char]) -> bool {
    let core: Vec<char> = chars.iter().map(|c| c.c.to_ascii_lowercase()).collect();
    let square = |i: usize| {
        core.get(i).is_some_and(|c| ('a'..='h').contains(c))
            && core.get(i + 1).is_some_and(|c| ('1'..='8').contains(c))
    };
    square(0) && square(2) && core[..2] != core[2..4] && (core.len() == 4 || !core[4].is_ascii_digit())
}

/// The end of the move that begins at `at`, promotion, check signs and `e.p.` included.
pub(in crate::sheet) fn move_end(c: &[Char], at: usize) -> Option<usize> {
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

pub(super) fn castling_end(c: &[Char], at: usize) -> Option<usize> {
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
        // Where no pawn promotes it is a slip of the pen, if nothing else: `e5=Q`, but not the even `e5=`.
        let slip = get(at) == '=' && get(at + 1).is_uppercase() && !get(at + 2).is_alphanumeric();
        return if slip { at + 2 } else { at };
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

/// What may stick to the end of a move, check signs apart; a word before those that it begins with.
const SUFFIXES: [&str; 18] = [
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
];

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
        for w in SUFFIXES {
            let after = i + w.chars().count();
            if word(i, w) && !get(after).is_alphanumeric() {
                i = after;
                continue 'more;
            }
        }
        return i;
    }
}

/// Whether a chess piece can stand behind the character: any letter, or a figurine.
pub(in crate::sheet) fn is_piece(c: char) -> bool {
    ('♔'..='♟').contains(&c) || (c.is_alphabetic() && !matches!(c, 'x' | 'X' | 'o' | 'ª' | 'º'))
}

pub(super) fn is_file(c: char) -> bool {
    ('a'..='h').contains(&c)
}

pub(super) fn is_rank(c: char) -> bool {
    ('1'..='8').contains(&c)
}

fn is_separator(c: char) -> bool {
    matches!(c, 'x' | 'X' | ':' | '-' | '*')
}

//! Two moves written as one: where the second begins.

use super::{
    Char, plain,
    shape::{is_file, is_piece, is_rank, move_end},
};

/// Where the second of two moves may begin in what looks like one (`e4e5`, `Nf3d5`, `Bb5a6`), and whether one piece could
/// go that way.
pub(in crate::sheet) fn seam(text: &str) -> Option<(usize, bool)> {
    let chars: Vec<Char> = text
        .char_indices()
        .map(|(i, raw)| Char { c: plain(raw), raw, start: i, end: i + raw.len_utf8() })
        .collect();
    let to = move_end(&chars, 0)?;
    let (cut, fits) = unglue(&chars, 0, to)?;
    Some((chars[cut].start, fits))
}

/// Whether a move with a piece's letter names the square that it comes from in full and one piece could go that way;
/// `None` for what has no such letter.
pub(in crate::sheet) fn is_long(text: &str) -> Option<bool> {
    let bare: String = text.chars().map(plain).filter(|c| !matches!(c, 'x' | 'X' | ':' | '-')).collect();
    let first = bare.chars().next()?;
    if !is_piece(first) || is_file(first) || !bare.chars().skip(1).any(|c| c.is_ascii_digit()) {
        return None;
    }
    Some(seam(&bare).is_some_and(|(_, fits)| fits))
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
            // Castling is written by the king's squares too.
            'K' | '♔' | '♚' => df <= 1 && dr <= 1 || df == 2 && dr == 0 && r1 == r2,
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

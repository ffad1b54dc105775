//! Unreadable entries: a move with a slip in it, or a word of prose.

use shakmaty::Color;

use super::Builder;
use crate::sheet::word::PieceKind;

impl Builder<'_> {
    /// Whether an entry that is no move stands where one is due, or looks like one with a slip in it.
    pub(super) fn is_unreadable_move(&mut self, at: usize) -> bool {
        let text = &self.items[at].text;
        let len = text.chars().count();
        if len > 9 {
            return false;
        }
        if shaped_like_a_move(text) {
            return true;
        }
        if len > 7 || is_common_word(text) {
            return false;
        }
        let next = self.piece_after(at);
        let line = self.line();
        if line.pending.is_some() {
            return !matches!(next, Some(PieceKind::Other))
                && (len <= 5 || matches!(next, Some(PieceKind::Move)));
        }
        line.since == 1
            && !line.slots.is_empty()
            && len <= 5
            && matches!((line.next, next), (Some((m, Color::Black)), Some(PieceKind::Number(n, _))) if n == m + 1)
    }
}

/// A move with a slip in it: short, a letter and a digit or square-like, as `Nf9`, `eS`, `BbS`, `Bx`.
fn shaped_like_a_move(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let digit = chars.iter().any(|c| c.is_ascii_digit());
    let file = chars.iter().any(|c| ('a'..='h').contains(c));
    let letters = chars.iter().filter(|c| c.is_alphabetic()).count();
    let signs = chars
        .iter()
        .filter(|c| {
            !c.is_alphanumeric()
                && !matches!(c, '-' | '=' | '+' | '#' | ':' | '(' | ')' | '/' | '@' | '?' | '*')
        })
        .count();
    if signs > 0 || chars.is_empty() {
        return false;
    }
    if digit && letters > 0 {
        return chars.len() <= 8 && !is_ordinal(text);
    }
    let capital = chars.iter().any(|c| matches!(c, 'K' | 'Q' | 'R' | 'B' | 'N' | 'S' | 'Z' | 'O'));
    // Descriptive notation: `P-K4` has its digit; `PxP` has not.
    let descriptive = chars.len() == 3
        && matches!(chars[1], 'x' | '-')
        && chars[0].is_uppercase()
        && chars[2].is_uppercase();
    descriptive
        || (letters == chars.len()
            && (2..=4).contains(&chars.len())
            && capital
            && (file || chars[1..].contains(&'x'))
            && !is_common_word(text))
}

fn is_ordinal(text: &str) -> bool {
    let tail = text.trim_start_matches(|c: char| c.is_ascii_digit());
    matches!(tail, "st" | "nd" | "rd" | "th" | "min" | "s" | "h" | "m" | "sec")
}

fn is_common_word(text: &str) -> bool {
    const WORDS: [&str; 44] = [
        "a", "and", "the", "with", "for", "not", "but", "is", "of", "to", "in", "on", "at", "by", "if", "it",
        "or", "now", "here", "white", "black", "better", "only", "move", "idea", "wins", "draw", "time",
        "but", "so", "no", "yes", "also", "then", "this", "that", "was", "novelty", "best", "bad", "good",
        "rb", "both", "be",
    ];
    WORDS.contains(&text.to_lowercase().as_str())
}

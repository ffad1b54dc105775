//! Words and signs of movetext that are no moves: placeholders, check words, clock times, evaluation signs.

/// A placeholder for a move.
pub(super) fn is_null(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    matches!(
        lower.as_str(),
        "z0" | "zo"
            | "0000"
            | "@@@@"
            | "null"
            | "<null>"
            | "<>"
            | "pass"
            | "xxx"
            | "xx"
            | "???"
            | "????"
            | "??-??"
            | "[?]"
    ) || (text.len() >= 2 && text.chars().all(|c| matches!(c, '-' | '_')))
}

/// A check word or `e.p.` that stands alone.
pub(super) fn is_suffix_word(text: &str) -> bool {
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

/// A clock time.
pub(super) fn is_time(text: &str) -> bool {
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

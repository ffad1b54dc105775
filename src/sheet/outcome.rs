//! Every way of writing a result, and where one is written that is missing.

use super::Game;
use crate::finding::TextEdit;

/// What a written result means: `1-0`, `0-1`, `1/2-1/2`, `*`, or `0-0` for a double forfeit; `None` if it is no result.
///
/// `O-O` and the like are castling, not results; `0-0` can be either, and the caller has to know which.
pub fn parse(written: &str) -> Option<&'static str> {
    let lower = written.to_lowercase();
    // `1-0 (time)`, `draw agreed`: the first part says it.
    let first = lower.split(['(', '[', '{']).next().unwrap_or("").trim();
    if first.len() < lower.len() && !first.is_empty() {
        return parse(first);
    }
    if let Some((first, rest)) = lower.split_once(' ')
        && rest.len() > 2
        && let Some(found) = one(first)
    {
        return Some(found);
    }
    one(&lower)
}

/// The change that puts the result `value` where the movetext ends, in a game that has no terminator.
///
/// `text` is what the game's spans count in.
pub fn at_the_end(text: &[u8], game: &Game, value: &str) -> TextEdit {
    let at = game.movetext_end;
    let line_end = line_end(text);
    let last_line = text[..at].rsplit(|b| matches!(b, b'\n' | b'\r')).next().unwrap_or_default();
    // Behind a tag, a comment to the end of the line or an escaped line, it needs a line of its own.
    let own_line = last_line.contains(&b';') || matches!(last_line.first(), Some(b'%' | b'['));
    let gap = match (at == game.span.start, own_line) {
        (true, _) => "",
        (false, true) => line_end,
        (false, false) => " ",
    };
    let blank = if last_line.first() == Some(&b'[') { line_end } else { "" };
    TextEdit::insert(at, format!("{blank}{gap}{value}"))
}

/// The line end that the text uses first; a line feed where it has none.
pub fn line_end(text: &[u8]) -> &'static str {
    match text.iter().position(|b| matches!(b, b'\n' | b'\r')) {
        Some(at) if text[at] == b'\r' && text.get(at + 1) == Some(&b'\n') => "\r\n",
        Some(at) if text[at] == b'\r' => "\r",
        _ => "\n",
    }
}

fn one(lower: &str) -> Option<&'static str> {
    let text: String = lower
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '\u{FEFF}' && *c != '\u{200B}')
        .map(|c| match c {
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' | '\u{FF0D}' => '-',
            '\u{2236}' | '\u{FF1A}' => ':',
            '\u{2044}' => '/',
            c => c,
        })
        .collect();
    let text = text.trim_matches(|c| matches!(c, '.' | ',' | ';' | '"' | '\'' | '!' | '(' | ')'));
    if text == "5-.5" || text == "5-0.5" {
        return Some("1/2-1/2");
    }
    if let Some(result) = word(text) {
        return Some(result);
    }
    for (at, sep) in text.char_indices().filter(|(_, c)| matches!(c, '-' | ':' | '_' | '/' | '=')) {
        let (left, right) = (&text[..at], &text[at + sep.len_utf8()..]);
        // `1 - 0` typed with a doubled dash.
        let right = right.strip_prefix('-').filter(|r| sep == '-' && !r.is_empty()).unwrap_or(right);
        match (points(left), points(right)) {
            (Some(2), Some(0)) => return Some("1-0"),
            (Some(0), Some(2)) => return Some("0-1"),
            (Some(1), Some(1)) => return Some("1/2-1/2"),
            (Some(0), Some(0)) if left == "0" && right == "0" && matches!(sep, '-' | ':') => {
                return Some("0-0");
            }
            _ => {}
        }
        if sep == ':' && (left, right) == ("+", "-") {
            return Some("1-0");
        }
        if sep == ':' && (left, right) == ("-", "+") {
            return Some("0-1");
        }
        if sep == ':' && (left, right) == ("-", "-") {
            return Some("0-0");
        }
    }
    None
}

/// Half points of one player.
fn points(text: &str) -> Option<u8> {
    match text {
        "1" | "l" | "i" | "1.0" | "1,0" | "1f" => Some(2),
        "0" | "o" | "0.0" | "0,0" | "0f" => Some(0),
        "½" | "1/2" | "0.5" | "0,5" | ".5" | ",5" | "1/2." | "0½" => Some(1),
        _ => None,
    }
}

fn word(text: &str) -> Option<&'static str> {
    const DRAWN: [&str; 26] = [
        "½",
        "0.5",
        "0,5",
        "1/2",
        "remis",
        "remise",
        "draw",
        "drawn",
        "remi",
        "remiza",
        "remíza",
        "nul",
        "nulle",
        "tablas",
        "patta",
        "empate",
        "döntetlen",
        "ничья",
        "нічия",
        "реми",
        "tasapeli",
        "jafntefli",
        "uavgjort",
        "oavgjort",
        "viik",
        "gelijkspel",
    ];
    const WHITE: [&str; 8] = [
        "whitewins",
        "whitewon",
        "blackresigns",
        "blackresigned",
        "weißgewinnt",
        "weissgewinnt",
        "schwarzgibtauf",
        "lesblancsgagnent",
    ];
    const BLACK: [&str; 8] = [
        "blackwins",
        "blackwon",
        "whiteresigns",
        "whiteresigned",
        "schwarzgewinnt",
        "weißgibtauf",
        "weissgibtauf",
        "lesnoirsgagnent",
    ];
    match text {
        "*" => Some("*"),
        t if DRAWN.contains(&t) => Some("1/2-1/2"),
        t if WHITE.contains(&t) => Some("1-0"),
        t if BLACK.contains(&t) => Some("0-1"),
        _ => None,
    }
}

/// Whether it is one of the four terminators of the PGN standard, to the byte.
pub fn is_standard(written: &str) -> bool {
    matches!(written, "1-0" | "0-1" | "1/2-1/2" | "*")
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn wins_draws_and_forfeits_in_many_hands() {
        for written in ["1-0", "1:0", "1-O", "l-0", "1 - 0", "1–0", "1.0-0.0", "+:-", "1/0", "1--0", "1_0"]
        {
            assert_eq!(parse(written), Some("1-0"), "{written}");
        }
        for written in ["0-1", "0:1", "O-1", "0—1", "o:l", "-:+"] {
            assert_eq!(parse(written), Some("0-1"), "{written}");
        }
        for written in [
            "1/2-1/2",
            "½-½",
            "½–½",
            "½",
            "0.5",
            "0,5",
            "1/2",
            "0.5-0.5",
            "0,5:0,5",
            ".5-.5",
            "1/2 : 1/2",
            "remis",
            "Draw.",
            "1⁄2-1⁄2",
        ] {
            assert_eq!(parse(written), Some("1/2-1/2"), "{written}");
        }
        assert_eq!(parse("0-0"), Some("0-0"));
        assert_eq!(parse("-:-"), Some("0-0"));
    }

    #[test]
    fn castling_and_glyphs_are_no_results() {
        for written in ["O-O", "0-O", "o-o-o", "0-0-0", "+-", "+/-", "=", "--", "-", "1", "0", "e4", ""] {
            assert_eq!(parse(written), None, "{written}");
        }
    }
}

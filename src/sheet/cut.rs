//! Where one game ends and the next begins: the one rule that streaming and reading share.
//!
//! A game begins at a *head*: a line that opens with a tag pair and does not continue the tag section above it.
//! Text before the first head that holds no move belongs to the first game.
//! A head inside an open `{` counts where the brace is never closed, or another brace opens before it closes:
//! an unclosed comment must not swallow the next game.

use super::{outcome, source::BOM};

/// Braces are looked for this far behind a head inside an open comment, so that streaming stays bounded.
const LOOK_AHEAD: usize = 1 << 20;

/// So many lines that are no tags may stand in the midst of a tag section.
const LITTER: usize = 3;

/// The answer of [`next_game_start`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The next game begins at this byte: the start of a line.
    At(usize),
    /// No further game begins in the text.
    End,
    /// It cannot be told before more text has come (never the answer where the text is `complete`).
    NeedMore,
}

/// Where the game after the one that begins at `from` begins.
///
/// `from` is 0 or an earlier answer. `complete` says whether `text` reaches to the end of the file; where it does not,
/// the answer is the same as for the whole file or [`Cut::NeedMore`]. Runs in time linear in the bytes passed over.
pub fn next_game_start(text: &[u8], from: usize, complete: bool) -> Cut {
    let mut scan = Scan { text, complete, comment_end: from, moves_before: None };
    scan.run(from)
}

/// The byte ranges of all games of a text, in order, without gaps; at least one unless the text is empty.
pub fn slices(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let (mut out, mut from) = (Vec::new(), 0);
    while from < text.len() {
        let end = match next_game_start(text, from, true) {
            Cut::At(at) => at,
            Cut::End | Cut::NeedMore => text.len(),
        };
        out.push(from..end);
        from = end;
    }
    out
}

struct Scan<'a> {
    text: &'a [u8],
    complete: bool,
    /// End of the last brace comment passed.
    comment_end: usize,
    /// Whether the text before the first head holds moves, once known.
    moves_before: Option<bool>,
}

impl Scan<'_> {
    fn run(&mut self, from: usize) -> Cut {
        let first = skip_bom(self.text, from);
        // The game's own head at `from` is no cut.
        let mut headed = false;
        let mut at = first;
        if let Some(line) = head_line(self.text, skip_quoting(self.text, first)) {
            headed = true;
            at = line.end;
        }
        while let Some(found) = memchr::memchr2(b'{', b'[', &self.text[at..]).map(|i| i + at) {
            if self.text[found] == b'{' {
                if self.in_line_comment(found) {
                    at = line_end(self.text, found);
                    continue;
                }
                match self.comment(found) {
                    Brace::Closed(end) => {
                        at = end;
                        self.comment_end = end;
                    }
                    Brace::Head(head) => return Cut::At(head),
                    Brace::Open => return self.end(),
                }
                continue;
            }
            let Some(start) = line_start_before(self.text, found, first) else {
                at = found + 1;
                continue;
            };
            if !self.complete && memchr::memchr2(b'\n', b'\r', &self.text[found..]).is_none() {
                return Cut::NeedMore;
            }
            let Some(line) = head_line(self.text, found) else {
                at = found + 1;
                continue;
            };
            if !headed {
                let moves = match self.moves_before {
                    Some(known) => known,
                    None => holds_moves(&self.text[first..start]),
                };
                self.moves_before = Some(moves);
                if moves && start > first {
                    return Cut::At(start);
                }
                headed = true;
                at = line.end;
                continue;
            }
            if self.begins_game(start, first, &line) {
                return Cut::At(start);
            }
            at = line.end;
        }
        self.end()
    }

    fn end(&self) -> Cut {
        if self.complete { Cut::End } else { Cut::NeedMore }
    }

    /// Whether the head that starts at `start` opens a game, given what stands above it.
    fn begins_game(&self, start: usize, first: usize, line: &HeadLine) -> bool {
        let above = last_text_line(self.text, first, start);
        let Some((above_start, blank_between)) = above else { return false };
        match head_line(self.text, skip_quoting(self.text, above_start)) {
            // Below a tag: a new game only where a blank line lies between and the tag section starts over.
            Some(_) if !holds_moves(behind_bracket(&self.text[above_start..start])) => {
                blank_between && self.block_has(first, start, &self.text[line.name.clone()])
            }
            // Moves behind a tag on its line: the game has begun.
            Some(_) => line.quoted || blank_between,
            None => match self.litter_between_tags(first, start) {
                Some(litter) => self.block_has(first, litter, &self.text[line.name.clone()]),
                None => line.quoted || blank_between,
            },
        }
    }

    /// Where lines that hold neither move nor result begin, if nothing else parts the head at `start` from the tag
    /// line above it: broken tags and remarks in the midst of a tag section.
    fn litter_between_tags(&self, first: usize, start: usize) -> Option<usize> {
        let mut end = start;
        for lines in 0..=LITTER {
            let (above, _) = last_text_line(self.text, first, end)?;
            if head_line(self.text, skip_quoting(self.text, above)).is_some() {
                return (lines > 0).then_some(end);
            }
            let line = &self.text[above..end];
            if line.len() > 400 || holds_moves(line) || holds_result(line) {
                return None;
            }
            end = above;
        }
        None
    }

    /// Whether the tag section above `start` (blank lines passed over) has a tag called `name`.
    fn block_has(&self, first: usize, start: usize, name: &[u8]) -> bool {
        let mut end = start;
        // No honest section has more tags; the bound keeps a hostile one linear.
        for _ in 0..128 {
            let Some((above, _)) = last_text_line(self.text, first, end) else { return false };
            let Some(line) = head_line(self.text, skip_quoting(self.text, above)) else { return false };
            if self.text[line.name].eq_ignore_ascii_case(name) {
                return true;
            }
            end = above;
        }
        false
    }

    fn in_line_comment(&self, at: usize) -> bool {
        let from = self.comment_end.min(at);
        let line = memchr::memrchr2(b'\n', b'\r', &self.text[from..at]).map_or(from, |i| from + i + 1);
        let escape = line < at
            && self.text[line] == b'%'
            && (line == 0 || matches!(self.text[line - 1], b'\n' | b'\r'));
        escape || semicolon_outside_entities(&self.text[line..at])
    }

    fn comment(&self, open: usize) -> Brace {
        let text = self.text;
        let mut at = open + 1;
        loop {
            let Some(found) = memchr::memchr2(b'}', b'[', &text[at..]).map(|i| i + at) else {
                return Brace::Open;
            };
            if text[found] == b'}' {
                return Brace::Closed(found + 1);
            }
            at = found + 1;
            let Some(start) = line_start_before(text, found, open + 1) else { continue };
            let Some(line) = head_line(text, found) else { continue };
            let blank_above = last_text_line(text, open, start).is_some_and(|(_, blank)| blank);
            if !(line.quoted && line.closed && blank_above) {
                continue;
            }
            let limit = text.len().min(start + LOOK_AHEAD);
            match memchr::memchr2(b'{', b'}', &text[line.end..limit.max(line.end)]).map(|i| i + line.end) {
                Some(brace) if text[brace] == b'}' => return Brace::Closed(brace + 1),
                Some(_) => return Brace::Head(start),
                None if !self.complete && limit == text.len() => return Brace::Open,
                None => return Brace::Head(start),
            }
        }
    }
}

enum Brace {
    Closed(usize),
    Head(usize),
    Open,
}

/// A line that opens with a tag pair.
pub(super) struct HeadLine {
    /// The tag's name.
    pub name: std::ops::Range<usize>,
    /// Whether the value opens with a quote.
    pub quoted: bool,
    /// Whether the line is a whole tag and nothing else.
    pub closed: bool,
    /// End of the line, without its line end.
    pub end: usize,
}

/// Names that are taken for tags even where the value has no quotes.
const KNOWN: [&[u8]; 17] = [
    b"Event",
    b"Site",
    b"Date",
    b"Round",
    b"White",
    b"Black",
    b"Result",
    b"FEN",
    b"SetUp",
    b"ECO",
    b"WhiteElo",
    b"BlackElo",
    b"PlyCount",
    b"EventDate",
    b"Variant",
    b"TimeControl",
    b"Annotator",
];

/// Reads the `[` at `at` as the beginning of a tag line.
pub(super) fn head_line(text: &[u8], at: usize) -> Option<HeadLine> {
    if text.get(at) != Some(&b'[') {
        return None;
    }
    let mut i = skip_blanks(text, at + 1);
    let name_start = i;
    while text.get(i).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_') {
        i += 1;
        if i - name_start > 64 {
            return None;
        }
    }
    if i == name_start || !text[name_start].is_ascii_alphabetic() {
        return None;
    }
    let name = name_start..i;
    let after = skip_blanks(text, i);
    let quoted = quote_at(text, after).is_some();
    let end = line_end(text, after);
    let mut last = end;
    while last > after && matches!(text[last - 1], b' ' | b'\t') {
        last -= 1;
    }
    let closed = last > after && text[last - 1] == b']';
    if !quoted {
        let known = KNOWN.iter().any(|k| k.eq_ignore_ascii_case(&text[name.clone()]));
        // `[White is better]` is a remark, `[White Archer]` a tag: three words at most.
        let words = text[after..last].split(|b| *b == b' ').filter(|w| !w.is_empty()).count();
        if !(known && closed && after > i && words <= 4) {
            return None;
        }
    }
    Some(HeadLine { name, quoted, closed, end })
}

/// The length of a quote (straight or typographic) at `at`.
pub(super) fn quote_at(text: &[u8], at: usize) -> Option<usize> {
    const QUOTES: [&str; 6] = ["\"", "“", "”", "„", "«", "&quot;"];
    QUOTES.iter().find(|q| text[at.min(text.len())..].starts_with(q.as_bytes())).map(|q| q.len())
}

/// Behind the byte order mark at `from`: files put together out of several have some in the middle.
fn skip_bom(text: &[u8], from: usize) -> usize {
    if text[from.min(text.len())..].starts_with(BOM) { from + BOM.len() } else { from }
}

pub(super) fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    at
}

/// Behind blanks and the `>` of quoted mail.
fn skip_quoting(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t' | b'>')) {
        at += 1;
    }
    at
}

pub(super) fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |i| at + i)
}

/// The start of the line whose first character, blanks aside, stands at `at`.
fn line_start_before(text: &[u8], at: usize, first: usize) -> Option<usize> {
    let mut start = at;
    while start > first && matches!(text[start - 1], b' ' | b'\t' | b'>') {
        start -= 1;
    }
    if start >= first + BOM.len() && text[..start].ends_with(BOM) {
        start -= BOM.len();
    }
    (start == first || matches!(text[start - 1], b'\n' | b'\r')).then_some(start)
}

/// The start of the last line before `before` that is not blank, and whether a blank line lies between.
fn last_text_line(text: &[u8], first: usize, before: usize) -> Option<(usize, bool)> {
    let (mut end, mut ends, mut last) = (before, 0, 0u8);
    while end > first && text[end - 1].is_ascii_whitespace() {
        let b = text[end - 1];
        // Going backwards, the LF of a CRLF comes first.
        if (b == b'\n' || b == b'\r') && !(b == b'\r' && last == b'\n') {
            ends += 1;
        }
        last = b;
        end -= 1;
    }
    if end == first {
        return None;
    }
    let start = memchr::memrchr2(b'\n', b'\r', &text[first..end]).map_or(first, |i| first + i + 1);
    Some((start, ends > 1))
}

/// A `;` in the line that is not the end of an HTML entity.
fn semicolon_outside_entities(line: &[u8]) -> bool {
    memchr::memchr_iter(b';', line).any(|at| {
        let name = line[..at].iter().rev().take_while(|b| b.is_ascii_alphanumeric() || **b == b'#').count();
        !(name > 0 && name < 10 && at > name && line[at - name - 1] == b'&')
    })
}

/// Whether prose holds a move: a number with a period and a move behind it, or a square at a word's end.
pub(super) fn holds_moves(text: &[u8]) -> bool {
    text.split(|b| b.is_ascii_whitespace()).any(|word| {
        let word = word.strip_suffix(b"+").unwrap_or(word);
        let n = word.len();
        let square = n >= 2 && (b'a'..=b'h').contains(&word[n - 2]) && (b'1'..=b'8').contains(&word[n - 1]);
        let castle = word == b"O-O" || word == b"0-0" || word == b"O-O-O" || word == b"0-0-0";
        (square && n <= 9) || castle
    })
}

/// What follows the last `]` of a tag line.
fn behind_bracket(line: &[u8]) -> &[u8] {
    memchr::memrchr(b']', line).map_or(&[], |i| &line[i + 1..])
}

/// Whether prose holds a word that ends a game, or a move number.
fn holds_result(text: &[u8]) -> bool {
    // What stands in quotes is the value of a broken tag.
    let plain = |w: &&[u8]| !w.is_empty() && w.len() < 16 && !w.contains(&b'"');
    text.split(|b| b.is_ascii_whitespace()).filter(plain).any(|word| {
        let numbered = word[0].is_ascii_digit() && word.contains(&b'.');
        numbered || outcome::parse(&super::source::decode(word)).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(text: &str) -> Vec<&str> {
        slices(text.as_bytes()).into_iter().map(|r| text[r].lines().next().unwrap_or("")).collect()
    }

    #[test]
    fn games_without_a_blank_line_between_are_cut() {
        let text = "[White \"A\"]\n1. e4 1-0\n[White \"B\"]\n1. d4 0-1\n";
        assert_eq!(starts(text), ["[White \"A\"]", "[White \"B\"]"]);
    }

    #[test]
    fn an_unclosed_brace_does_not_swallow_the_next_game() {
        let text = "[White \"A\"]\n\n1. e4 {never closed 1-0\n\n[White \"B\"]\n\n1. d4 {fine} 0-1\n";
        assert_eq!(starts(text).len(), 2);
        let last = "[White \"A\"]\n\n1. e4 {never closed 1-0\n\n[White \"B\"]\n\n1. d4 0-1\n";
        assert_eq!(starts(last).len(), 2);
    }

    #[test]
    fn tags_inside_a_closed_comment_are_text() {
        assert_eq!(starts("[White \"A\"]\n\n1. e4 {see\n\n[White \"B\"]\n\nthere} e5 1-0\n").len(), 1);
        assert_eq!(starts("[White \"A\"]\n\n1. e4 {see\n[White \"B\"]} e5 1-0\n").len(), 1);
    }

    #[test]
    fn chatter_before_the_first_game_belongs_to_it() {
        assert_eq!(starts("Hello all,\n\n[White \"A\"]\n\n1. e4 *\n").len(), 1);
        assert_eq!(starts("1. e4 e5 *\n\n[White \"A\"]\n\n1. e4 *\n").len(), 2);
    }

    #[test]
    fn a_broken_line_among_tags_cuts_nothing() {
        let head = "[Event \"x\"]\nRound \"1\"]\n[White \"A\"]\n";
        assert_eq!(starts(&format!("{head}\n1. e4 *\n")).len(), 1);
        assert_eq!(starts(&format!("{head}\n1. e4 *\n{head}\n1. e4 *\n")).len(), 2);
        assert_eq!(starts("[White \"A\"]\nnone\n[White \"B\"]\n\n1. e4 *\n").len(), 2);
        assert_eq!(starts("[White \"A\"]\n*\n[Black \"B\"]\n\n1. e4 *\n").len(), 2);
    }

    #[test]
    fn moves_in_a_tag_cut_nothing() {
        assert_eq!(starts("[Opening \"Caro, 4. Nd2\"]\n[Result \"*\"]\n\n1. e4 *\n").len(), 1);
        assert_eq!(starts("[White \"A\"] 1. e4 *\n[White \"B\"]\n\n1. d4 *\n").len(), 2);
    }

    #[test]
    fn a_byte_order_mark_in_the_middle_hides_no_game() {
        let game = "\u{feff}[White \"A\"]\n\n1. e4 *\n\n";
        assert_eq!(starts(&game.repeat(3)).len(), 3);
    }

    #[test]
    fn blank_lines_between_tags_cut_only_where_the_section_starts_over() {
        assert_eq!(starts("[White \"A\"]\n\n[Black \"B\"]\n\n1. e4 *\n").len(), 1);
        assert_eq!(
            starts("[White \"A\"]\n[Black \"B\"]\n\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 *\n").len(),
            2
        );
        assert_eq!(starts("[White \"A\"]\n[White \"AA\"]\n\n1. e4 *\n").len(), 1);
    }

    #[test]
    fn a_cut_of_an_incomplete_text_is_that_of_the_whole() {
        let text: &[u8] = b"[White \"A\"]\n\n1. e4 {a\n\n[B \"x\"]\n{c} 1-0\n\n[White \"B\"]\n\n1. d4 0-1\n";
        let whole = next_game_start(text, 0, true);
        for len in 0..text.len() {
            let cut = next_game_start(&text[..len], 0, false);
            assert!(cut == Cut::NeedMore || cut == whole, "{len}: {cut:?}");
        }
    }
}

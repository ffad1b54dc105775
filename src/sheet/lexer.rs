//! Lossless tokens: their spans tile the input, and reading never fails.

use super::{
    Source, Span,
    cut::{self, head_line, line_end, quote_at, skip_blanks},
    outcome,
    source::{BOM, char_at},
};

/// What a stretch of text is, before any chess is read into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// The UTF-8 byte order mark.
    Bom,
    /// White space of any kind, control characters and zero-width characters included.
    Space,
    /// A tag pair from `[` to `]`, or as far as a broken one reaches.
    Tag,
    /// A comment in braces.
    Comment(Closing),
    /// A comment from `;` to the end of the line.
    LineComment,
    /// A `%` line.
    Escape,
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `$` and a number.
    Nag,
    /// An HTML tag or entity.
    Markup,
    /// Something in square brackets that is no tag.
    Bracket,
    /// A brace or square bracket that closes nothing.
    Stray,
    /// Anything else between white space: moves, numbers, results, prose.
    Word,
}

/// How a brace comment ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// With `}`.
    Brace,
    /// With `)`, typed for `}`.
    Paren,
    /// Not written; the move number that goes on with the game shows where it ends.
    Missing,
    /// Not at all; it reaches to the end of the game, its terminator excepted.
    Never,
}

/// A stretch of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

/// All tokens of a source; their spans tile its text. Time is linear in the text.
pub fn tokens(source: &Source) -> Vec<Token> {
    let mut out = Vec::new();
    for range in cut::slices(&source.text) {
        out.extend(slice_tokens(&source.text, Span::new(range.start, range.end)));
    }
    out
}

/// The tokens of one game's slice (see [`cut`]); their spans tile it.
pub fn slice_tokens(text: &[u8], slice: Span) -> Vec<Token> {
    let mut lexer = Lexer { text, end: slice.end, at: slice.start, next_close: None, out: Vec::new() };
    while lexer.at < lexer.end {
        let start = lexer.at;
        let (kind, end) = lexer.next_token();
        debug_assert!(end > start && end <= slice.end);
        lexer.out.push(Token { kind, span: Span::new(start, end) });
        lexer.at = end;
    }
    lexer.out
}

struct Lexer<'a> {
    text: &'a [u8],
    end: usize,
    at: usize,
    /// The next `}` at or after some earlier place, once looked for: `Some(None)` is "none any more".
    next_close: Option<Option<usize>>,
    out: Vec<Token>,
}

impl Lexer<'_> {
    fn next_token(&mut self) -> (TokenKind, usize) {
        let (text, at) = (self.text, self.at);
        if at == 0 && text.starts_with(BOM) {
            return (TokenKind::Bom, BOM.len());
        }
        if let Some(end) = self.space_end(at) {
            return (TokenKind::Space, end);
        }
        match text[at] {
            b'>' if self.line_blank_before() => (TokenKind::Markup, skip_blanks(&text[..self.end], at + 1)),
            b'[' => self.bracket(),
            b'{' => self.comment(),
            b';' if self.separates() => (TokenKind::Word, at + 1),
            b';' => (TokenKind::LineComment, self.line_end()),
            b'%' if at == 0 || matches!(text[at - 1], b'\n' | b'\r') || self.after_bom() => {
                (TokenKind::Escape, self.line_end())
            }
            b'(' => (TokenKind::Open, at + 1),
            b')' => (TokenKind::Close, at + 1),
            b'}' | b']' => (TokenKind::Stray, at + 1),
            b'$' => {
                let digits = text[at + 1..self.end].iter().take_while(|b| b.is_ascii_digit()).count();
                (if digits > 0 { TokenKind::Nag } else { TokenKind::Word }, at + 1 + digits)
            }
            _ => match self.markup_end(at).filter(|_| entity(text, at).is_none()) {
                Some(end) => (TokenKind::Markup, end),
                None => (TokenKind::Word, self.word_end(at)),
            },
        }
    }

    fn after_bom(&self) -> bool {
        self.at == BOM.len() && self.text.starts_with(BOM)
    }

    fn line_end(&self) -> usize {
        line_end(&self.text[..self.end], self.at)
    }

    fn line_blank_before(&self) -> bool {
        match self.out.last() {
            None => true,
            Some(t) if t.kind == TokenKind::Bom => true,
            Some(t) if t.kind == TokenKind::Tag => true,
            Some(t) if t.kind == TokenKind::Markup => self.text[t.span.start] == b'>',
            Some(t) if t.kind == TokenKind::Space => {
                self.out.len() == 1
                    || self.text[t.span.start..t.span.end].iter().any(|b| matches!(b, b'\n' | b'\r'))
                    || self.out[self.out.len() - 2].kind == TokenKind::Tag
                    || self.text[self.out[self.out.len() - 2].span.start] == b'>'
            }
            _ => false,
        }
    }

    fn bracket(&self) -> (TokenKind, usize) {
        let (text, at) = (&self.text[..self.end], self.at);
        if self.line_blank_before() && head_line(text, at).is_some() {
            return (TokenKind::Tag, tag_end(text, at));
        }
        // A tag section that breaks off inside a tag.
        let in_section = self
            .out
            .iter()
            .rev()
            .find(|t| t.kind != TokenKind::Space)
            .is_some_and(|t| t.kind == TokenKind::Tag);
        if in_section && self.line_blank_before() && text.get(at + 1).is_some_and(u8::is_ascii_alphabetic) {
            return (TokenKind::Tag, self.line_end());
        }
        match memchr::memchr3(b']', b'\n', b'\r', &text[at..self.end.min(at + 200)]) {
            Some(i) if text[at + i] == b']' => (TokenKind::Bracket, at + i + 1),
            _ => (TokenKind::Stray, at + 1),
        }
    }

    fn comment(&mut self) -> (TokenKind, usize) {
        let (text, at) = (self.text, self.at);
        let close = match self.next_close {
            Some(Some(c)) if c > at => Some(c),
            Some(None) => None,
            _ => {
                let found = memchr::memchr(b'}', &text[at..self.end]).map(|i| at + i);
                self.next_close = Some(found);
                found
            }
        };
        let limit = match close {
            Some(c) => match memchr::memchr(b'{', &text[at + 1..c]) {
                Some(i) => at + 1 + i,
                None => return (TokenKind::Comment(Closing::Brace), c + 1),
            },
            None => memchr::memchr(b'{', &text[at + 1..self.end]).map_or(self.end, |i| at + 1 + i),
        };
        if let Some(paren) = closing_paren(text, at + 1, limit) {
            return (TokenKind::Comment(Closing::Paren), paren + 1);
        }
        // Another `{` before any `}`: this comment was not closed.
        if limit < self.end
            && let Some(number) = self.goes_on(at + 1, limit)
        {
            return (TokenKind::Comment(Closing::Missing), number);
        }
        match close {
            Some(c) => (TokenKind::Comment(Closing::Brace), c + 1),
            None => (TokenKind::Comment(Closing::Never), self.before_terminator()),
        }
    }

    /// Whether the `;` here stands between entries, as in `1;e4;e5` and `1. e4 e5; 2. Nf3`, and begins no comment.
    fn separates(&self) -> bool {
        let text = &self.text[..self.end];
        let sticks = self.out.last().is_some_and(|t| t.kind == TokenKind::Word && t.span.end == self.at);
        let next = skip_blanks(text, self.at + 1);
        let word = &text[next..text.len().min(next + 16)];
        let word =
            &word[..word.iter().position(|b| b.is_ascii_whitespace() || *b == b';').unwrap_or(word.len())];
        let digits = word.iter().take_while(|b| b.is_ascii_digit()).count();
        let numbered = (1..=3).contains(&digits) && word.get(digits) == Some(&b'.');
        sticks
            && !word.is_empty()
            && (numbered
                && self
                    .last_number()
                    .is_some_and(|last| word[..digits] == *(last + 1).to_string().as_bytes())
                || next == self.at + 1 && super::word::begins_like_movetext(&super::source::decode(word)))
    }

    /// In a comment that holds another `{`: where the numbering of the game goes on.
    fn goes_on(&self, start: usize, limit: usize) -> Option<usize> {
        let last = self.last_number()?;
        let due = format!("{}.", last + 1);
        memchr::memmem::find_iter(&self.text[start..limit], due.as_bytes()).map(|i| start + i).find_map(
            |at| {
                let mut end = at;
                while end > start && self.text[end - 1].is_ascii_whitespace() {
                    end -= 1;
                }
                (end < at).then_some(end)
            },
        )
    }

    /// The move number with a period that was read last.
    fn last_number(&self) -> Option<u32> {
        let number = |token: &Token| {
            let word = &self.text[token.span.start..token.span.end.min(token.span.start + 4)];
            let digits = word.iter().take_while(|b| b.is_ascii_digit()).count();
            (digits > 0 && word.get(digits) == Some(&b'.'))
                .then(|| word[..digits].iter().fold(0u32, |n, d| n * 10 + u32::from(d - b'0')))
        };
        self.out.iter().rev().take(24).filter(|t| t.kind == TokenKind::Word).find_map(number)
    }

    /// Where the slice's last word begins if that is a result, else the end of its text.
    fn before_terminator(&self) -> usize {
        let text = &self.text[..self.end];
        let mut last = self.end;
        while last > self.at + 1 && text[last - 1].is_ascii_whitespace() {
            last -= 1;
        }
        let mut start = last;
        while start > self.at + 1 && last - start < 16 && !text[start - 1].is_ascii_whitespace() {
            start -= 1;
        }
        let word = super::source::decode(&text[start..last]);
        if last - start < 16 && outcome::parse(&word).is_some() { start } else { last }
    }

    fn space_end(&self, at: usize) -> Option<usize> {
        let mut i = at;
        while i < self.end {
            let (c, len) = char_at(&self.text[..self.end], i);
            if !is_space(c) {
                break;
            }
            i += len;
        }
        (i > at).then_some(i)
    }

    fn markup_end(&self, at: usize) -> Option<usize> {
        let text = &self.text[..self.end];
        let limit = self.end.min(at + 256);
        match text[at] {
            b'<' if text.get(at + 1).is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b'!')) => {
                let close = memchr::memchr3(b'>', b'\n', b'\r', &text[at..limit])? + at;
                (text[close] == b'>').then_some(close + 1)
            }
            b'&' => {
                let name = text[at + 1..limit]
                    .iter()
                    .take_while(|b| b.is_ascii_alphanumeric() || **b == b'#')
                    .count();
                (name > 0 && name < 10 && text.get(at + 1 + name) == Some(&b';')).then_some(at + name + 2)
            }
            _ => None,
        }
    }

    fn word_end(&self, at: usize) -> usize {
        let text = &self.text[..self.end];
        let mut i = at + entity(text, at).map_or_else(|| char_at(text, at).1, |e| e.1);
        while i < self.end {
            if text[i] == b'&'
                && let Some((_, len)) = entity(text, i)
            {
                i += len;
                continue;
            }
            match text[i] {
                b'{' | b'}' | b')' | b'[' | b']' | b';' | b'$' => break,
                // A promotion in parentheses, `a8(Q)`, is one word; any other `(` opens a variation.
                b'(' => match promotion_in_parens(text, i) {
                    Some(end) => {
                        i = end;
                        continue;
                    }
                    None => break,
                },
                b'<' | b'&' if entity(text, i).is_none() && self.markup_end(i).is_some() => break,
                _ => {}
            }
            let (c, len) = char_at(text, i);
            if is_space(c) {
                break;
            }
            i += len;
        }
        i
    }
}

/// An HTML entity that stands for a dash, a half or a cross inside a move or result.
pub(super) fn entity(text: &[u8], at: usize) -> Option<(char, usize)> {
    const ENTITIES: [(&[u8], char); 12] = [
        (b"&ndash;", '–'),
        (b"&mdash;", '—'),
        (b"&minus;", '−'),
        (b"&#8211;", '–'),
        (b"&#8212;", '—'),
        (b"&#8209;", '‑'),
        (b"&#45;", '-'),
        (b"&frac12;", '½'),
        (b"&#189;", '½'),
        (b"&times;", '×'),
        (b"&#215;", '×'),
        (b"&plusmn;", '±'),
    ];
    ENTITIES.iter().find(|(name, _)| text[at..].starts_with(name)).map(|(name, c)| (*c, name.len()))
}

/// The end of `(Q)` or `(=Q)` at `at`, right behind a square of the first or last rank.
fn promotion_in_parens(text: &[u8], at: usize) -> Option<usize> {
    let rank = at.checked_sub(1).map(|i| text[i])?;
    if !matches!(rank, b'1' | b'8' | b'=') {
        return None;
    }
    let mut i = at + 1;
    if text.get(i) == Some(&b'=') {
        i += 1;
    }
    if i >= text.len() {
        return None;
    }
    let (c, len) = char_at(text, i);
    let piece = c.is_alphabetic() || ('♔'..='♟').contains(&c);
    (piece && text.get(i + len) == Some(&b')')).then_some(i + len + 1)
}

/// The `)` that ends a comment whose `}` is missing: one that no `(` of the comment opens and moves follow.
fn closing_paren(text: &[u8], start: usize, limit: usize) -> Option<usize> {
    let mut depth = 0usize;
    for at in memchr::memchr2_iter(b'(', b')', &text[start..limit]).map(|i| i + start) {
        if text[at] == b'(' {
            depth += 1;
        } else if depth > 0 {
            depth -= 1;
        } else {
            let mut next = at + 1;
            while next < limit && text[next].is_ascii_whitespace() {
                next += 1;
            }
            let end = limit.min(next + 16);
            let word = &text[next..end];
            let word = &word[..word.iter().position(u8::is_ascii_whitespace).unwrap_or(word.len())];
            if super::word::begins_like_movetext(&super::source::decode(word)) {
                return Some(at);
            }
        }
    }
    None
}

/// Whether the character separates words: white space, control characters, invisible marks.
pub(super) fn is_space(c: char) -> bool {
    c.is_ascii_whitespace()
        || c.is_control()
        || (!c.is_ascii()
            && (c.is_whitespace()
                || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{202A}'..='\u{202E}')))
}

/// The end of the tag at `at`: behind its `]`, or the end of its line where that is missing.
fn tag_end(text: &[u8], at: usize) -> usize {
    let line = line_end(text, at);
    let Some(value) = tag_value(text, at) else { return line };
    let after = skip_blanks(text, value.close);
    if text.get(after) == Some(&b']') { after + 1 } else { value.close.max(at + 1) }
}

/// Where the value of a tag stands and how far the tag reaches.
pub(super) struct TagValue {
    /// The value without quotes.
    pub value: std::ops::Range<usize>,
    /// Behind the closing quote, or the end of what there is.
    pub close: usize,
    /// Whether the value stands in straight quotes.
    pub quoted: bool,
    /// Whether the closing quote is there.
    pub closed: bool,
}

/// Reads the value of the tag at `at`, however broken; `None` where there is no value at all.
pub(super) fn tag_value(text: &[u8], at: usize) -> Option<TagValue> {
    let line = line_end(text, at);
    let head = head_line(text, at)?;
    let open = skip_blanks(text, head.name.end);
    let Some(quote) = quote_at(text, open) else {
        // Without quotes: to the last `]` of the line.
        let close = memchr::memrchr(b']', &text[open..line]).map_or(line, |i| open + i);
        let mut end = close;
        while end > open && matches!(text[end - 1], b' ' | b'\t' | b'"') {
            end -= 1;
        }
        return Some(TagValue { value: open..end, close, quoted: false, closed: true });
    };
    let start = open + quote;
    let straight = quote == 1;
    // As the standard has it: to the first quote without a backslash, if `]` follows.
    let mut i = start;
    while straight && i < line {
        match text[i] {
            b'\\' => i += 1,
            b'"' if text.get(skip_blanks(text, i + 1)) == Some(&b']') => {
                return Some(TagValue { value: start..i, close: i + 1, quoted: true, closed: true });
            }
            _ => {}
        }
        i += 1;
    }
    // A value over several lines, closed on a later one.
    let last_quote = last_quote(text, start, line);
    if last_quote.is_none() {
        let next = text[line..].iter().take(2).take_while(|b| matches!(b, b'\n' | b'\r')).count() + line;
        let next_end = line_end(text, next);
        if next < next_end && text[next] != b'[' {
            let mut end = next_end;
            while end > next && matches!(text[end - 1], b' ' | b'\t') {
                end -= 1;
            }
            if text[next..end].ends_with(b"\"]") {
                return Some(TagValue { value: start..end - 2, close: end - 1, quoted: true, closed: true });
            }
        }
    }
    match last_quote {
        Some((from, to)) => Some(TagValue { value: start..from, close: to, quoted: straight, closed: true }),
        None => {
            let mut end = line;
            while end > start && matches!(text[end - 1], b' ' | b'\t') {
                end -= 1;
            }
            let value_end = if end > start && text[end - 1] == b']' { end - 1 } else { end };
            Some(TagValue { value: start..value_end, close: value_end, quoted: straight, closed: false })
        }
    }
}

/// The last quote of any kind in a line, as (start, end).
fn last_quote(text: &[u8], start: usize, line: usize) -> Option<(usize, usize)> {
    let tail = &text[start..line];
    let straight = memchr::memrchr(b'"', tail).map(|i| (start + i, start + i + 1));
    let curly = ["“", "”", "»", "&quot;"]
        .iter()
        .filter_map(|q| memchr::memmem::rfind(tail, q.as_bytes()).map(|i| (start + i, start + i + q.len())))
        .max();
    straight.max(curly)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(TokenKind, String)> {
        let source = Source::read(text.as_bytes().to_vec());
        tokens(&source)
            .into_iter()
            .filter(|t| t.kind != TokenKind::Space)
            .map(|t| (t.kind, source.decode(t.span).into_owned()))
            .collect()
    }

    #[test]
    fn a_semicolon_comment_ends_with_its_line_and_not_inside_braces() {
        let kinds = kinds("e4 ; one {two\ne5 {a; b} Nf3\n");
        assert_eq!(kinds[1], (TokenKind::LineComment, "; one {two".into()));
        assert_eq!(kinds[3], (TokenKind::Comment(Closing::Brace), "{a; b}".into()));
    }

    #[test]
    fn a_percent_sign_escapes_its_line_only_in_column_one() {
        let kinds = kinds("%e4\n e5 100 % x\n");
        assert_eq!(kinds[0].0, TokenKind::Escape);
        assert_eq!(kinds.len(), 5);
    }

    #[test]
    fn a_comment_closed_with_a_parenthesis_ends_there() {
        let kinds = kinds("1. d4 {solid (very) so) 2. c4 {ok} e6");
        assert_eq!(kinds[2], (TokenKind::Comment(Closing::Paren), "{solid (very) so)".into()));
    }

    #[test]
    fn an_unclosed_comment_leaves_the_terminator() {
        let kinds = kinds("1. d4 {solid d5 1-0\n\n");
        assert_eq!(kinds[2], (TokenKind::Comment(Closing::Never), "{solid d5 ".into()));
        assert_eq!(kinds[3], (TokenKind::Word, "1-0".into()));
    }

    #[test]
    fn markup_and_promotion_parentheses() {
        let kinds = kinds("<br>a8(Q)&nbsp;2. e4 (x)");
        let words: Vec<&str> = kinds.iter().map(|k| k.1.as_str()).collect();
        assert_eq!(words, ["<br>", "a8(Q)", "&nbsp;", "2.", "e4", "(", "x", ")"]);
    }

    #[test]
    fn hostile_text_is_read_in_linear_time() {
        for text in [
            "(".repeat(1 << 20),
            "{".repeat(1 << 20),
            "[".repeat(1 << 20),
            "a".repeat(1 << 22),
            "{)".repeat(1 << 19),
            "<a".repeat(1 << 19),
        ] {
            let source = Source::read(text.into_bytes());
            let tokens = tokens(&source);
            assert_eq!(tokens.last().map(|t| t.span.end), Some(source.text.len()));
        }
    }
}

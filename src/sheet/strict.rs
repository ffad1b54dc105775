//! What the strictest common readers, python-chess and pgn-extract, stumble over in a game's text: a second witness beside
//! pgn-reader, which forgives more than they do.

mod cure;

pub use cure::cure;
use shakmaty::{
    Chess, Move, Position,
    san::{San, SanPlus},
};

use super::{Game, Source, Span};

/// Where such a reader stumbles first, and over what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stumble {
    /// The token.
    pub span: Span,
    /// What is wrong with it, to be read behind the names of the readers: "begin another game at the tag ...".
    pub why: String,
}

/// The first thing in the text of `game` that a strict reader stumbles over, `moves` being the main line from `start` as
/// it is read here; what stands behind the last of them is not looked at where `open` says that it could not be played.
///
/// It knows nothing of how the text is read here: it takes the bytes as the standard's export format has them, tags and
/// then movetext of numbers, SAN, comments in braces, variations, `$` glyphs and a result.
pub fn stumble(source: &Source, game: &Game, start: &Chess, moves: &[Move], open: bool) -> Option<Stumble> {
    let mut scan = Scan::of(source, game);
    let text = scan.text;
    scan.skip_tags();
    let mut position = start.clone();
    let mut left = moves.iter();
    let (mut depth, mut ended, mut numbered) = (0usize, false, None::<(Span, bool)>);
    while let Some((token, span)) = scan.next() {
        let word = || String::from_utf8_lossy(&text[span.start..span.end]).into_owned();
        let at = |why: String| Some(Stumble { span, why });
        // Whatever parts a number from its move parts the game; at the end of a line no move is lost.
        if let Some((number, parted)) = numbered.take() {
            match token {
                Token::Close | Token::Result => {}
                Token::Word if !parted => {}
                Token::Comment | Token::Glyph => numbered = Some((number, true)),
                _ => {
                    let number_text = String::from_utf8_lossy(source.bytes(number));
                    let why = format!("lose the move of the number {number_text}");
                    return Some(Stumble { span: number, why });
                }
            }
        }
        if ended && depth == 0 && token != Token::Comment {
            return at(format!("begin another game at {}", word()));
        }
        match token {
            Token::Comment | Token::Glyph => {}
            Token::Number => numbered = Some((span, false)),
            Token::Tag => return at(format!("begin another game at the tag {}", word())),
            Token::Open => depth += 1,
            Token::Close if depth == 0 => return at("find a ) that closes nothing".to_owned()),
            Token::Close => depth -= 1,
            Token::Result => ended |= depth == 0,
            Token::Broken => return at(format!("find a {} that belongs to nothing", word())),
            Token::Word if depth > 0 => {
                if !is_move(&word()) {
                    return at(format!("do not read {} in a variation", word()));
                }
            }
            Token::Word => {
                let Some(&mv) = left.next() else {
                    if open {
                        return None;
                    }
                    return at(format!("read {}, which was not played", word()));
                };
                if !reads(&word(), &position, mv) {
                    let san = SanPlus::from_move(position.clone(), mv);
                    return at(format!("do not read {} as {san}", word()));
                }
                position.play_unchecked(mv);
            }
        }
    }
    if open {
        return None;
    }
    let end = Span::new(game.movetext_end, game.movetext_end);
    if left.next().is_some() {
        return Some(Stumble { span: end, why: "end before the last move".to_owned() });
    }
    (depth > 0).then(|| Stumble { span: end, why: "miss a ) at the end".to_owned() })
}

/// Whether the word is this move in the standard's SAN; glyphs and a check sign may follow.
fn reads(word: &str, position: &Chess, mv: Move) -> bool {
    let core = bare(word);
    matches!(core, "0-0" | "0-0-0") && mv.is_castle()
        || is_move(word) && San::from_ascii(core.as_bytes()).is_ok_and(|san| san.to_move(position) == Ok(mv))
}

/// Whether the word has the form of a move. A `P` and a capture by a pawn without its file are not known everywhere.
fn is_move(word: &str) -> bool {
    let core = bare(word);
    matches!(core, "0-0" | "0-0-0" | "--" | "Z0")
        || !core.starts_with(['P', 'x']) && San::from_ascii(core.as_bytes()).is_ok()
}

fn bare(word: &str) -> &str {
    let core = word.trim_end_matches(['!', '?']);
    core.strip_suffix(['+', '#']).unwrap_or(core)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Comment,
    Glyph,
    Number,
    Tag,
    Open,
    Close,
    Result,
    Word,
    /// A brace that nothing closes or opens, a `]`.
    Broken,
}

struct Scan<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Scan<'t> {
    /// Of a game, behind a byte order mark.
    fn of(source: &'t Source, game: &Game) -> Scan<'t> {
        let text = &source.text[..game.span.end];
        let mark = if text[game.span.start..].starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Scan { text, at: game.span.start + mark }
    }

    /// To the first byte of the movetext.
    fn skip_tags(&mut self) {
        loop {
            self.skip_blank();
            match self.text.get(self.at) {
                Some(b'[') => self.at = self.line_end(),
                _ => return,
            }
        }
    }

    /// Over white space and escaped lines.
    fn skip_blank(&mut self) {
        while let Some(byte) = self.text.get(self.at) {
            let escaped = *byte == b'%' && (self.at == 0 || matches!(self.text[self.at - 1], b'\n' | b'\r'));
            match byte {
                _ if escaped => self.at = self.line_end(),
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                _ => return,
            }
        }
    }

    fn line_end(&self) -> usize {
        memchr::memchr2(b'\n', b'\r', &self.text[self.at..]).map_or(self.text.len(), |i| self.at + i)
    }

    fn next(&mut self) -> Option<(Token, Span)> {
        self.skip_blank();
        let start = self.at;
        let rest = &self.text[start..];
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let (token, len) = match *rest.first()? {
            b'{' => match memchr::memchr(b'}', rest) {
                Some(close) => (Token::Comment, close + 1),
                None => (Token::Broken, 1),
            },
            b';' => (Token::Comment, self.line_end() - start),
            b'[' => (Token::Tag, self.line_end() - start),
            b'}' | b']' => (Token::Broken, 1),
            b'(' => (Token::Open, 1),
            b')' => (Token::Close, 1),
            b'$' => (Token::Glyph, 1 + rest[1..].iter().take_while(|b| b.is_ascii_digit()).count()),
            b'*' => (Token::Result, 1),
            b'.' => (Token::Glyph, 1),
            _ => {
                let end = |b: &u8| b.is_ascii_whitespace() || b"{}()[];$*".contains(b);
                let len = rest.iter().position(end).unwrap_or(rest.len());
                match &rest[..len] {
                    b"1-0" | b"0-1" | b"1/2-1/2" => (Token::Result, len),
                    b"0-0" | b"0-0-0" => (Token::Word, len),
                    word if word.iter().all(|b| matches!(b, b'!' | b'?')) => (Token::Glyph, len),
                    _ if digits > 0 && self.is_number(start + digits) => {
                        let dots = rest[digits..].iter().take_while(|b| matches!(b, b'.' | b' ')).count();
                        (Token::Number, digits + dots)
                    }
                    _ => (Token::Word, len),
                }
            }
        };
        self.at = start + len;
        Some((token, Span::new(start, start + len)))
    }

    /// Whether digits that end here are a move number: nothing but dots or blank sticks to them.
    fn is_number(&self, end: usize) -> bool {
        self.text.get(end).is_none_or(|b| *b == b'.' || b.is_ascii_whitespace() || b"{}()[];$*".contains(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{replay, sheet::game};

    /// What they stumble over in a movetext behind a Result tag.
    fn over(movetext: &str) -> Option<String> {
        let source = Source::read(format!("[Result \"*\"]\n\n{movetext}\n").into_bytes());
        let game = game::games(&source).remove(0);
        let replay = replay::replay(&source, &game);
        let moves: Vec<Move> = replay.plies.iter().map(|p| p.mv).collect();
        stumble(&source, &game, &replay.start, &moves, replay.refusal.is_some()).map(|s| s.why)
    }

    #[test]
    fn a_well_kept_game_is_read() {
        let texts = [
            "1. e4 e5 2. Nf3! {fine} 2... Nc6?! $5 (2... d6 3. d4 (3. Bc4) 3... exd4) 3. Bb5+ a6 *",
            "1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.O-O *",
            "1. e4 {a ( [x] b} e5 % x\n%[escaped]\n2. Nf3 *",
            "1. e4 e5 2. *",
        ];
        for text in &texts[..2] {
            assert_eq!(over(text), None, "{text}");
        }
        assert_eq!(over(texts[3]), None);
    }

    #[test]
    fn what_stops_a_strict_reader_is_named() {
        let cases = [
            ("1. e4 e5 2. {a} Nf3 *", "lose the move of the number 2. "),
            ("1. e4 e5 2. 2. Nf3 *", "lose the move of the number 2. "),
            ("1. e4 e5 2. $1 Nf3 *", "lose the move of the number 2. "),
            ("1. e4 d5 2. xd5 *", "do not read xd5 as exd5"),
            ("1. e4 e5 2. Sf3 Sc6 *", "do not read Sf3 as Nf3"),
            ("1. e4 e5 2. Nf3 ) Nc6 *", "find a ) that closes nothing"),
            ("1. e4 e5 2. Nf3 } Nc6 *", "find a } that belongs to nothing"),
            ("1. e4 e5 hello 2. Nf3 *", "do not read hello as Nf3"),
        ];
        for (text, why) in cases {
            assert_eq!(over(text).as_deref(), Some(why), "{text}");
        }
    }
}

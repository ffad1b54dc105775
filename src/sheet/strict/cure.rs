//! The changes that make strict readers read a movetext as it was played: whatever they take for something else goes into
//! a comment, and numbers stand right before their moves.

use shakmaty::{Chess, Move, Position, san::SanPlus};

use super::{Game, Scan, Source, Span, Token, is_move, reads};
use crate::finding::TextEdit;

/// The changes of text behind which [`super::stumble`] finds nothing; none where a brace is never closed, or where what
/// strict readers take for the end stands before moves that cannot be told from text.
///
/// `moves` is the main line from `start` as it is read here, a move for each of the game's first slots.
pub fn cure(source: &Source, game: &Game, start: &Chess, moves: &[Move]) -> Vec<TextEdit> {
    let mut scan = Scan::of(source, game);
    scan.skip_tags();
    let tokens: Vec<(Token, Span)> = std::iter::from_fn(|| scan.next()).collect();
    Cure { source, game, moves, edits: Vec::new(), number: None, position: start.clone(), moved: false }
        .carried_out(&tokens)
        .unwrap_or_default()
}

struct Cure<'g> {
    source: &'g Source,
    game: &'g Game,
    moves: &'g [Move],
    edits: Vec<TextEdit>,
    /// A number whose move has not come yet.
    number: Option<Number>,
    position: Chess,
    /// Whether a move of the main line has come: a variation before the first one belongs to nothing.
    moved: bool,
}

struct Number {
    span: Span,
    /// Whether something stands between it and the token that comes now.
    parted: bool,
}

impl Cure<'_> {
    /// `None` where there is no cure.
    fn carried_out(mut self, tokens: &[(Token, Span)]) -> Option<Vec<TextEdit>> {
        let mut slots = self.game.slots.iter().zip(self.moves).peekable();
        let terminator = self.game.terminator.as_ref().map(|end| end.span);
        let (mut at, mut ended) = (0, false);
        while let Some(&(token, span)) = tokens.get(at) {
            at += 1;
            let slot = slots.peek().filter(|(slot, _)| slot.span.start < span.end);
            match (token, slot) {
                (Token::Comment, None) if ended => {}
                (_, None) if ended => self.set_aside(span),
                (Token::Word | Token::Result, Some((slot, mv))) => {
                    if slot.span.start < span.start || span.end < slot.span.end {
                        return None;
                    }
                    self.plays(span, **mv);
                    slots.next();
                }
                // A move is written inside of something that they do not read as a move at all.
                (token, Some(_)) if token != Token::Open => return None,
                (Token::Comment | Token::Glyph, _) => {
                    if let Some(number) = &mut self.number {
                        number.parted = true;
                    }
                }
                (Token::Number, _) => {
                    self.drop_number();
                    self.number = Some(Number { span, parted: false });
                }
                (Token::Result, _) if terminator == Some(span) => {
                    self.drop_parted_number();
                    ended = true;
                }
                (Token::Result | Token::Word, _) => self.set_aside(span),
                (Token::Tag, _) => self.set_aside(self.tag(span)),
                (Token::Close, _) => self.edits.push(TextEdit::replace(span, "")),
                (Token::Open, _) => {
                    self.drop_number();
                    let next = slots.peek().map(|(slot, _)| slot.span.start);
                    let next = next.or(terminator.map(|end| end.start)).unwrap_or(usize::MAX);
                    let len = variation(&tokens[at - 1..], next);
                    self.take_variation(&tokens[at - 1..at - 1 + len]);
                    at += len - 1;
                }
                (Token::Broken, _) if self.source.bytes(span) == b"{" => return None,
                (Token::Broken, _) => self.edits.push(TextEdit::replace(span, "")),
            }
        }
        self.drop_number();
        slots.next().is_none().then_some(self.edits)
    }

    /// A word that is this move: in the standard's spelling, with its number right before it.
    fn plays(&mut self, span: Span, mv: Move) {
        let word = String::from_utf8_lossy(self.source.bytes(span));
        let number = self.number.take().filter(|number| number.parted);
        let before = number.map_or_else(String::new, |number| {
            let text = String::from_utf8_lossy(self.source.bytes(number.span)).trim_end().to_owned();
            self.edits.push(TextEdit::replace(number.span, ""));
            text + " "
        });
        if !reads(&word, &self.position, mv) {
            let san = SanPlus::from_move(self.position.clone(), mv);
            self.edits.push(TextEdit::replace(span, format!("{before}{san}")));
        } else if !before.is_empty() {
            self.edits.push(TextEdit::insert(span.start, before));
        }
        self.position.play_unchecked(mv);
        self.moved = true;
    }

    /// Text that is neither move nor annotation becomes a comment.
    fn set_aside(&mut self, span: Span) {
        if let Some(number) = &mut self.number {
            number.parted = true;
        }
        let text: Vec<u8> =
            self.source.bytes(span).iter().copied().filter(|b| !matches!(b, b'{' | b'}')).collect();
        self.edits.push(TextEdit::replace(span, [b"{", text.as_slice(), b"}"].concat()));
    }

    /// A tag amid moves ends with its bracket; what is behind it on the line is read on its own.
    fn tag(&self, line: Span) -> Span {
        let close = memchr::memchr(b']', self.source.bytes(line));
        Span::new(line.start, close.map_or(line.end, |at| line.start + at + 1))
    }

    fn drop_number(&mut self) {
        if let Some(number) = self.number.take() {
            self.edits.push(TextEdit::replace(number.span, ""));
        }
    }

    fn drop_parted_number(&mut self) {
        if self.number.as_ref().is_some_and(|number| number.parted) {
            self.drop_number();
        }
        self.number = None;
    }

    /// A variation that is no line of moves becomes a comment, one that is never closed is closed.
    fn take_variation(&mut self, tokens: &[(Token, Span)]) {
        let word = |span: Span| is_move(&String::from_utf8_lossy(self.source.bytes(span)));
        let depth = |token: Token| match token {
            Token::Open => 1i64,
            Token::Close => -1,
            _ => 0,
        };
        let open: i64 = tokens.iter().map(|(token, _)| depth(*token)).sum();
        let kept = tokens.iter().all(|(token, span)| match token {
            Token::Tag | Token::Broken => false,
            Token::Word => word(*span),
            _ => true,
        });
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return };
        if kept && self.moved && !parts_a_number(tokens) {
            if open > 0 {
                self.edits.push(TextEdit::insert(last.1.end, ")".repeat(usize::try_from(open).unwrap_or(0))));
            }
            return;
        }
        self.set_aside(Span::new(first.1.start, last.1.end));
    }
}

/// How many tokens a variation has, from its parenthesis on: one that is never closed ends before the number of the next
/// move of the main line, or the result, which is written at byte `next`.
fn variation(tokens: &[(Token, Span)], next: usize) -> usize {
    let mut depth = 0usize;
    for (at, (token, span)) in tokens.iter().enumerate() {
        if at > 0 && next < span.end {
            let numbers = tokens[1..at].iter().rev().take_while(|(token, _)| *token == Token::Number);
            return at - numbers.count();
        }
        match token {
            Token::Open => depth += 1,
            Token::Close if depth == 1 => return at + 1,
            Token::Close => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}

/// Whether something stands between a number and its move.
fn parts_a_number(tokens: &[(Token, Span)]) -> bool {
    tokens.windows(2).any(|pair| {
        pair[0].0 == Token::Number && !matches!(pair[1].0, Token::Word | Token::Close | Token::Result)
    })
}

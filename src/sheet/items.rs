//! Tokens to items: words joined where a line end tore them apart, and taken apart where they are glued.

use super::{
    Span,
    lexer::{Closing, Token, TokenKind},
    word::{self, Char, Piece, PieceKind},
};

/// What an item of the movetext is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    /// A piece of a word.
    Piece(PieceKind),
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `{}`, `;` or `%`.
    Comment(Option<Closing>),
    /// `$1`.
    Nag,
    /// HTML.
    Markup,
    /// `[...]` that is no tag.
    Bracket,
    /// `}` or `]`.
    Stray,
    /// A tag, by its place in the token list.
    Tag,
}

/// One item with its text.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub kind: ItemKind,
    pub span: Span,
    /// As written, decoded, a torn word joined; empty for what is no word.
    pub text: String,
    /// The next item follows without white space.
    pub glued: bool,
    /// The word was torn apart.
    pub joined: bool,
}

impl Item {
    pub fn piece(&self) -> Option<PieceKind> {
        match self.kind {
            ItemKind::Piece(kind) => Some(kind),
            _ => None,
        }
    }
}

/// The items of one game's tokens.
pub(super) fn items(text: &[u8], tokens: &[Token]) -> Vec<Item> {
    let coordinates = coordinate_style(text, tokens);
    let mut out: Vec<Item> = Vec::new();
    let mut expected = 1;
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at];
        let kind = match token.kind {
            TokenKind::Bom | TokenKind::Space => None,
            TokenKind::Tag => Some(ItemKind::Tag),
            TokenKind::Comment(closing) => Some(ItemKind::Comment(Some(closing))),
            TokenKind::LineComment | TokenKind::Escape => Some(ItemKind::Comment(None)),
            TokenKind::Open => Some(ItemKind::Open),
            TokenKind::Close => Some(ItemKind::Close),
            TokenKind::Nag => Some(ItemKind::Nag),
            TokenKind::Markup => Some(ItemKind::Markup),
            TokenKind::Bracket => Some(ItemKind::Bracket),
            TokenKind::Stray => Some(ItemKind::Stray),
            TokenKind::Word => {
                let (chars, used, joined) = join_words(text, tokens, at, coordinates, expected);
                let pieces = word::pieces(&chars, coordinates, expected);
                at += used;
                let glued_next = tokens.get(at).is_some_and(|t| t.kind != TokenKind::Space);
                for (i, piece) in pieces.iter().enumerate() {
                    if let PieceKind::Number(n, _) = piece.kind {
                        expected = n.saturating_add(1);
                    }
                    out.push(Item {
                        kind: ItemKind::Piece(piece.kind),
                        span: Span::new(chars[piece.from].start, chars[piece.to - 1].end),
                        text: chars[piece.from..piece.to].iter().map(|c| c.raw).collect(),
                        glued: if i + 1 < pieces.len() { true } else { glued_next },
                        joined: joined
                            .is_some_and(|tear| (piece.from..piece.to).contains(&tear) && piece.from < tear),
                    });
                }
                continue;
            }
        };
        at += 1;
        if let Some(kind) = kind {
            let glued = tokens.get(at).is_some_and(|t| t.kind != TokenKind::Space);
            out.push(Item { kind, span: token.span, text: String::new(), glued, joined: false });
        }
    }
    out
}

/// Whether most moves are bare pairs of squares, `e2e4 g8f6`.
fn coordinate_style(text: &[u8], tokens: &[Token]) -> bool {
    let (mut pairs, mut other) = (0, 0);
    for token in tokens.iter().filter(|t| t.kind == TokenKind::Word).take(400) {
        let chars = word::chars(text, token.span.start, token.span.end.min(token.span.start + 64));
        let skip = chars.iter().take_while(|c| c.c.is_ascii_digit() || matches!(c.c, '.' | '…')).count();
        let core = &chars[skip..];
        if word::is_coordinates(core) {
            pairs += 1;
        } else if word::move_end(core, 0).is_some() {
            other += 1;
        }
    }
    pairs >= 2 && pairs >= other
}

/// The characters of the word at `at`, later words that were torn off it included; how many tokens that takes, and
/// the first character behind the (last) tear.
fn join_words(
    text: &[u8],
    tokens: &[Token],
    at: usize,
    coordinates: bool,
    expected: u32,
) -> (Vec<Char>, usize, Option<usize>) {
    let mut chars = word::chars(text, tokens[at].span.start, tokens[at].span.end);
    let (mut used, mut tear) = (1, None);
    while let Some(next) = next_word(tokens, at + used) {
        let gap = Span::new(tokens[at + used - 1].span.end, next.span.start);
        let over_line = text[gap.start..gap.end].iter().any(|b| matches!(b, b'\n' | b'\r'));
        if next.span.len() > 32 || chars.len() > 64 {
            break;
        }
        let pieces = word::pieces(&chars, coordinates, expected);
        let Some(last) = pieces.last() else { break };
        let tail = word::chars(text, next.span.start, next.span.end);
        if !belongs(&chars, last, &tail, over_line, coordinates, expected) {
            break;
        }
        tear = Some(chars.len());
        chars.extend(tail);
        used += 2;
    }
    (chars, used, tear)
}

fn next_word(tokens: &[Token], at: usize) -> Option<Token> {
    let (space, word) = (tokens.get(at)?, tokens.get(at + 1)?);
    (space.kind == TokenKind::Space && word.kind == TokenKind::Word).then_some(*word)
}

/// Whether `tail` was torn off the piece `last`.
fn belongs(
    chars: &[Char],
    last: &Piece,
    tail: &[Char],
    over_line: bool,
    coordinates: bool,
    expected: u32,
) -> bool {
    let head = &chars[last.from..last.to];
    if head.len() > 12 || last.to < chars.len() {
        return false;
    }
    let tail_pieces = word::pieces(tail, coordinates, expected);
    let Some(first) = tail_pieces.first() else { return false };
    let head_bad = matches!(last.kind, PieceKind::Other | PieceKind::Punctuation);
    let tail_bad = matches!(first.kind, PieceKind::Other | PieceKind::Punctuation);
    let tail_sign = matches!(first.kind, PieceKind::Suffix | PieceKind::Glyph(Some(10)));
    let candidate = if over_line {
        head_bad || (tail_bad && !matches!(last.kind, PieceKind::Glyph(_)))
    } else {
        head_bad && (tail_bad || matches!(first.kind, PieceKind::Number(_, 0)))
    };
    if !candidate || tail_sign {
        return false;
    }
    let joined: Vec<Char> = head.iter().chain(tail).copied().collect();
    let joined_pieces = word::pieces(&joined, coordinates, expected);
    let whole = joined_pieces.first().is_some_and(|p| {
        p.to > head.len()
            && matches!(p.kind, PieceKind::Move | PieceKind::Result(_))
            && !is_number_like(head, p.kind)
    });
    whole && joined_pieces.iter().all(|p| !matches!(p.kind, PieceKind::Other))
}

/// `3` before `f3` is a move number, not half a move.
fn is_number_like(head: &[Char], joined: PieceKind) -> bool {
    joined == PieceKind::Move
        && head.iter().all(|c| c.c.is_ascii_digit())
        && head.first().is_some_and(|c| c.c != '0')
}

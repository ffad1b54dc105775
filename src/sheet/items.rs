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
    let mut out: Vec<Item> = Vec::new();
    let mut expected = 1;
    let mut at = 0;
    let dashed = dashed_pairs(text, tokens);
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
                let (chars, used, joined) = join_words(text, tokens, at, expected);
                let pieces = if dashed { apart(&chars, expected) } else { word::pieces(&chars, expected) };
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
    join_results(text, &mut out);
    join_castling(&mut out);
    if coordinate_style(text, tokens) { out } else { unglue(text, out) }
}

/// The pieces of a word in which a dash stands between White's move and Black's, `1.Nf3-Nc6`.
fn apart(chars: &[Char], expected: u32) -> Vec<Piece> {
    let Some(cut) = dash_between(chars, expected) else { return word::pieces(chars, expected) };
    let mut out = word::pieces(&chars[..cut], expected);
    out.push(Piece { kind: PieceKind::Punctuation, from: cut, to: cut + 1 });
    let tail = word::pieces(&chars[cut + 1..], expected);
    out.extend(tail.iter().map(|p| Piece { from: p.from + cut + 1, to: p.to + cut + 1, ..*p }));
    out
}

/// The dash between two whole moves in a word.
fn dash_between(chars: &[Char], expected: u32) -> Option<usize> {
    let one_move = |pieces: &[Piece]| {
        pieces.iter().filter(|p| p.kind == PieceKind::Move).count() == 1
            && pieces.iter().all(|p| {
                use PieceKind::{Dots, Glyph, Move, Number, Suffix};
                matches!(p.kind, Number(..) | Dots | Move | Glyph(_) | Suffix)
            })
    };
    let dashes = chars.iter().enumerate().filter(|(_, c)| c.c == '-').map(|(i, _)| i);
    dashes.take(8).find(|&i| {
        let tail = word::pieces(&chars[i + 1..], expected);
        tail.first().is_some_and(|p| p.kind == PieceKind::Move)
            && one_move(&tail)
            && one_move(&word::pieces(&chars[..i], expected))
    })
}

/// Whether dashes join White's move and Black's throughout: words that can be nothing else are at least as many as
/// single moves, and as moves in long notation with a dash.
fn dashed_pairs(text: &[u8], tokens: &[Token]) -> bool {
    // Most texts have no dash but in results and castlings.
    let dashed = |t: &Token| {
        let word = &text[t.span.start..t.span.end.min(t.span.start + 64)];
        word.iter().any(|b| matches!(b, b'-' | 0xE2 | 0xEF | 0x96 | 0x97))
            && word.iter().any(|b| (b'a'..=b'h').contains(b))
    };
    if !tokens.iter().filter(|t| t.kind == TokenKind::Word).take(400).any(dashed) {
        return false;
    }
    let (mut sure, mut long, mut single) = (0, 0, 0);
    for token in tokens.iter().filter(|t| t.kind == TokenKind::Word).take(400) {
        let chars = word::chars(text, token.span.start, token.span.end.min(token.span.start + 64));
        let skip = chars.iter().take_while(|c| c.c.is_ascii_digit() || matches!(c.c, '.' | '…')).count();
        let core = &chars[skip..];
        let Some(end) = word::move_end(core, 0) else { continue };
        if !core.iter().any(|c| c.c == '-') || dash_between(core, 0).is_none() {
            single += 1;
        } else if end < core.len() {
            sure += 1;
        } else {
            let bare: String = core.iter().map(|c| c.c).filter(|c| *c != '-').collect();
            long += usize::from(word::seam(&bare).is_some_and(|(_, fits)| fits));
        }
    }
    sure > 0 && sure >= single && sure >= long
}

/// Makes one result of `1 - 0` or `½ : ½` written as three words.
fn join_results(text: &[u8], items: &mut Vec<Item>) {
    let half = |i: &Item| match i.piece() {
        Some(PieceKind::Number(0 | 1, 0)) => true,
        Some(PieceKind::Result("1/2-1/2")) => i.text.chars().count() <= 3,
        Some(PieceKind::Other) => matches!(i.text.as_str(), "O" | "o" | "l" | "I"),
        _ => false,
    };
    let mut at = 0;
    while at + 2 < items.len() {
        let [a, dash, b] = &items[at..at + 3] else { break };
        let sign = dash.piece() == Some(PieceKind::Punctuation)
            && matches!(dash.text.chars().next().map(word::plain), Some('-' | ':'));
        if sign && half(a) && half(b) {
            let span = Span::new(a.span.start, b.span.end);
            let written = super::source::decode(&text[span.start..span.end]).into_owned();
            if let Some(value) = super::outcome::parse(&written) {
                let kind = ItemKind::Piece(PieceKind::Result(value));
                items[at] = Item { kind, span, text: written, glued: b.glued, joined: false };
                items.drain(at + 1..at + 3);
            }
        }
        at += 1;
    }
}

/// Makes one castling of `O - O` or `O - O - O` written as words.
fn join_castling(items: &mut Vec<Item>) {
    let ring =
        |i: &Item| i.piece() == Some(PieceKind::Other) && matches!(i.text.as_str(), "O" | "o" | "О" | "о");
    let dash =
        |i: &Item| i.piece() == Some(PieceKind::Punctuation) && i.text.chars().all(|c| word::plain(c) == '-');
    let pair = |items: &[Item]| items.len() >= 2 && dash(&items[0]) && ring(&items[1]);
    let mut at = 0;
    while at < items.len() {
        if ring(&items[at]) && pair(&items[at + 1..]) {
            let last = if pair(&items[at + 3..]) { at + 4 } else { at + 2 };
            let text = if last == at + 4 { "O-O-O" } else { "O-O" };
            let end = &items[last];
            items[at] = Item {
                kind: ItemKind::Piece(PieceKind::Move),
                span: Span::new(items[at].span.start, end.span.end),
                text: text.to_owned(),
                glued: end.glued,
                joined: true,
            };
            items.drain(at + 1..=last);
        }
        at += 1;
    }
}

/// Takes moves apart that are glued into the shape of one, `e4e5` or `Bb5a6`: where a pair of numbers has room for two
/// moves and only this stands there; without such numbers, where no one piece could go that way.
fn unglue(text: &[u8], items: Vec<Item>) -> Vec<Item> {
    let mut out: Vec<Item> = Vec::with_capacity(items.len());
    let (mut skip, mut parted) = (0, 0);
    let long = long_style(&items);
    for (at, item) in items.iter().enumerate() {
        if at < skip {
            continue;
        }
        if let Some(end) = overfull(&items, at) {
            // Two moves in one box that has room for one: nobody knows which, so it stays one entry.
            let mut whole = items[end - 1].clone();
            whole.kind = ItemKind::Piece(PieceKind::Other);
            whole.text = items[at..end].iter().map(|i| i.text.as_str()).collect();
            whole.span.start = item.span.start;
            out.push(whole);
            skip = end;
            continue;
        }
        let seam = if item.piece() == Some(PieceKind::Move) { word::seam(&item.text) } else { None };
        // Among moves in long notation two short ones do not stand in one word: what no piece can do is a slip in one move.
        let parts = seam.filter(|_| !long).filter(|(_, fits)| match pair_size(&items, at) {
            Some((size, room)) => size < room,
            // Where another pair was glued the last one is glued as well.
            None => !fits || (parted > 0 && is_last_box(&items, at)),
        });
        let chars = word::chars(text, item.span.start, item.span.end);
        let first =
            parts.and_then(|(cut, _)| Some((cut, chars.get(item.text[..cut].chars().count())?.start)));
        let Some((cut, start)) = first else {
            out.push(item.clone());
            continue;
        };
        parted += 1;
        let mut head = item.clone();
        head.text.truncate(cut);
        head.span.end = start;
        head.glued = true;
        let mut tail = item.clone();
        tail.text = item.text[cut..].to_string();
        tail.span.start = start;
        out.push(head);
        out.push(tail);
    }
    out
}

/// The end of a run of moves glued together, where the numbers around it have no room for all of them.
fn overfull(items: &[Item], at: usize) -> Option<usize> {
    let glued_move = |i: &Item| i.piece() == Some(PieceKind::Move) && i.glued;
    if !glued_move(&items[at]) {
        return None;
    }
    let run = items[at..].iter().take(4).take_while(|i| glued_move(i)).count();
    let end = at + run + 1;
    let last = items.get(end - 1)?;
    let touching = items[at..end].windows(2).all(|w| w[0].span.end == w[1].span.start);
    if last.piece() != Some(PieceKind::Move) || !touching {
        return None;
    }
    pair_size(items, at).is_some_and(|(size, room)| size > room && size - run <= room).then_some(end)
}

/// Whether a White's number stands before the item and no other entry behind it.
fn is_last_box(items: &[Item], at: usize) -> bool {
    let numbered = at > 0 && matches!(items[at - 1].piece(), Some(PieceKind::Number(_, 0 | 1)));
    let entry =
        |i: &Item| matches!(i.piece(), Some(PieceKind::Move | PieceKind::Other | PieceKind::Number(..)));
    numbered && !items[at + 1..].iter().take(12).any(entry)
}

/// How many moves stand between the numbers around the item, and how many there is room for; `None` if they do not say.
fn pair_size(items: &[Item], at: usize) -> Option<(usize, usize)> {
    let is_move = |i: &Item| matches!(i.piece(), Some(PieceKind::Move | PieceKind::Other | PieceKind::Blank));
    let stops = |i: &Item| matches!(i.kind, ItemKind::Open | ItemKind::Close | ItemKind::Tag);
    let (mut room, mut number) = (None, None);
    let mut size = 1;
    for item in items[..at].iter().rev().take(12) {
        match item.piece() {
            Some(PieceKind::Number(n, dots)) => {
                room = Some(if dots >= 2 { 1 } else { 2 });
                number = Some(n);
                break;
            }
            _ if stops(item) => return None,
            _ if is_move(item) => size += 1,
            _ => {}
        }
    }
    let room = room?;
    for item in items[at + 1..].iter().take(12) {
        match item.piece() {
            // `22. Bb5e8 22... Rd8e8`: Black's box has a number of its own.
            Some(PieceKind::Number(n, 2..)) if number == Some(n) => return Some((size, 1)),
            Some(PieceKind::Number(..)) => return Some((size, room)),
            _ if stops(item) => return None,
            _ if is_move(item) => size += 1,
            _ => {}
        }
    }
    // At the end of the game one move may be all.
    (size >= room).then_some((size, room))
}

/// Whether the pieces' moves are written with both squares, `Bb5e8` and `Bb5xe8`, and hardly any without.
fn long_style(items: &[Item]) -> bool {
    let (mut long, mut short) = (0, 0);
    for item in items.iter().filter(|i| i.piece() == Some(PieceKind::Move)).take(400) {
        match word::is_long(&item.text) {
            Some(true) => long += 1,
            Some(false) => short += 1,
            None => {}
        }
    }
    long >= 2 && long > 2 * short
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
fn join_words(text: &[u8], tokens: &[Token], at: usize, expected: u32) -> (Vec<Char>, usize, Option<usize>) {
    let mut chars = word::chars(text, tokens[at].span.start, tokens[at].span.end);
    let (mut used, mut tear) = (1, None);
    let numbered =
        at >= 2 && tokens[at - 1].kind == TokenKind::Space && text[tokens[at - 2].span.end - 1] == b'.';
    while let Some(next) = next_word(tokens, at + used) {
        let gap = Span::new(tokens[at + used - 1].span.end, next.span.start);
        let over_line = text[gap.start..gap.end].iter().any(|b| matches!(b, b'\n' | b'\r'));
        if next.span.len() > 32 || chars.len() > 64 {
            break;
        }
        let pieces = word::pieces(&chars, expected);
        let Some(last) = pieces.last() else { break };
        let tail = word::chars(text, next.span.start, next.span.end);
        if !belongs(&chars, last, &tail, over_line, numbered, expected) {
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
    numbered: bool,
    expected: u32,
) -> bool {
    let head = &chars[last.from..last.to];
    if head.len() > 12 || last.to < chars.len() {
        return false;
    }
    // The colon behind a word, `White:`, is no capture by what stands on the next line.
    if over_line && last.from > 2 && matches!(head, [c] if c.c == ':') {
        return false;
    }
    let tail_pieces = word::pieces(tail, expected);
    let Some(first) = tail_pieces.first() else { return false };
    let piece = |c: char| c.is_uppercase() || ('♔'..='♟').contains(&c);
    let letter = head.len() == 1 && piece(head[0].c) && chars.len() == 1;
    let crossed = head.len() == 2 && matches!(head[1].c, 'x' | ':' | '-') && piece(head[0].c);
    if letter
        && tail.len() == 1
        && matches!(tail[0].c, 'x' | ':')
        && (numbered || stands_for_a_piece(head[0].c))
    {
        return true;
    }
    // A number torn apart: `1` and `0.` where 10 is due.
    if over_line
        && matches!(last.kind, PieceKind::Number(n, 0) if n != expected)
        && matches!(first.kind, PieceKind::Number(_, dots) if dots > 0)
    {
        let joined: Vec<Char> = head.iter().chain(tail).copied().collect();
        let pieces = word::pieces(&joined, expected);
        return matches!(pieces.first().map(|p| p.kind), Some(PieceKind::Number(n, _)) if n == expected);
    }
    let head_bad = matches!(last.kind, PieceKind::Other | PieceKind::Punctuation) || (letter && over_line);
    let tail_bad = matches!(first.kind, PieceKind::Other | PieceKind::Punctuation);
    let tail_sign = matches!(first.kind, PieceKind::Suffix | PieceKind::Glyph(Some(10)));
    let candidate = if over_line {
        head_bad || (tail_bad && !matches!(last.kind, PieceKind::Glyph(_)))
    } else {
        let lettered = (letter && (numbered || stands_for_a_piece(head[0].c))) || crossed;
        let tail_fits = tail_bad || matches!(first.kind, PieceKind::Number(_, 0));
        (head_bad && tail_fits) || (lettered && (tail_fits || first.kind == PieceKind::Move))
    };
    if !candidate || tail_sign {
        return false;
    }
    let joined: Vec<Char> = head.iter().chain(tail).copied().collect();
    let joined_pieces = word::pieces(&joined, expected);
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

/// Whether a capital standing alone is a piece letter: the `N` of a novelty and the `D` of a diagram are not.
fn stands_for_a_piece(c: char) -> bool {
    !matches!(c, 'N' | 'D' | 'O' | 'A' | 'I')
}

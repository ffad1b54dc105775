//! White space that readers stumble over: blank lines, line ends, invisible characters.

use super::{
    Game, Source, Span,
    lexer::{Token, TokenKind},
    source::{Encoding, char_at, tag_follows},
};
use crate::{
    finding::{Finding, TextEdit},
    rules,
};

/// Findings on the spaces between the tokens of one game, and on its bytes as such.
pub(super) fn check(source: &Source, tokens: &[Token], game: &mut Game) {
    let from = tokens.partition_point(|t| t.span.end <= game.span.start);
    let to = tokens.partition_point(|t| t.span.start < game.span.end);
    let tokens = &tokens[from..to];
    blank_lines(source, tokens, game);
    odd_spaces(source, tokens, game);
    tag_lines(source, tokens, game);
    line_ends(source, tokens, game);
    encoding(source, tokens, game);
    run_together(source, game);
}

/// No blank line before the tags of the next game: python-chess takes them for a part of this game.
fn run_together(source: &Source, game: &mut Game) {
    let end = game.span.end;
    let rest = &source.text[end..];
    let followed = if rest.is_empty() { source.followed } else { tag_follows(rest) };
    if !followed || game.is_empty() {
        return;
    }
    let bytes = source.bytes(game.span);
    let body = game.span.start + bytes.trim_ascii_end().len();
    let gap = &source.text[body..end];
    if body == game.span.start || ends(gap).len() > 1 {
        return;
    }
    let fix = vec![TextEdit::insert(end, if gap.is_empty() { b"\n\n" } else { gap })];
    let message = "no blank line stands between this game and the next one";
    game.findings
        .push(Finding { fix, ..Finding::new(&rules::GAMES_RUN_TOGETHER, Span::new(body, end), message) });
}

fn blank_lines(source: &Source, tokens: &[Token], game: &mut Game) {
    let mut fix = Vec::new();
    let mut in_moves = false;
    for window in tokens.windows(3) {
        let [before, space, after] = window else { continue };
        in_moves |=
            !matches!(before.kind, TokenKind::Tag | TokenKind::Space | TokenKind::Bom | TokenKind::Escape);
        if space.kind != TokenKind::Space || after.span.start >= game.movetext_end.max(game.span.start + 1) {
            continue;
        }
        let headed = before.kind == TokenKind::Tag;
        if before.span.start < game.span.start || (!headed && !in_moves) {
            continue;
        }
        if !headed && !game.tags.is_empty() && before.span.end <= game.tags[0].span.start {
            continue;
        }
        let allowed = if headed { 2 } else { 1 };
        let bytes = source.bytes(space.span);
        let ends = ends(bytes);
        if ends.len() > allowed {
            let keep = space.span.start + ends[allowed - 1];
            let last = space.span.start + ends[ends.len() - 1];
            fix.push(TextEdit { span: Span::new(keep, last), text: Vec::new() });
        }
    }
    if let Some(first) = fix.first() {
        let message = format!(
            "{} where readers end the game",
            if fix.len() == 1 { "a blank line" } else { "blank lines" }
        );
        let span = first.span;
        game.findings.push(Finding { fix, ..Finding::new(&rules::BLANK_LINE, span, message) });
    }
}

/// Tags that share their line with another tag or with moves.
fn tag_lines(source: &Source, tokens: &[Token], game: &mut Game) {
    let mut fix = Vec::new();
    for (i, token) in tokens.iter().enumerate().filter(|(_, t)| t.kind == TokenKind::Tag) {
        let rest = &tokens[i + 1..];
        let spaced = rest.first().is_some_and(|t| t.kind == TokenKind::Space);
        let Some(next) = rest.get(usize::from(spaced)) else { continue };
        let gap = Span::new(token.span.end, next.span.start);
        if !source.bytes(gap).iter().any(|b| matches!(b, b'\n' | b'\r')) {
            let ends: &[u8] = match next.kind {
                TokenKind::Tag => b"\n",
                _ if is_litter(game, next.span) => b"\n%",
                _ => b"\n\n",
            };
            fix.push(TextEdit { span: gap, text: ends.to_vec() });
        }
    }
    for pair in tokens.windows(2).filter(|p| p[0].kind == TokenKind::Space && p[1].kind == TokenKind::Tag) {
        let bytes = source.bytes(pair[0].span);
        let line = bytes.iter().rposition(|b| matches!(b, b'\n' | b'\r')).map_or(0, |i| i + 1);
        let starts_line = line > 0 || pair[0].span.start == game.span.start;
        if starts_line && line < bytes.len() {
            let span = Span::new(pair[0].span.start + line, pair[0].span.end);
            fix.push(TextEdit { span, text: Vec::new() });
        }
    }
    fix.sort_by_key(|e| e.span);
    if let Some(first) = fix.first() {
        let span = first.span;
        let message = "a tag does not have a line of its own";
        game.findings.push(Finding { fix, ..Finding::new(&rules::TAG_LINE, span, message) });
    }
}

/// Whether what stands here stands in the midst of the tag section.
fn is_litter(game: &Game, span: Span) -> bool {
    let moves = game.slots.first().map_or(usize::MAX, |slot| slot.span.start);
    let after = game.tags.partition_point(|tag| tag.span.start < span.end);
    span.start < moves && game.tags.get(after).is_some_and(|tag| tag.span.start < moves)
}

/// The ends of all lines in `bytes`, each behind its line end.
fn ends(bytes: &[u8]) -> Vec<usize> {
    let mut out = Vec::new();
    for (i, b) in bytes.iter().enumerate() {
        if *b == b'\n' || (*b == b'\r' && bytes.get(i + 1) != Some(&b'\n')) {
            out.push(i + 1);
        }
    }
    out
}

fn odd_spaces(source: &Source, tokens: &[Token], game: &mut Game) {
    let (mut fix, mut control) = (Vec::new(), Vec::new());
    for (i, token) in tokens.iter().enumerate() {
        let plain = |b: &u8| matches!(b, b' ' | b'\n' | b'\t' | b'\r');
        if token.kind != TokenKind::Space || source.bytes(token.span).iter().all(plain) {
            continue;
        }
        let mut at = token.span.start;
        let mut spaced = i == 0;
        let last_plain = source.bytes(token.span).iter().rposition(plain).map(|i| token.span.start + i);
        while at < token.span.end {
            let (c, len) = char_at(&source.text[..token.span.end], at);
            if matches!(c, ' ' | '\n' | '\r' | '\t') {
                spaced = true;
            } else {
                let span = Span::new(at, at + len);
                // An invisible character is a space only where nothing else separates its neighbours.
                let more = last_plain.is_some_and(|last| last > at);
                let text = if spaced || more { Vec::new() } else { b" ".to_vec() };
                spaced = true;
                if c.is_ascii_control() || c.is_control() { &mut control } else { &mut fix }
                    .push(TextEdit { span, text });
            }
            at += len;
        }
    }
    if let Some(first) = fix.first() {
        let (span, n) = (first.span, fix.len());
        game.findings.push(Finding {
            fix,
            ..Finding::new(
                &rules::ODD_SPACE,
                span,
                format!("{n} no-break or invisible space(s) between the entries"),
            )
        });
    }
    if let Some(first) = control.first() {
        let (span, n) = (first.span, control.len());
        game.findings.push(Finding {
            fix: control,
            ..Finding::new(
                &rules::CONTROL_CHARACTER,
                span,
                format!("{n} control character(s) between the entries"),
            )
        });
    }
}

/// A CR alone ends a line for most readers. pgn-reader wants an LF behind `%` and `;` and between two games; these
/// alone are changed.
fn line_ends(source: &Source, tokens: &[Token], game: &mut Game) {
    let bytes = source.bytes(game.span);
    let (mut cr, mut lf, mut crlf) = (Vec::new(), 0usize, 0usize);
    for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
        match (bytes[at], bytes.get(at + 1)) {
            (b'\r', Some(b'\n')) => crlf += 1,
            (b'\r', _) => cr.push(game.span.start + at),
            _ if at > 0 && bytes[at - 1] == b'\r' => {}
            _ => lf += 1,
        }
    }
    if let Some(&first) = cr.first() {
        let lone = |at: &usize| cr.binary_search(at).is_ok();
        let mut needed = Vec::new();
        for token in tokens {
            match token.kind {
                TokenKind::Escape => needed.extend([token.span.start.wrapping_sub(1), token.span.end]),
                // Without a brace in it, it becomes a comment in braces.
                TokenKind::LineComment
                    if source.bytes(token.span).iter().any(|b| matches!(b, b'{' | b'}')) =>
                {
                    needed.push(token.span.end);
                }
                _ => {}
            }
        }
        needed.retain(lone);
        let body = bytes.trim_ascii_end().len();
        let behind: Vec<usize> = (game.span.start + body..game.span.end).filter(lone).collect();
        if behind.len() > 1 {
            needed.extend(behind);
        }
        needed.sort_unstable();
        needed.dedup();
        let fix =
            needed.iter().map(|&at| TextEdit { span: Span::new(at, at + 1), text: b"\n".to_vec() }).collect();
        let message = format!("{} line(s) end with CR alone", cr.len());
        game.findings.push(Finding {
            fix,
            ..Finding::new(&rules::CR_LINE_ENDS, Span::new(first, first + 1), message)
        });
    }
    if lf > 0 && crlf > 0 {
        let at = Span::new(game.span.start, game.span.start);
        game.findings.push(Finding::new(
            &rules::MIXED_LINE_ENDS,
            at,
            format!("{crlf} line(s) end with CR LF, {lf} with LF"),
        ));
    }
}

fn encoding(source: &Source, tokens: &[Token], game: &mut Game) {
    let at = Span::new(game.span.start, game.span.start);
    let first_of_file = source.origin.offset == 0 && game.span.start == 0;
    match source.encoding {
        Encoding::Utf8 => {}
        Encoding::Utf8Bom => {
            let Some(bom) = tokens.first().filter(|t| t.kind == TokenKind::Bom) else { return };
            let finding =
                |message, fix| Finding { fix, ..Finding::new(&rules::BYTE_ORDER_MARK, bom.span, message) };
            game.findings.push(if first_of_file {
                finding("the file begins with a byte order mark", Vec::new())
            } else {
                let gone = TextEdit { span: bom.span, text: Vec::new() };
                finding("a byte order mark in the middle of the file", vec![gone])
            });
        }
        Encoding::Utf16Le | Encoding::Utf16Be => {
            if first_of_file {
                game.findings.push(Finding::new(
                    &rules::UTF_16,
                    at,
                    "the file is in UTF-16; it is read, and its bytes are counted, as UTF-8",
                ));
            }
        }
        Encoding::Windows1252 => {
            let bytes = source.bytes(game.span);
            if let Err(e) = std::str::from_utf8(bytes) {
                let bad = game.span.start + e.valid_up_to();
                let span = Span::new(bad, bad + 1);
                game.findings.push(Finding::new(
                    &rules::NOT_UTF_8,
                    span,
                    "not UTF-8 here: read as Windows-1252",
                ));
            }
        }
    }
}

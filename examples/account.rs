//! Accounts for every byte of the files given, `.gz` included: `account FILE...`.
//!
//! A byte is lost where it stands in a word and is neither part of an entry (of the main line or a variation), a move
//! number, a glyph or the result, nor named by a finding. Beside that the lexer's tokens must tile the text, the games'
//! spans too, and of games without an error pgn-reader, which finds its own tokens, must see as many moves.

#![allow(clippy::print_stdout)] // a program for a developer's terminal

use std::io::Read;

use pgn_audit::{
    finding::Severity,
    replay,
    sheet::{
        Game, Source, Span,
        game::games,
        lexer::{TokenKind, tokens},
        witness,
    },
};

#[derive(Default)]
struct Account {
    files: usize,
    bytes: usize,
    tokens: usize,
    words: usize,
    entries: usize,
    games: usize,
    compared: usize,
    moves: usize,
    lost: usize,
}

fn main() {
    let mut account = Account::default();
    for file in std::env::args().skip(1) {
        let bytes = read(&file).unwrap_or_else(|e| panic!("{file}: {e}"));
        account.files += 1;
        account.add(&file, &Source::read(bytes));
    }
    println!(
        "{} files, {} bytes in {} tokens, {} of them words; {} games, {} entries; {} games without an error compared \
         with pgn-reader, {} moves alike; {} words lost",
        account.files,
        account.bytes,
        account.tokens,
        account.words,
        account.games,
        account.entries,
        account.compared,
        account.moves,
        account.lost
    );
    assert_eq!(account.lost, 0, "every word is accounted for");
}

fn read(file: &str) -> std::io::Result<Vec<u8>> {
    let packed = std::fs::read(file)?;
    if !file.ends_with(".gz") {
        return Ok(packed);
    }
    let mut bytes = Vec::new();
    flate2::read::MultiGzDecoder::new(&packed[..]).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl Account {
    fn add(&mut self, file: &str, source: &Source) {
        self.bytes += source.text.len();
        let games = games(source);
        let mut named: Vec<Span> = Vec::new();
        for game in &games {
            self.games += 1;
            self.entries += game.slots.len() + game.variations.iter().map(|v| v.slots.len()).sum::<usize>();
            named.extend(accounted(game));
            let replay = replay::replay(source, game);
            for finding in game.findings.iter().chain(&replay.findings) {
                named.push(finding.span);
                // A `%` put before a line names the line.
                named.extend(finding.fix.iter().map(|edit| match &edit.text[..] {
                    b"%" => source.line_at(edit.span.start),
                    _ => edit.span,
                }));
            }
            let findings = || game.findings.iter().chain(&replay.findings);
            // PA208: a double forfeit, which pgn-reader takes for castling.
            let told = |f: &pgn_audit::finding::Finding| {
                f.severity == Severity::Error || matches!(f.rule.code, "PA111" | "PA208")
            };
            if !findings().any(told) && replay.variant.is_none() {
                let (theirs, _) = witness::reads(source, game);
                assert_eq!(theirs.len(), replay.plies.len(), "{file}, byte {}", game.span.start);
                self.compared += 1;
                self.moves += theirs.len();
            }
        }
        named.retain(|span| !span.is_empty());
        named.sort_unstable();
        let mut at = 0;
        // Behind the last span that begins before a word, the one that reaches furthest covers it or none does.
        let (mut next, mut covered) = (0, 0);
        for token in tokens(source) {
            assert_eq!(token.span.start, at, "{file}: tokens tile the text");
            at = token.span.end;
            self.tokens += 1;
            if token.kind != TokenKind::Word {
                continue;
            }
            self.words += 1;
            let mut lost = Vec::new();
            for i in token.span.start..token.span.end {
                while next < named.len() && named[next].start <= i {
                    covered = covered.max(named[next].end);
                    next += 1;
                }
                if i >= covered {
                    lost.push(source.text[i]);
                }
            }
            if !is_number_or_glyph(&source.decode(token.span), &lost) {
                self.lost += 1;
                let place = source.locate(token.span.start);
                println!("{file}:{}:{}: lost {:?}", place.line, place.column, source.decode(token.span));
            }
        }
        assert_eq!(at, source.text.len(), "{file}: tokens tile the text");
    }
}

/// What the reader took for entries and the result.
fn accounted(game: &Game) -> impl Iterator<Item = Span> + '_ {
    let lines = std::iter::once(&game.slots).chain(game.variations.iter().map(|v| &v.slots));
    lines.flatten().map(|slot| slot.span).chain(game.terminator.iter().map(|t| t.span))
}

/// Whether what is left of a word is a move number with its dots, or one of the signs that readers know; a result inside
/// a variation and a result said twice count as known.
fn is_number_or_glyph(word: &str, left: &[u8]) -> bool {
    let numbers = |b: &u8| b.is_ascii_digit() || matches!(b, b'.' | b')' | b'!' | b'?');
    left.iter().all(numbers)
        || matches!(word, "…" | "1-0" | "0-1" | "1/2-1/2" | "*" | "½-½")
        || String::from_utf8_lossy(left).chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '…'))
}

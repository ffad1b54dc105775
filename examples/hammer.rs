//! Long runs against the reader: `hammer SECONDS SEED FILE...` damages games of the files at random and looks for
//! panics, spans that do not tile the text, games that the short cut and the full reader judge differently, and texts
//! that `fix` leaves so that pgn-reader sees other moves or that it would change again. `hammer door SECONDS SEED` makes
//! positions and moves of its own that no rules allow, repairs and mends them, and looks for panics alone.

#![allow(clippy::print_stdout)] // a program for a developer's terminal

mod door;

use std::time::{Duration, Instant};

use pgn_audit::{
    check::{
        format::Format,
        mending::{self, Part, Threshold},
        run::Job,
        stream::Batch,
    },
    examine::Options,
    replay,
    sheet::{Source, game, lexer, witness},
};

fn main() {
    let mut args = std::env::args().skip(1).peekable();
    let door = args.next_if(|a| a == "door").is_some();
    let seconds: u64 = args.next().and_then(|a| a.parse().ok()).unwrap_or(10);
    let mut dice = Dice(args.next().and_then(|a| a.parse().ok()).unwrap_or(1));
    if door {
        return door::run(seconds, &mut dice);
    }
    let mut games: Vec<Vec<u8>> = Vec::new();
    for file in args {
        let text = std::fs::read(&file).unwrap_or_else(|e| panic!("{file}: {e}"));
        let starts: Vec<usize> =
            std::iter::once(0).chain(memchr::memmem::find_iter(&text, b"\n\n[").map(|i| i + 2)).collect();
        for (i, &start) in starts.iter().enumerate() {
            let end = starts.get(i + 1).copied().unwrap_or(text.len());
            games.push(text[start..end.min(start + 20_000)].to_vec());
        }
    }
    assert!(!games.is_empty(), "no game given");
    let begin = Instant::now();
    let (mut mended, mut unread) = (0u64, 0u64);
    let (mut runs, mut bytes, mut differences, mut slowest) = (0u64, 0usize, 0u64, (Duration::ZERO, 0usize));
    while begin.elapsed().as_secs() < seconds {
        let text = dice.text(&games);
        let before = Instant::now();
        let tiles = lexer::tokens(&Source::read(text.clone()));
        let mut at = 0;
        for token in &tiles {
            assert_eq!(token.span.start, at, "tokens tile the text: {:?}", String::from_utf8_lossy(&text));
            at = token.span.end;
        }
        let answer = |thorough| {
            let options = Options { repair: false, ..Options::default() };
            let job = Job { options, format: Format::Ndjson, coloured: false, thorough };
            job.run("x", &Batch::whole(text.clone()))
        };
        let (short, full) = (answer(false), answer(true));
        if short.piece != full.piece {
            differences += 1;
            println!("--- judged differently:\n{}", String::from_utf8_lossy(&text));
            println!("short: {}", String::from_utf8_lossy(&short.piece.bytes));
            println!("full:  {}", String::from_utf8_lossy(&full.piece.bytes));
            if differences > 20 {
                break;
            }
        }
        if before.elapsed() > slowest.0 {
            slowest = (before.elapsed(), text.len());
        }
        if runs.is_multiple_of(8) {
            let repair = runs.is_multiple_of(64);
            let after = fixed(&text, repair);
            mended += 1;
            if let Some(difference) = unlike(&after, repair) {
                unread += 1;
                if unread <= 20 {
                    println!("--- fixed, but {difference}:\n{}", String::from_utf8_lossy(&text));
                    println!("--- after:\n{}", String::from_utf8_lossy(&after));
                }
            }
        }
        runs += 1;
        bytes += text.len();
    }
    println!(
        "{runs} texts, {:.1} MB, {differences} judged differently, {unread} of {mended} fixed ones read differently, \
         slowest {:?} for {} bytes",
        bytes as f64 / 1e6,
        slowest.0,
        slowest.1
    );
}

/// A text as `fix` writes it, with or without the decoder.
fn fixed(text: &[u8], repair: bool) -> Vec<u8> {
    let options = Options { repair, ..Options::default() };
    let parts = mending::mend(&Batch::whole(text.to_vec()), &options, Threshold::default()).parts;
    let bytes = |part: Part| match part {
        Part::Kept(bytes) | Part::Changed { after: bytes, .. } => bytes,
    };
    parts.into_iter().flat_map(bytes).collect()
}

/// What is wrong with a fixed text.
fn unlike(text: &[u8], repaired: bool) -> Option<String> {
    let source = Source::read(text.to_vec());
    for (number, game) in game::games(&source).iter().enumerate() {
        let replay = replay::replay(&source, game);
        match &replay.refusal {
            Some(refusal) if refusal.kind == replay::RefusalKind::Unsupported => continue,
            Some(refusal) if repaired => return Some(format!("game {number} stops: {}", refusal.reason)),
            Some(_) => continue,
            None => {}
        }
        let (theirs, games) = witness::reads(&source, game);
        let plain = |san: &str| san.trim_end_matches(['+', '#']).to_owned();
        let ours: Vec<String> = replay.plies.iter().map(|played| plain(&played.san)).collect();
        // pgn-reader spells as it is written: needless squares of departure are no difference.
        if ours.len() != theirs.len() || games > 1 {
            return Some(format!(
                "game {number}: {} moves here, {} there in {games}",
                ours.len(),
                theirs.len()
            ));
        }
    }
    None
}

/// xorshift64*: the same numbers on every machine.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 33) as usize % bound.max(1)
    }

    fn text(&mut self, games: &[Vec<u8>]) -> Vec<u8> {
        let mut text = Vec::new();
        for _ in 0..=self.below(3) {
            text.extend_from_slice(&games[self.below(games.len())]);
        }
        for _ in 0..self.below(6) {
            let at = self.below(text.len());
            let length = if self.below(8) == 0 { self.below(200) } else { self.below(3) };
            let end = (at + length).min(text.len());
            let fresh: Vec<u8> = match self.below(4) {
                0 => vec![],
                1 => vec![self.next() as u8],
                2 => PIECES[self.below(PIECES.len())].to_vec(),
                _ => {
                    let from = self.below(text.len());
                    text[from..(from + self.below(12)).min(text.len())].to_vec()
                }
            };
            text.splice(at..end, fresh);
        }
        text
    }
}

const PIECES: &[&[u8]] = &[
    b"{",
    b"}",
    b"(",
    b")",
    b"[",
    b"]",
    b"\"",
    b"\n",
    b"\n\n",
    b"\r\n",
    b"\r",
    b"\n%",
    b";",
    b"$",
    b"1-0",
    b"0-1",
    b"*",
    b"1/2-1/2",
    b"O-O",
    b"0-0",
    b"--",
    b"...",
    b"!!",
    b"+",
    b"#",
    b"=Q",
    b"e.p.",
    b"\xEF\xBB\xBF",
    b"\xC2\xA0",
    b"\xFF",
    b"\0",
    b"\n\n[Event \"X\"]\n",
    b"\n[Result \"*\"]",
    b"12.",
    b"Nf3",
    b"exd5",
    b" ",
    b"\t",
    b"\xE2\x99\x98",
];

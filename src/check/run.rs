//! A batch of games from text to what is written for it.

use super::{
    fast::{self, Clean},
    format::{CleanGame, Format, Piece},
    record::SummaryRecord,
    stream::{self, Batch, Content},
};
use crate::{
    examine::{self, Examined, Options, guard::caught},
    finding::{Finding, Severity},
    rules,
    sheet::{
        Source, Span,
        cut::{self, Cut},
        source::{self, Origin},
    },
};

/// What is done with every batch.
#[derive(Clone, Debug)]
pub struct Job {
    /// What is looked for.
    pub options: Options,
    /// How it is written.
    pub format: Format,
    /// Whether colours are wanted.
    pub coloured: bool,
    /// Read every game in full, those too that can be proved clean at first sight: the answer is the same.
    pub thorough: bool,
}

/// What a batch came to.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// What is written for it.
    pub piece: Piece,
    /// Its share of the summary; `files` is 0.
    pub counts: SummaryRecord,
}

impl Job {
    /// Examines every game of a batch of `file`.
    pub fn run(&self, file: &str, batch: &Batch) -> Answer {
        let mut answer = Answer::default();
        match batch.content {
            Content::Games => {}
            Content::Oversized => {
                self.oversized(&mut answer, file, batch);
                return answer;
            }
            Content::OversizedRest => return answer,
        }
        let text = batch.text();
        let mut place = Place { text, at: 0, lines: batch.origin.line };
        let mut spans = Vec::new();
        let lists = self.format.lists_clean_games();
        let mut at = 0;
        while at < text.len() {
            spans.clear();
            // What is to be said of the file is said with its first game.
            let noted = batch.utf16.is_some() && batch.origin.offset + at == 0;
            let clean = if self.thorough || noted {
                None
            } else {
                caught(|| fast::clean_game(batch.padded(), at, lists.then_some(&mut spans))).ok().flatten()
            };
            match clean {
                Some(clean) => {
                    count_clean(&mut answer.counts, &clean);
                    if lists {
                        let game = CleanGame {
                            line: place.line(at) + 1,
                            offset: batch.origin.offset + at,
                            text,
                            moves: &spans,
                            result: clean.result,
                            board: clean.board,
                        };
                        self.format.clean(&mut answer.piece, file, &game);
                    }
                    at = clean.end;
                }
                None => {
                    let end = match cut::next_game_start(text, at, true) {
                        Cut::At(end) => end,
                        Cut::End | Cut::NeedMore => text.len(),
                    };
                    let origin = Origin { offset: batch.origin.offset + at, line: place.line(at) };
                    let encoding = batch.utf16.unwrap_or_else(|| source::encoding(&text[at..end]));
                    let source = Source::part(text[at..end].to_vec(), encoding, origin);
                    let source = source.followed(source::tag_follows(&text[end..]));
                    self.in_full(&mut answer, file, &source);
                    at = end;
                }
            }
        }
        answer
    }

    /// A game that is not read.
    fn oversized(&self, answer: &mut Answer, file: &str, batch: &Batch) {
        let head = batch.text().split(|b| matches!(b, b'\n' | b'\r')).next().unwrap_or_default();
        let head = &head[..head.len().min(HEAD)];
        let encoding = batch.utf16.unwrap_or_else(|| source::encoding(head));
        let source = Source::part(head.to_vec(), encoding, batch.origin);
        let message = format!("the game has more than {} MiB of text and is not read", stream::LARGEST >> 20);
        let finding = Finding::new(&rules::OVERSIZED_GAME, Span::new(0, source.text.len()), message);
        let game = Examined::unread(&source, finding);
        count(&mut answer.counts, &game);
        self.format.game(&mut answer.piece, file, &source, &game, self.coloured);
    }

    fn in_full(&self, answer: &mut Answer, file: &str, source: &Source) {
        for game in examine::slice(source, &self.options) {
            count(&mut answer.counts, &game);
            self.format.game(&mut answer.piece, file, source, &game, self.coloured);
        }
    }
}

/// Bytes of the first line of a game that is not read, which are shown.
const HEAD: usize = 400;

/// Counts lines on the way through a text.
struct Place<'t> {
    text: &'t [u8],
    at: usize,
    lines: usize,
}

impl Place<'_> {
    /// Lines of the file before byte `at`, which is not before the last one asked for.
    fn line(&mut self, at: usize) -> usize {
        self.lines += super::stream::lines(&self.text[self.at..at]);
        self.at = at;
        self.lines
    }
}

fn count_clean(counts: &mut SummaryRecord, clean: &Clean) {
    counts.games += 1;
    counts.games_without_error += 1;
    counts.plies += u64::from(clean.plies);
}

fn count(counts: &mut SummaryRecord, game: &Examined) {
    counts.games += 1;
    counts.games_without_error += u64::from(game.worst() != Some(Severity::Error));
    counts.plies += u64::from(game.plies_written);
    counts.repaired += u64::from(game.repair.is_some());
    for finding in &game.findings {
        match finding.severity {
            Severity::Error => counts.errors += 1,
            Severity::Warning => counts.warnings += 1,
            Severity::Info => counts.infos += 1,
        }
    }
}

//! A batch of games from text to repaired text: every byte of a clean game stays, so does every byte outside an
//! edit of the others.

use super::{
    fast,
    stream::{self, Batch, Content},
};
use crate::{
    examine::{self, Options, guard::caught},
    repair::Verdict,
    rules,
    sheet::{
        Source,
        cut::{self, Cut},
        game,
        source::{self, Origin},
    },
};

/// A stretch of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// It stays as it is.
    Kept(Vec<u8>),
    /// One game before and after its repair.
    Changed {
        /// As it came.
        before: Vec<u8>,
        /// As it is now.
        after: Vec<u8>,
    },
}

/// A batch, mended.
#[derive(Clone, Debug, Default)]
pub struct Mended {
    /// Its parts, in order.
    pub parts: Vec<Part>,
    /// Games in it.
    pub games: u64,
    /// Games that were changed.
    pub changed: u64,
    /// What a person should look at: the line in the file, and why.
    pub doubts: Vec<(usize, String)>,
}

impl Mended {
    fn keep(&mut self, bytes: &[u8]) {
        match self.parts.last_mut() {
            Some(Part::Kept(kept)) => kept.extend_from_slice(bytes),
            _ if bytes.is_empty() => {}
            _ => self.parts.push(Part::Kept(bytes.to_vec())),
        }
    }
}

/// Mends every game of a batch.
pub fn mend(batch: &Batch, options: &Options) -> Mended {
    let options = Options { mend: true, ..options.clone() };
    let text = batch.text();
    let mut mended = Mended::default();
    if batch.content != Content::Games {
        if batch.content == Content::Oversized {
            mended.games += 1;
            let doubt =
                format!("the game has more than {} MiB of text and is left as it is", stream::LARGEST >> 20);
            mended.doubts.push((batch.origin.line + 1, doubt));
        }
        mended.keep(text);
        return mended;
    }
    let (mut at, mut counted, mut lines) = (0, 0, batch.origin.line);
    while at < text.len() {
        if let Ok(Some(clean)) = caught(|| fast::clean_game(batch.padded(), at, None)) {
            mended.games += 1;
            mended.keep(&text[at..clean.end]);
            at = clean.end;
            continue;
        }
        let end = match cut::next_game_start(text, at, true) {
            Cut::At(end) => end,
            Cut::End | Cut::NeedMore => text.len(),
        };
        lines += super::stream::lines(&text[counted..at]);
        counted = at;
        let origin = Origin { offset: batch.origin.offset + at, line: lines };
        let piece = &text[at..end];
        let source = Source::part(piece.to_vec(), source::encoding(piece), origin);
        let source = source.followed(text.get(end) == Some(&b'['));
        in_full(&mut mended, &source, &options);
        at = end;
    }
    mended
}

/// Mends the games of one piece, each as a source of its own.
fn in_full(mended: &mut Mended, source: &Source, options: &Options) {
    let mut kept = 0;
    // A text whose games cannot be told apart is left as it is.
    let games = caught(|| game::games(source)).unwrap_or_default();
    for game in games {
        let last = game.span.end == source.text.len();
        let alone = source.slice(game.span).followed(source.followed && last);
        mended.keep(&source.text[kept..game.span.start]);
        kept = game.span.end;
        let games = game::games(&alone);
        let Some(game) = games.iter().find(|game| !game.is_empty()) else {
            mended.keep(&alone.text);
            continue;
        };
        mended.games += 1;
        let examined = examine::examine(&alone, game, options);
        let after = examined.mended.as_ref().map_or_else(|| alone.text.clone(), |m| m.source.text.clone());
        if let Some(fault) = examined.findings.iter().find(|f| f.rule.code == rules::INTERNAL_ERROR.code) {
            mended.doubts.push((examined.line, fault.message.clone()));
        }
        if let Some(repair) = &examined.repair {
            match repair.verdict {
                Verdict::Ambiguous => {
                    let others = repair.alternatives.len();
                    mended.doubts.push((
                        examined.line,
                        format!(
                            "several repairs cannot be told apart; the likeliest of {} was taken",
                            others + 1
                        ),
                    ));
                }
                Verdict::Unexplained => {
                    let doubt = "from some ply on nothing plausible was found; the rest stands in a comment";
                    mended.doubts.push((examined.line, doubt.to_owned()));
                }
                Verdict::Certain | Verdict::Likely => {}
            }
        }
        if after == alone.text {
            mended.keep(&alone.text);
        } else {
            mended.changed += 1;
            mended.parts.push(Part::Changed { before: alone.text, after });
        }
    }
    mended.keep(&source.text[kept..]);
}

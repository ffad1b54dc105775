//! A batch of games from text to repaired text: every byte of a clean game stays, so does every byte outside an
//! edit of the others.

use super::{
    fast,
    stream::{self, Batch, Content},
};
use crate::{
    examine::{self, Options, guard::caught},
    repair::{Op, Repair, Verdict},
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
    /// What a person should look at, game by game.
    pub doubts: Vec<Doubt>,
}

/// A game that a person should look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    /// Number of the game in its batch, from 1.
    pub game: u64,
    /// Its first line in the file, from 1.
    pub line: usize,
    /// The players, as the tags name them.
    pub players: String,
    /// How sure the best repair is, and its probability; `None` where the doubt is not about one.
    pub repair: Option<(Verdict, f64)>,
    /// Whether the repair is written; else the game keeps its bytes.
    pub written: bool,
    /// Why it should be looked at.
    pub why: String,
}

/// Which repairs are written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Threshold {
    /// Those at least this probable, from 0 to 1. `None`: all, but of several games those not that cannot be told from
    /// others.
    pub at_least: Option<f64>,
}

impl Threshold {
    /// Why this repair of one of several games (`many`) is not written, where it is not.
    fn withheld(self, repair: &Repair, many: bool) -> Option<String> {
        let others = repair.alternatives.len();
        match (self.at_least, repair.verdict) {
            (None, Verdict::Ambiguous) if many => Some(format!(
                "several repairs cannot be told apart, {} in all; the game is left as it is",
                others + 1
            )),
            (Some(least), Verdict::Unexplained) if least > 0.0 => {
                Some("from some ply on nothing plausible was found; the game is left as it is".to_owned())
            }
            (Some(least), _) if repair.best.probability < least => {
                Some("the best repair is less sure than was asked for; the game is left as it is".to_owned())
            }
            _ => None,
        }
    }
}

/// What is said of a repair that is written.
fn remark(repair: &Repair) -> Option<&'static str> {
    let stands = repair.best.edits.iter().any(|edit| edit.op == Op::Played);
    match repair.verdict {
        _ if stands => Some("a move against the rules was played; it stands, and other readers stop at it"),
        Verdict::Ambiguous => Some("several repairs cannot be told apart; the likeliest was taken"),
        Verdict::Unexplained => {
            Some("from some ply on nothing plausible was found; the rest stands in a comment")
        }
        Verdict::Certain | Verdict::Likely => None,
    }
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
pub fn mend(batch: &Batch, options: &Options, threshold: Threshold) -> Mended {
    let options = Options { mend: true, ..options.clone() };
    let text = batch.text();
    let alone = batch.last && batch.origin.offset == 0 && next_game_start(text, 0) == text.len();
    let mut mended = Mended::default();
    if batch.content != Content::Games {
        if batch.content == Content::Oversized {
            mended.games += 1;
            mended.doubts.push(Doubt {
                game: mended.games,
                line: batch.origin.line + 1,
                players: String::new(),
                repair: None,
                written: false,
                why: format!(
                    "the game has more than {} MiB of text and is left as it is",
                    stream::LARGEST >> 20
                ),
            });
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
        let end = next_game_start(text, at);
        lines += super::stream::lines(&text[counted..at]);
        counted = at;
        let origin = Origin { offset: batch.origin.offset + at, line: lines };
        let piece = &text[at..end];
        let source = Source::part(piece.to_vec(), source::encoding(piece), origin);
        let source = source.followed(source::tag_follows(&text[end..]));
        in_full(&mut mended, &source, &options, threshold, !alone);
        at = end;
    }
    mended
}

/// Where the game after the one at `from` begins; the text's end where none does.
fn next_game_start(text: &[u8], from: usize) -> usize {
    match cut::next_game_start(text, from, true) {
        Cut::At(at) => at,
        Cut::End | Cut::NeedMore => text.len(),
    }
}

/// Mends the games of one piece, each as a source of its own; `many` where it is not all of the file.
fn in_full(mended: &mut Mended, source: &Source, options: &Options, threshold: Threshold, many: bool) {
    let mut kept = 0;
    // A text whose games cannot be told apart is left as it is.
    let games = caught(|| game::games(source)).unwrap_or_default();
    let many = many || games.len() > 1;
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
        let repair = examined.repair.as_ref();
        let fault = examined.findings.iter().find(|f| f.rule.code == rules::INTERNAL_ERROR.code);
        let withheld = repair.and_then(|repair| threshold.withheld(repair, many));
        let written = withheld.is_none() && fault.is_none();
        let why = fault.map(|f| f.message.clone()).or(withheld);
        if let Some(why) = why.or_else(|| repair.and_then(remark).map(str::to_owned)) {
            let player = |name| game.tag(name).unwrap_or("?");
            mended.doubts.push(Doubt {
                game: mended.games,
                line: examined.line,
                players: format!("{} - {}", player("White"), player("Black")),
                repair: repair.map(|r| (r.verdict, r.best.probability)),
                written,
                why,
            });
        }
        match examined.mended.filter(|m| written && m.source.text != alone.text) {
            None => mended.keep(&alone.text),
            Some(fixed) => {
                mended.changed += 1;
                mended.parts.push(Part::Changed { before: alone.text, after: fixed.source.text });
            }
        }
    }
    mended.keep(&source.text[kept..]);
}

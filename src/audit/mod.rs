//! An audit from bytes to verdicts: the stages in their order.
//!
//! [`Input::read`] finds the games, [`Case::examine`] plays and repairs one, [`run`] asks the engine about all of
//! them, judges, has the pictures made and hands over every file as soon as it is earned.

mod judging;
mod pictures;
mod rows;
mod services;

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use shakmaty::{Chess, Move};

pub use rows::{guess, in_words};
pub use services::{EngineChoice, Services, open};

use judging::{Which, judged};
use services::Searched;

use crate::{
    check::record::verdict_word,
    engine::{
        EngineError,
        plan::{self, Plan},
    },
    evidence::{self, Patience, Stage},
    examine::{self, Examined, failures::Failure},
    finding::Finding,
    fix::{AgainstRules, Mended},
    input::{Input, Score},
    judge::{self, ResultMode},
    repair::{Problem, Repair, ScoreSource},
    replay::{self, Replay},
    report::{self, FolderError, GameRow, Missing, Report, SCREENSHOTS},
};

/// What is asked for, as far as it bears on the files.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Depth of the first search of each position, plies; the engine's own default where none is given.
    pub depth: Option<u32>,
    /// Centipawns from which a side counts as winning.
    pub win_threshold: i32,
    /// Who may change the result.
    pub result: ResultMode,
    /// Closing moves searched again, deeper.
    pub closing: usize,
    /// Whether pictures are wanted.
    pub pictures: bool,
    /// How the scores came to be; told from the text of each where nobody says.
    pub source: Option<ScoreSource>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            depth: None,
            win_threshold: judge::WIN,
            result: ResultMode::default(),
            closing: plan::CLOSING,
            pictures: true,
            source: None,
        }
    }
}

/// Where the files of an audit go; `game` counts the audited games from 0.
pub trait Output {
    /// Takes one whole file.
    ///
    /// # Errors
    /// Where it cannot be kept.
    fn put(&mut self, game: usize, name: &str, bytes: &[u8]) -> Result<(), FolderError>;

    /// The names taken for a game so far.
    fn names(&self, game: usize) -> Vec<String>;
}

/// How far an audit has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// A game is being played and repaired.
    Repairing {
        /// Games done.
        done: usize,
        /// Games in all.
        total: usize,
    },
    /// The engine is searching.
    Searching(plan::Stage),
    /// Pictures are being made.
    Pictures {
        /// Games done.
        done: usize,
        /// Games in all.
        total: usize,
    },
}

/// What ends an audit before its time.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// A file could not be kept.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Pictures could be made in no way.
    #[error("no pictures: {0}")]
    Pictures(String),
    /// Ctrl-C or SIGTERM.
    #[error("interrupted")]
    Interrupted,
}

/// One game as far as it is known without an engine.
#[derive(Clone, Debug)]
pub struct Case {
    /// The game as it came.
    pub score: Score,
    /// It played as written.
    pub replay: Replay,
    /// What is wrong with it, by place.
    pub findings: Vec<Finding>,
    /// What the decoder was given.
    pub problem: Problem,
    /// How the score was taken to have come to be.
    pub source: ScoreSource,
    /// What it made of it, where something was wrong.
    pub repair: Option<Repair>,
    /// The written moves that cannot be applied.
    pub failures: Vec<Failure>,
    /// The repaired text.
    pub mended: Mended,
}

impl Case {
    /// Plays one game and repairs it; `source` says how the score came to be, where its text is not to tell.
    pub fn examine(score: Score, source: Option<ScoreSource>) -> Case {
        let options = examine::Options {
            repair: true,
            mend: true,
            against: AgainstRules::Cut,
            source,
            ..Default::default()
        };
        let Examined { replay, problem, source, repair, findings, failures, mended, .. } =
            examine::examine(&score.source, &score.game, &options);
        let problem = problem.unwrap_or_else(|| replay::problem(&score.game, &replay));
        let mended = mended.unwrap_or_else(|| Mended::unchanged(&score.source, &score.game, &replay));
        Case { score, replay, findings, problem, source, repair, failures, mended }
    }

    /// `clean`, `certain`, `likely`, `ambiguous` or `unexplained`.
    pub fn verdict(&self) -> &'static str {
        self.repair.as_ref().map_or("clean", |r| verdict_word(r.verdict))
    }

    /// The moves of the repaired game with their SAN.
    fn moves(&self) -> Vec<(Move, String)> {
        self.mended.replay.plies.iter().map(|p| (p.mv, p.san.clone())).collect()
    }

    /// The rows of `illegal_moves.json`.
    fn illegal_moves(&self) -> Vec<report::IllegalMove> {
        let (source, game) = (&self.score.source, &self.score.game);
        rows::illegal_moves(source, game, &self.problem, self.repair.as_ref(), &self.failures)
    }

    fn tag(&self, name: &str) -> &str {
        self.score.game.tag(name).unwrap_or("")
    }
}

/// A game audited to the end.
#[derive(Clone, Debug)]
pub struct Audited {
    /// What was known before the engine.
    pub case: Case,
    /// What its `report.json` says.
    pub report: Report,
    /// The ply to be shown: the first blunder, else the worst loss there was.
    pub worst: Option<u32>,
    /// Whether an engine was there and did not do its work.
    pub engine_failed: bool,
}

impl Audited {
    /// Its line in the report of a file with several games.
    pub fn row(&self, game: usize, dir: &str) -> GameRow {
        GameRow {
            game,
            dir: dir.to_owned(),
            white: self.case.tag("White").to_owned(),
            black: self.case.tag("Black").to_owned(),
            verdict: self.report.verdict,
            faults: self.report.faults(),
            result_check: self.report.result_check.clone(),
        }
    }
}

/// Plies of a game that are searched: the rules of draws end any game that people play long before, and an
/// engine takes a fifth of a second a ply.
const LONGEST: usize = examine::LONGEST;

/// Why the positions of a game are not searched, if they are not.
fn too_long(case: &Case) -> Option<String> {
    let plies = case.mended.replay.plies.len();
    (plies > LONGEST).then(|| format!("the game has {plies} plies; no more than {LONGEST} are searched"))
}

/// Time for one picture.
const PATIENCE: Duration = Duration::from_secs(20);

/// Audits the games of `input` with these numbers (from 0).
///
/// Files go to `output` as soon as they are earned, each game's `report.json` last. What could not be done is in
/// the reports' `missing` and `warnings`.
///
/// # Errors
/// Where a file cannot be kept, and on an interrupt; nothing else ends an audit.
pub fn run(
    input: &Input,
    games: &[usize],
    options: &Options,
    services: &mut Services,
    output: &mut dyn Output,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Vec<Audited>, AuditError> {
    let interrupt = services.interrupt.clone();
    let mut cases = Vec::with_capacity(games.len());
    for (i, &game) in games.iter().enumerate() {
        progress(Progress::Repairing { done: i, total: games.len() });
        let case = Case::examine(input.games[game].clone(), options.source);
        stop(&interrupt)?;
        output.put(i, "before/broken.pgn", &case.score.raw)?;
        output.put(i, "illegal_moves.json", &report::json(&case.illegal_moves()))?;
        cases.push(case);
    }
    let searched = evaluate(&cases, options, services, progress)?;
    let mut audited = Vec::with_capacity(cases.len());
    for (i, case) in cases.into_iter().enumerate() {
        let engine = match (too_long(&case), &searched) {
            (Some(why), _) => Err(why),
            (None, Ok(searched)) => Ok(&searched[i]),
            (None, Err(why)) => Err(why.clone()),
        };
        let which = Which { input, number: games[i], index: i };
        audited.push(judged(which, case, options, services, engine, output)?);
    }
    if let Some(pool) = services.pool.take() {
        services.cache_fault = pool.cache_fault().map(ToString::to_string);
    }
    let patience = Patience::new(PATIENCE, &interrupt);
    let mut stage = Stage::new(evidence::locate(), patience);
    for (i, one) in audited.iter_mut().enumerate() {
        stop(&interrupt)?;
        if options.pictures {
            progress(Progress::Pictures { done: i, total: games.len() });
            pictures::make(one, &mut stage, i, output)?;
        } else {
            let why = "no pictures were asked for";
            one.report.missing.extend(SCREENSHOTS.map(|name| Missing { asked: true, ..missing(name, why) }));
        }
        stop(&interrupt)?;
        one.report.files = output.names(i);
        one.report.files.push("report.json".to_owned());
        output.put(i, "report.json", &report::json(&one.report))?;
    }
    Ok(audited)
}

/// How deep the engine searches which positions.
fn planned(options: &Options, services: &Services) -> Plan {
    let usual = services.plan;
    Plan { closing: options.closing, ..options.depth.map_or(usual, |depth| usual.from_depth(depth)) }
}

/// The engine's word on every position of every game; the error is a sentence for `missing`.
fn evaluate(
    cases: &[Case],
    options: &Options,
    services: &mut Services,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Result<Vec<Searched>, String>, AuditError> {
    let plan = planned(options, services);
    if services.pool.is_none() {
        return Ok(Err(services.no_engine.clone()));
    }
    let searched: Vec<bool> = cases.iter().map(|case| too_long(case).is_none()).collect();
    let positions: Vec<Vec<Chess>> =
        cases.iter().filter(|case| too_long(case).is_none()).map(|c| c.mended.positions()).collect();
    let answer = services.search(&positions, plan, &|stage| progress(Progress::Searching(stage)));
    match answer {
        Ok(games) => {
            let mut next = games.into_iter();
            // A game that is not searched has no evaluations.
            Ok(Ok(searched.iter().map(|&s| if s { next.next() } else { None }.unwrap_or_default()).collect()))
        }
        Err(EngineError::Interrupted) => Err(AuditError::Interrupted),
        Err(error) => {
            services.engine_failed = true;
            Ok(Err(error.to_string()))
        }
    }
}

fn missing(what: &str, why: &str) -> Missing {
    Missing { what: what.to_owned(), why: why.to_owned(), asked: false }
}

fn stop(interrupt: &AtomicBool) -> Result<(), AuditError> {
    if interrupt.load(Ordering::Relaxed) { Err(AuditError::Interrupted) } else { Ok(()) }
}

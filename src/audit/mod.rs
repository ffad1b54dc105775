//! An audit from bytes to verdicts: the stages in their order.
//!
//! [`Input::read`] finds the games, [`Case::examine`] plays and repairs one, [`run`] asks the engine about all of
//! them, judges, has the pictures made and hands over every file as soon as it is earned.

pub mod illegal;
pub mod input;
mod pictures;
mod rows;
mod services;

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use shakmaty::{Chess, Move};

pub use input::{Input, InputError, Score};

pub use rows::{guess, in_words};
pub use services::{EngineChoice, Services, open};

use crate::{
    check::{self, Examined, examine, record::verdict_word},
    engine::{
        EngineError, Evaluation,
        plan::{self, Plan},
    },
    evidence::{self, Patience, Stage},
    finding::Finding,
    fix::{self, Mended},
    judge::{self, Judgement, ResultMode},
    repair::{Problem, Repair},
    replay::{self, Replay},
    report::{self, FolderError, GameRow, Missing, Report, ResultRow, SCREENSHOTS, Settings, diff, tables},
    sheet::outcome,
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
}

impl Default for Options {
    fn default() -> Self {
        Options {
            depth: None,
            win_threshold: judge::WIN,
            result: ResultMode::default(),
            closing: plan::CLOSING,
            pictures: true,
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
    /// What it made of it, where something was wrong.
    pub repair: Option<Repair>,
    /// The written moves that cannot be applied.
    pub failures: Vec<illegal::Failure>,
    /// The repaired text.
    pub mended: Mended,
}

impl Case {
    /// Plays one game and repairs it.
    pub fn examine(score: Score) -> Case {
        let Examined { replay, problem, repair, findings, .. } = examine(
            &score.source,
            &score.game,
            &check::Options { repair: true, weigh: true, ..Default::default() },
        );
        let problem = problem.unwrap_or_else(|| replay::problem(&score.game, &replay));
        let failures =
            repair.as_ref().map_or_else(Vec::new, |r| illegal::failures(&score.game, &replay, &problem, r));
        let mended = fix::mend(&score.source, &score.game, &replay, repair.as_ref());
        Case { score, replay, findings, problem, repair, failures, mended }
    }

    /// `clean`, `certain`, `likely`, `ambiguous` or `unexplained`.
    pub fn verdict(&self) -> &'static str {
        self.repair.as_ref().map_or("clean", |r| verdict_word(r.verdict))
    }

    /// The moves of the repaired game with their SAN.
    fn moves(&self) -> Vec<(Move, String)> {
        self.mended.replay.plies.iter().map(|p| (p.mv, p.san.clone())).collect()
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
const LONGEST: usize = check::examine::LONGEST;

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
        let case = Case::examine(input.games[game].clone());
        stop(&interrupt)?;
        output.put(i, "before/broken.pgn", &case.score.raw)?;
        let illegal = illegal_moves(&case);
        output.put(i, "illegal_moves.json", &report::json(&illegal))?;
        cases.push(case);
    }
    let evaluations = evaluate(&cases, options, services, progress)?;
    let mut audited = Vec::with_capacity(cases.len());
    for (i, case) in cases.into_iter().enumerate() {
        let engine = match (too_long(&case), &evaluations) {
            (Some(why), _) => Err(why),
            (None, Ok(evaluations)) => Ok(&evaluations[i][..]),
            (None, Err(why)) => Err(why.clone()),
        };
        audited.push(judged(input, games[i], case, options, services, engine, i, output)?);
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
) -> Result<Result<Vec<Vec<Evaluation>>, String>, AuditError> {
    let plan = planned(options, services);
    let Some(pool) = &mut services.pool else { return Ok(Err(services.no_engine.clone())) };
    let searched: Vec<bool> = cases.iter().map(|case| too_long(case).is_none()).collect();
    let positions: Vec<Vec<Chess>> =
        cases.iter().filter(|case| too_long(case).is_none()).map(|c| c.mended.positions()).collect();
    let answer = plan::evaluate(pool, &positions, plan, &judge::doubtful, &|stage| {
        progress(Progress::Searching(stage))
    });
    match answer {
        Ok(evaluations) => {
            let mut next = evaluations.into_iter();
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

/// The report of one game but for its pictures, and the files that belong to it.
#[expect(clippy::too_many_arguments, reason = "every stage's outcome meets here")]
fn judged(
    input: &Input,
    number: usize,
    mut case: Case,
    options: &Options,
    services: &Services,
    engine: Result<&[Evaluation], String>,
    index: usize,
    output: &mut dyn Output,
) -> Result<Audited, AuditError> {
    let (mut missing_files, mut warnings) = (Vec::new(), services.warnings.clone());
    let start = case.replay.start.clone();
    let positions = case.mended.positions();
    let moves = case.moves();
    let judgement = engine.as_ref().ok().map(|e| judge::judge(&case.mended.replay, e));
    let last = positions.last().unwrap_or(&start);
    let last_score = engine.as_ref().ok().and_then(|e| e.last());
    let suggested = judge::suggest(last, last_score, options.win_threshold);
    let result_check = suggested.map(|s| judge::check(case.tag("Result"), Some(s)));
    let terminator = case.score.game.terminator.as_ref().map(|t| t.value.clone());
    let decision = judge::decide(
        outcome::parse(case.tag("Result")),
        terminator.as_deref(),
        last,
        suggested,
        options.result,
    );
    let before = case.tag("Result").to_owned();
    match &decision.result {
        Some(value) => {
            let input = case.score.source.clone();
            case.mended.set_result(&input, value);
        }
        None => missing_files.push(missing("result", &decision.reason)),
    }
    let result_row = result_check.map(|c| ResultRow {
        declared: c.declared,
        engine_suggests: c.engine_suggests,
        matches: c.matches,
    });
    let illegal = illegal_moves(&case);
    let repairs = repairs(&case, decision.result.as_deref(), &decision.reason);
    let fixed = &case.mended.source.text;
    output.put(index, "fixed.pgn", fixed)?;
    output.put(index, "diff.txt", &diff::diff(&case.score.raw, fixed, &rows::heading(&start, &repairs)))?;
    if case.mended.replay.refusal.is_some() {
        warnings.push("fixed.pgn still holds a move that cannot be played".to_owned());
    }
    if matches!(case.score.source.encoding, crate::sheet::Encoding::Utf16Le | crate::sheet::Encoding::Utf16Be)
    {
        warnings.push("the input is UTF-16, which no PGN reader reads; fixed.pgn is UTF-8".to_owned());
    }
    match &engine {
        Ok(evaluations) => {
            output.put(index, "evals.csv", &tables::evals(&rows::evals(&start, &moves, evaluations)))?;
        }
        Err(why) => {
            let names = ["evals.csv", "blunders.json", "evals_after.csv"];
            missing_files.extend(names.map(|name| missing(name, why)));
        }
    }
    let blunders = |list: fn(&Judgement) -> &Vec<judge::Blunder>| {
        judgement
            .as_ref()
            .map(|j| list(j).iter().map(|b| rows::blunder(&start, b, &repairs)).collect::<Vec<_>>())
    };
    let (listed, all_blunders) = (blunders(|j| &j.blunders), blunders(|j| &j.all_blunders));
    if let Some(list) = &listed {
        output.put(index, "blunders.json", &report::json(list))?;
    }
    match &result_row {
        Some(row) => output.put(index, "result_check.json", &report::json(row))?,
        None => missing_files.push(missing("result_check.json", engine.as_ref().err().map_or("", |e| e))),
    }
    if let Ok(evaluations) = &engine {
        let rows = rows::evals_after(&positions, &moves, evaluations, options.closing.max(3));
        output.put(index, "evals_after.csv", &tables::evals_after(&rows))?;
    }
    if services.asked_for_none {
        missing_files.iter_mut().for_each(|m| m.asked = true);
    }
    let identity = engine.as_ref().ok().and(services.identity.as_ref());
    let depth = engine.as_ref().ok().map(|_| planned(options, services));
    let report = Report {
        schema_version: report::SCHEMA_VERSION,
        input: report::Input {
            name: input.name.clone(),
            sha256: input.sha256.clone(),
            packed: input.packing.name(),
            encoding: input::encoding_name(input.encoding),
            games: input.games.len(),
            game: number + 1,
        },
        tags: case.score.game.tags.iter().map(|t| (t.name.clone(), t.value.clone())).collect(),
        verdict: case.verdict(),
        probability: case.repair.as_ref().map(|r| rows::rounded(r.best.probability)),
        unexplained_from: case.repair.as_ref().and_then(|r| r.unexplained_from),
        alternatives: case.repair.as_ref().map_or_else(Vec::new, |r| rows::alternatives(&start, r)),
        probably_played: case
            .repair
            .as_ref()
            .map_or_else(Vec::new, |r| rows::probably_played(&case.score.game, r)),
        notes: rows::notes(&case.score.source, &case.findings, &illegal),
        illegal_moves: illegal,
        blunders: listed,
        all_blunders,
        losses: judgement.as_ref().map(|j| rows::losses(&moves, &j.losses, &repairs)),
        mates: match too_long(&case) {
            None => rows::mates(&positions, &case.mended.replay, engine.as_deref().unwrap_or_default()),
            Some(_) => Vec::new(),
        },
        repairs,
        result_check: result_row,
        result_tag_before: before,
        result_tag_after: case.mended.game.tag("Result").unwrap_or("").to_owned(),
        result_reason: decision.reason,
        engine_used: identity.map(|i| i.name.clone()),
        engine_version: identity.map(|i| i.version.clone()),
        fixed_pgn: "fixed.pgn",
        evals_csv: engine.is_ok().then_some("evals.csv"),
        screenshots: SCREENSHOTS,
        evidence: Vec::new(),
        settings: Settings {
            depth: depth.map(|p| p.shallow),
            deep: depth.map(|p| p.deep),
            win_threshold: options.win_threshold,
            result: match options.result {
                ResultMode::Tag => "tag",
                ResultMode::Engine => "engine",
                ResultMode::Keep => "keep",
            },
            closing: options.closing,
        },
        warnings,
        missing: missing_files,
        files: Vec::new(),
    };
    Ok(Audited {
        case,
        report,
        worst: judgement.and_then(|j| j.worst_ply()),
        engine_failed: services.engine_failed,
    })
}

fn illegal_moves(case: &Case) -> Vec<report::IllegalMove> {
    rows::illegal_moves(
        &case.score.source,
        &case.score.game,
        &case.problem,
        case.repair.as_ref(),
        &case.failures,
    )
}

/// The edits, those of the result last.
fn repairs(case: &Case, result: Option<&str>, reason: &str) -> Vec<report::RepairRow> {
    let last = result.and_then(|value| rows::result_edit(&case.score, value, reason));
    let (source, game) = (&case.score.source, &case.score.game);
    let settled = result.filter(|_| last.is_some());
    let mut rows = rows::repairs(source, game, case.repair.as_ref(), &case.mended, settled);
    rows.extend(last);
    rows
}

fn missing(what: &str, why: &str) -> Missing {
    Missing { what: what.to_owned(), why: why.to_owned(), asked: false }
}

fn stop(interrupt: &AtomicBool) -> Result<(), AuditError> {
    if interrupt.load(Ordering::Relaxed) { Err(AuditError::Interrupted) } else { Ok(()) }
}

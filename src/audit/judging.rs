//! One game judged: its result settled, its tables handed over, its report written but for the pictures.

use std::collections::BTreeMap;

use shakmaty::{Chess, Move};

use super::services::{Opinions, Searched};
use super::{AuditError, Audited, Case, Options, Output, Services, planned, rows, too_long};
use crate::{
    engine::Evaluation,
    input::{self, Input},
    judge::{self, Decision, Judgement, ResultMode},
    repair::ScoreSource,
    report::{
        self, BlunderRow, IllegalMove, Missing, RepairRow, Report, ResultRow, SCREENSHOTS, SecondRow,
        Settings,
    },
    report::{diff, tables},
    sheet::{Encoding, outcome},
};

/// Which game is judged.
#[derive(Clone, Copy)]
pub(super) struct Which<'a> {
    /// The file that it is from.
    pub input: &'a Input,
    /// Its number in there, from 0.
    pub number: usize,
    /// Its number among the audited games, from 0.
    pub index: usize,
}

/// The report of one game but for its pictures, and the files that belong to it.
///
/// `searched` is the engine's word on every position, or why there is none.
///
/// # Errors
/// Where a file cannot be kept.
pub(super) fn judged(
    which: Which,
    mut case: Case,
    options: &Options,
    services: &mut Services,
    searched: Result<&Searched, String>,
    output: &mut dyn Output,
) -> Result<Audited, AuditError> {
    let settled = settle(&mut case, searched.as_ref().ok().and_then(|s| s.evaluations.last()), options);
    let mut said = Said::of(&case, settled, searched);
    said.ask_second(services)?;
    said.hand_over(which.index, options, output)?;
    let worst = said.judgement.as_ref().and_then(Judgement::worst_ply);
    let report = said.report(which, options, services);
    Ok(Audited { case, report, worst, engine_failed: services.engine_failed })
}

/// The result, as far as it could be settled.
struct Settled {
    /// The Result tag as it came.
    before: String,
    /// The tag against what the engine or the board suggests, where one of them does.
    check: Option<ResultRow>,
    decision: Decision,
}

/// Decides the result and writes it into the repaired text.
fn settle(case: &mut Case, last_score: Option<&Evaluation>, options: &Options) -> Settled {
    let before = case.tag("Result").to_owned();
    let positions = case.mended.positions();
    let last = positions.last().unwrap_or(&case.replay.start);
    let suggested = judge::suggest(last, last_score, options.win_threshold);
    let check = suggested.map(|s| judge::check(&before, Some(s))).map(|c| ResultRow {
        declared: c.declared,
        engine_suggests: c.engine_suggests,
        matches: c.matches,
    });
    let terminator = case.score.game.terminator.as_ref().map(|t| t.value.as_str());
    let decision = judge::decide(outcome::parse(&before), terminator, last, suggested, options.result);
    if let Some(value) = &decision.result {
        case.mended.set_result(&case.score.source, value);
    }
    Settled { before, check, decision }
}

/// Everything that is said about one game.
struct Said<'a> {
    case: &'a Case,
    settled: Settled,
    engine: Result<&'a [Evaluation], String>,
    judgement: Option<Judgement>,
    /// The positions of the repaired game, the first and the last one too.
    positions: Vec<Chess>,
    /// Its moves with their SAN.
    moves: Vec<(Move, String)>,
    illegal: Vec<IllegalMove>,
    repairs: Vec<RepairRow>,
    /// What the second engine says of the blunders, by ply.
    second: BTreeMap<u32, SecondRow>,
}

impl<'a> Said<'a> {
    fn of(case: &'a Case, settled: Settled, searched: Result<&'a Searched, String>) -> Said<'a> {
        let judge = |s: &&Searched| judge::judge(&case.mended.replay, &s.evaluations, &s.undecided);
        Said {
            case,
            judgement: searched.as_ref().ok().map(judge),
            positions: case.mended.positions(),
            moves: case.moves(),
            illegal: case.illegal_moves(),
            repairs: repairs(case, &settled.decision),
            settled,
            engine: searched.map(|s| s.evaluations.as_slice()),
            second: BTreeMap::new(),
        }
    }

    /// Asks the second engine about every blunder.
    fn ask_second(&mut self, services: &mut Services) -> Result<(), AuditError> {
        let blunders = self.judgement.as_ref().map_or(&[][..], |j| &j.all_blunders);
        let plies: Vec<u32> = blunders.iter().map(|b| b.ply).collect();
        let at = |index: u32| self.positions[index as usize].clone();
        let moves: Vec<[Chess; 2]> = plies.iter().map(|ply| [at(ply - 1), at(*ply)]).collect();
        let said = services.second_opinions(&moves).map_err(|_| AuditError::Interrupted)?;
        if let Some(Opinions { engine, swings }) = said {
            let row = |swing| SecondRow { engine: engine.clone(), swing };
            self.second = plies.into_iter().zip(swings.into_iter().map(row)).collect();
        }
        Ok(())
    }

    fn start(&self) -> &Chess {
        &self.case.replay.start
    }

    /// The rows of one of the judgement's two lists of blunders.
    fn blunders(&self, list: impl Fn(&Judgement) -> &[judge::Blunder]) -> Option<Vec<BlunderRow>> {
        let row = |blunder: &judge::Blunder| BlunderRow {
            second: self.second.get(&blunder.ply).cloned(),
            ..rows::blunder(self.start(), blunder, &self.repairs)
        };
        self.judgement.as_ref().map(|j| list(j).iter().map(row).collect())
    }

    fn hand_over(&self, index: usize, options: &Options, output: &mut dyn Output) -> Result<(), AuditError> {
        let fixed = &self.case.mended.source.text;
        let heading = rows::heading(self.start(), &self.repairs);
        output.put(index, "fixed.pgn", fixed)?;
        output.put(index, "diff.txt", &diff::diff(&self.case.score.raw, fixed, &heading))?;
        if let Ok(evaluations) = &self.engine {
            let evals = rows::evals(self.start(), &self.moves, evaluations);
            output.put(index, "evals.csv", &tables::evals(&evals))?;
        }
        if let Some(list) = self.blunders(|j| &j.blunders) {
            output.put(index, "blunders.json", &report::json(&list))?;
        }
        if let Some(check) = &self.settled.check {
            output.put(index, "result_check.json", &report::json(check))?;
        }
        if let Ok(evaluations) = &self.engine {
            let after = rows::evals_after(&self.positions, &self.moves, evaluations, options.closing.max(3));
            output.put(index, "evals_after.csv", &tables::evals_after(&after))?;
        }
        Ok(())
    }

    /// What could not be made, and why; `asked` where it was asked to do without an engine.
    fn missing(&self, asked: bool) -> Vec<Missing> {
        let mut missing = Vec::new();
        let decision = &self.settled.decision;
        let mut add = |what: &str, why: &str| {
            missing.push(Missing { what: what.to_owned(), why: why.to_owned(), asked });
        };
        if decision.result.is_none() {
            add("result", &decision.reason);
        }
        if let Err(why) = &self.engine {
            ["evals.csv", "blunders.json", "evals_after.csv"].iter().for_each(|what| add(what, why));
        }
        if self.settled.check.is_none() {
            add("result_check.json", self.engine.as_ref().err().map_or("", |why| why));
        }
        missing
    }

    fn warnings(&self, services: &Services) -> Vec<String> {
        let mut warnings = services.warnings.clone();
        if self.case.mended.replay.refusal.is_some() {
            warnings.push("fixed.pgn still holds a move that cannot be played".to_owned());
        }
        if matches!(self.case.score.source.encoding, Encoding::Utf16Le | Encoding::Utf16Be) {
            warnings.push("the input is UTF-16, which no PGN reader reads; fixed.pgn is UTF-8".to_owned());
        }
        warnings
    }

    fn report(self, which: Which, options: &Options, services: &Services) -> Report {
        let (case, repair) = (self.case, self.case.repair.as_ref());
        let used = self.engine.is_ok();
        let identity = services.identity.as_ref().filter(|_| used);
        Report {
            schema_version: report::SCHEMA_VERSION,
            input: report::Input {
                name: which.input.name.clone(),
                sha256: which.input.sha256.clone(),
                packed: which.input.packing.name(),
                encoding: input::encoding_name(which.input.encoding),
                games: which.input.games.len(),
                game: which.number + 1,
            },
            tags: case.score.game.tags.iter().map(|t| (t.name.clone(), t.value.clone())).collect(),
            verdict: case.verdict(),
            probability: repair.map(|r| rows::rounded(r.best.probability)),
            unexplained_from: repair.and_then(|r| r.unexplained_from),
            alternatives: repair.map_or_else(Vec::new, |r| rows::alternatives(self.start(), r)),
            probably_played: repair.map_or_else(Vec::new, |r| rows::probably_played(&case.score.game, r)),
            notes: rows::notes(&case.score.source, &case.findings, &self.illegal),
            blunders: self.blunders(|j| &j.blunders),
            all_blunders: self.blunders(|j| &j.all_blunders),
            losses: self.judgement.as_ref().map(|j| rows::losses(&self.moves, &j.losses, &self.repairs)),
            mates: match too_long(case) {
                None => {
                    let evaluations = self.engine.as_deref().unwrap_or_default();
                    rows::mates(&self.positions, &case.mended.replay, evaluations)
                }
                Some(_) => Vec::new(),
            },
            result_tag_after: case.mended.game.tag("Result").unwrap_or("").to_owned(),
            engine_used: identity.map(|i| i.name.clone()),
            engine_version: identity.map(|i| i.version.clone()),
            fixed_pgn: "fixed.pgn",
            evals_csv: used.then_some("evals.csv"),
            screenshots: SCREENSHOTS,
            evidence: Vec::new(),
            settings: settings(options, services, used, case.source),
            warnings: self.warnings(services),
            missing: self.missing(services.asked_for_none),
            files: Vec::new(),
            illegal_moves: self.illegal,
            repairs: self.repairs,
            result_check: self.settled.check,
            result_tag_before: self.settled.before,
            result_reason: self.settled.decision.reason,
        }
    }
}

fn settings(options: &Options, services: &Services, used: bool, source: ScoreSource) -> Settings {
    let plan = used.then(|| planned(options, services));
    Settings {
        depth: plan.map(|p| p.shallow),
        deep: plan.map(|p| p.deep),
        win_threshold: options.win_threshold,
        result: match options.result {
            ResultMode::Tag => "tag",
            ResultMode::Engine => "engine",
            ResultMode::Keep => "keep",
        },
        closing: options.closing,
        source: source.word(),
    }
}

/// The edits, those of the result last.
fn repairs(case: &Case, decision: &Decision) -> Vec<RepairRow> {
    let result = decision.result.as_deref();
    let last = result.and_then(|value| rows::result_edit(&case.score, value, &decision.reason));
    let (source, game) = (&case.score.source, &case.score.game);
    let settled = result.filter(|_| last.is_some());
    let mut rows = rows::repairs(source, game, case.repair.as_ref(), &case.mended, settled);
    rows.extend(last);
    rows
}

//! The pipeline of one game, the same for everybody who asks: replayed, and, where something is wrong, repaired, its
//! close readings weighed, its text mended.

pub mod failures;
pub mod guard;
pub mod weigh;

use shakmaty::{Chess, Color, Position};

use failures::Failure;

use crate::{
    finding::{Finding, Severity},
    fix::{self, AgainstRules, Mended},
    repair::{self, Edit, Limits, Op, Problem, Reading, Repair, ScoreSource, Verdict},
    replay::{self, Refusal, RefusalKind, Replay},
    rules,
    sheet::{Game, Source, Span, clocks::clocked},
};

/// Entries of a score that a repair is looked for in: more than three times those of the longest game ever
/// played in a tournament. The search takes a millisecond or two an entry.
pub const LONGEST: usize = 1800;

/// What is asked for beyond the findings.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Look for the game that was really played where the score cannot be replayed as written.
    pub repair: bool,
    /// Write the repaired text even where no move is repaired and the cures of the findings are all that changes it.
    pub mend: bool,
    /// What becomes of moves that were played against the rules.
    pub against: AgainstRules,
    /// How the score came to be; told from its text where nobody says.
    pub source: Option<ScoreSource>,
    /// How far that search goes, and the priors of a hand-written sheet.
    pub limits: Limits,
}

/// What the score says about its result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResultReading {
    /// The Result tag's text as it stands, `None` without such a tag.
    pub tag: Option<String>,
    /// The terminator as it stands, `None` where none is written.
    pub terminator: Option<String>,
    /// What the rules say of the last position: mate, stalemate or dead.
    pub board: Option<String>,
    /// The result that a careful person reads off the sheet, `*` where it tells none.
    pub read: String,
}

/// Everything that is known about one game without an engine's judgement.
#[derive(Clone, Debug)]
pub struct Examined {
    /// First line of the game in its file, from 1.
    pub line: usize,
    /// First byte of the game in its (transcribed) file.
    pub offset: usize,
    /// Written moves of the main line, unreadable ones included.
    pub plies_written: u32,
    /// Canonical SAN of the main line as read; as repaired where a repair was asked for and found.
    pub moves: Vec<String>,
    /// What is wrong, by place; spans count in the source that the game was read from.
    pub findings: Vec<Finding>,
    /// The result, as far as the score tells.
    pub result: ResultReading,
    /// The game as far as it could be played as written.
    pub replay: Replay,
    /// What the decoder was asked to explain; `None` where it was not asked.
    pub problem: Option<Problem>,
    /// How the score came to be, as said or as its text tells.
    pub source: ScoreSource,
    /// The repair, where one was asked for and something needs one.
    pub repair: Option<Repair>,
    /// The written moves that cannot be applied, where a repair was asked for.
    pub failures: Vec<Failure>,
    /// The repaired text and its game: where there is a repair, and where it was asked for.
    pub mended: Option<Mended>,
}

impl Examined {
    /// A game of which nothing is read, and why.
    pub fn unread(source: &Source, why: Finding) -> Examined {
        let game = Game::empty(Span::new(0, source.text.len()));
        Examined {
            line: source.locate(0).line,
            offset: source.origin.offset,
            plies_written: 0,
            moves: Vec::new(),
            findings: vec![why],
            result: ResultReading { read: "*".to_owned(), ..ResultReading::default() },
            replay: replay::replay(source, &game),
            problem: None,
            source: ScoreSource::default(),
            repair: None,
            failures: Vec::new(),
            mended: None,
        }
    }

    /// The severest finding, `None` for a clean game.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|f| f.severity).max()
    }
}

/// All games of a piece of text.
pub fn slice(source: &Source, options: &Options) -> Vec<Examined> {
    guard::slice(source, options)
}

/// One game of `source`. A panic in it is a finding of the game, which then is left as it is.
pub fn examine(source: &Source, game: &Game, options: &Options) -> Examined {
    guard::guarded(staged, source, game, options)
}

/// One game of `source`, through all stages in their order.
fn staged(source: &Source, game: &Game, options: &Options) -> Examined {
    let mut examined = repaired(source, game, options);
    if options.mend || examined.repair.is_some() {
        let mut mended = fix::mend(source, game, &examined.replay, examined.repair.as_ref(), options.against);
        for _ in 1..LOOKS {
            let refused = mended.replay.refusal.as_ref().is_some_and(|r| r.kind != RefusalKind::Unsupported);
            // A move that was played against the rules and stands is refused for good.
            let stands = |repair: &Repair| repair.best.edits.iter().any(|edit| edit.op == Op::Played);
            let refused = refused && !examined.repair.as_ref().is_some_and(stands);
            if !refused || !options.repair {
                break;
            }
            mended = look_again(source, game, &mended, &mut examined, options);
        }
        examined.mended = Some(mended);
    }
    examined
}

/// Looks at one game at most: what the cure of the text lays bare may be a fault of the moves.
const LOOKS: usize = 3;

/// Repairs the repaired text, and lays both repairs together as one of the input: its entries are those that stand where
/// the later edits do.
fn look_again(
    source: &Source,
    game: &Game,
    mended: &Mended,
    examined: &mut Examined,
    options: &Options,
) -> Mended {
    let again = repaired(&mended.source, &mended.game, options);
    let next = fix::mend(&mended.source, &mended.game, &again.replay, again.repair.as_ref(), options.against);
    let Some(mut later) = again.repair else { return mended.clone() };
    let origins = fix::Origins::new(&mended.edits);
    let entry = |at: usize| game.slots.partition_point(|slot| slot.span.end <= at) as u32 + 1;
    for edit in later.best.edits.iter_mut().filter(|edit| edit.op != Op::Tag) {
        edit.span = origins.span(edit.span);
        edit.written_ply = entry(edit.span.start);
        let other = edit.other_ply.and_then(|ply| mended.game.slots.get(ply as usize - 1));
        edit.other_ply = other.map(|slot| entry(origins.of(slot.span.start)));
    }
    if let Some(repair) = examined.repair.take() {
        later.best.probability *= repair.best.probability;
        later.best.edits.splice(0..0, repair.best.edits);
        if later.verdict != Verdict::Unexplained {
            later.verdict = Verdict::of(later.best.probability, 0.0);
        }
    }
    let left = later.unexplained_from.and_then(|ply| mended.game.slots.get(ply as usize - 1));
    later.unexplained_from = left.map(|slot| entry(origins.of(slot.span.start)));
    // What else the mended text may mean says nothing of the other readings of the input.
    later.alternatives.clear();
    examined.moves.clone_from(&later.best.sans);
    examined.repair = Some(later);
    Mended {
        edits: fix::compose(source.text.len(), &mended.edits, &next.edits),
        moves: mended.moves.clone(),
        ..next
    }
}

/// One game replayed and, where that was asked for, repaired.
fn repaired(source: &Source, game: &Game, options: &Options) -> Examined {
    let replay = replay::replay(source, game);
    let mut findings = game.findings.clone();
    findings.extend(replay.findings.iter().cloned());
    let recorded = options.source.unwrap_or_else(|| match clocked(source, game) {
        true => ScoreSource::Board,
        false => ScoreSource::Sheet,
    });
    let problem = (options.repair && worth_repairing(&replay)).then(|| replay::problem(game, &replay));
    let repair = problem.as_ref().map(|problem| match &replay.refusal {
        _ if problem.cells.len() <= LONGEST => {
            let mut repair = repair::repair(problem, &recorded.priors(&options.limits));
            weigh::weigh(&problem.start, &mut repair, weigh::DEPTH, weigh::NATS);
            repair
        }
        refusal => {
            if let Some(refusal) = refusal {
                say_too_long(refusal, problem.cells.len(), &mut findings);
            }
            as_far_as_played(&replay)
        }
    });
    let repair = repair.filter(|repair| says_something(repair, &replay));
    let repair = turned(&replay, repair);
    let failures = match (&problem, &repair) {
        (Some(problem), Some(repair)) => failures::failures(game, &replay, problem, repair),
        _ => Vec::new(),
    };
    if let Some(repair) = &repair {
        name_failures(game, &replay, repair, &failures, &mut findings);
    }
    findings.sort_by_key(|f| (f.span.start, f.rule.code));
    let at = source.locate(game.span.start);
    let moves = match &repair {
        Some(repair) => repair.best.sans.clone(),
        None => replay.plies.iter().map(|played| played.san.clone()).collect(),
    };
    Examined {
        line: at.line,
        offset: source.origin.offset + game.span.start,
        plies_written: game.slots.len() as u32,
        moves,
        findings,
        result: result(game, &replay, repair.as_ref()),
        replay,
        problem,
        source: recorded,
        repair,
        failures,
        mended: None,
    }
}

/// Whether something stands against the score as it is written: a move that cannot be played, or a check sign
/// that contradicts the board (a slip can be legal too), or the lack of one by a writer who sets them.
fn worth_repairing(replay: &Replay) -> bool {
    match &replay.refusal {
        Some(refusal) => refusal.kind != RefusalKind::Unsupported,
        None => {
            let count = |code| replay.findings.iter().filter(|f| f.rule.code == code).count();
            let unsigned = count(rules::MISSING_CHECK_SIGN.code);
            let checks = replay.plies.iter().filter(|played| played.san.ends_with(['+', '#'])).count();
            count(rules::FALSE_CHECK_SIGN.code) > 0 || unsigned > 0 && unsigned * 2 < checks
        }
    }
}

/// The moves played, and nothing said of what stands behind them.
fn as_far_as_played(replay: &Replay) -> Repair {
    let best = Reading {
        probability: 0.0,
        moves: replay.plies.iter().map(|played| played.mv).collect(),
        sans: replay.plies.iter().map(|played| played.san.clone()).collect(),
        edits: vec![],
    };
    Repair {
        verdict: Verdict::Unexplained,
        best,
        alternatives: vec![],
        unexplained_from: replay.refusal.as_ref().map(|refusal| refusal.slot as u32 + 1),
    }
}

fn say_too_long(refusal: &Refusal, entries: usize, findings: &mut [Finding]) {
    let ply = u32::try_from(refusal.slot + 1).ok();
    if let Some(finding) = findings.iter_mut().find(|f| f.severity == Severity::Error && f.ply == ply) {
        let why = format!("; no repair was looked for: {entries} moves are written, more than {LONGEST}");
        finding.message.push_str(&why);
    }
}

/// From what probability on another reading of a score that replays as it is written is worth a mention.
const WORTH_A_MENTION: f64 = 0.1;

/// A score that replays as it is written is contradicted only by a repair that stands out; other readings are listed
/// beside it where they are not far behind.
fn says_something(repair: &Repair, replay: &Replay) -> bool {
    if replay.refusal.is_some() {
        // It says at least how the refused entry is to be read.
        return true;
    }
    if repair.best.edits.is_empty() {
        return repair.alternatives.first().is_some_and(|other| other.probability >= WORTH_A_MENTION);
    }
    matches!(repair.verdict, Verdict::Certain | Verdict::Likely)
}

/// Adds the turned side to move of a FEN tag to a repair.
fn turned(replay: &Replay, repair: Option<Repair>) -> Option<Repair> {
    let Some(change) = &replay.side_to_move else { return repair };
    let fen = String::from_utf8_lossy(&change.text).into_owned();
    let edit = Edit {
        op: Op::Tag,
        written_ply: 0,
        ply: 0,
        other_ply: None,
        written: String::new(),
        san: fen,
        span: change.span,
        cost: 0.0,
        reason: "with the other side to move the written moves can be played".to_owned(),
    };
    let mut repair = repair.unwrap_or_else(|| Repair {
        verdict: Verdict::Likely,
        best: Reading {
            probability: 0.98,
            moves: replay.plies.iter().map(|played| played.mv).collect(),
            sans: replay.plies.iter().map(|played| played.san.clone()).collect(),
            edits: vec![],
        },
        alternatives: vec![],
        unexplained_from: None,
    });
    repair.best.edits.insert(0, edit.clone());
    for other in &mut repair.alternatives {
        other.edits.insert(0, edit.clone());
    }
    Some(repair)
}

/// Puts the failures that show only after the first one is repaired among the findings, and tells each one
/// the earlier ply that is to blame for it.
fn name_failures(
    game: &Game,
    replay: &Replay,
    repair: &Repair,
    failures: &[Failure],
    findings: &mut Vec<Finding>,
) {
    for failure in failures {
        let cause = failure.edits.iter().map(|&edit| repair.best.edits[edit].written_ply).min();
        let cause = cause.filter(|&ply| ply < failure.ply);
        let known = findings.iter_mut().find(|f| f.severity == Severity::Error && f.ply == Some(failure.ply));
        if let Some(known) = known {
            known.cause_ply = cause;
            continue;
        }
        let refusal =
            Refusal { slot: failure.ply as usize - 1, kind: failure.kind, reason: failure.reason.clone() };
        findings.push(Finding { cause_ply: cause, ..replay::refusal_finding(game, replay, &refusal) });
    }
}

fn result(game: &Game, replay: &Replay, repair: Option<&Repair>) -> ResultReading {
    let read = replay::result(game, replay);
    let board = match repair {
        Some(repair) => repaired_end(replay, repair).map(str::to_owned),
        None => read.board.map(str::to_owned),
    };
    ResultReading {
        read: board.clone().unwrap_or(read.read),
        tag: read.tag,
        terminator: read.terminator,
        board,
    }
}

/// What the rules say of the last position of a repaired game; nothing where a part of it is not explained.
fn repaired_end(replay: &Replay, repair: &Repair) -> Option<&'static str> {
    if repair.unexplained_from.is_some() || repair.best.moves.is_empty() {
        return None;
    }
    let mut end: Chess = replay.start.clone();
    repair.best.moves.iter().for_each(|&mv| end.play_unchecked(mv));
    if end.is_checkmate() {
        Some(if end.turn() == Color::White { "0-1" } else { "1-0" })
    } else {
        (end.is_stalemate() || end.is_insufficient_material()).then_some("1/2-1/2")
    }
}

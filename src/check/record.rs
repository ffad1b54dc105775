//! The ndjson records of `check`: the keys that other programs read.

use serde::Serialize;
use shakmaty::Color;

use crate::{
    examine::Examined,
    finding::{Finding, Severity},
    repair::{Edit, Op, Reading, Repair, ScoreSource, Verdict},
    sheet::{Source, Span},
};

/// One game.
#[derive(Debug, Serialize)]
pub struct GameRecord<'a> {
    /// Always `game`.
    pub r#type: &'static str,
    /// The file as it was named, `-` for standard input.
    pub file: &'a str,
    /// Number of the game in its file, from 1.
    pub game: usize,
    /// First line of the game, from 1.
    pub line: usize,
    /// First byte of the game in the text.
    pub offset: usize,
    /// Canonical SAN of the main line, repaired where that was asked for.
    pub moves: &'a [String],
    /// Written moves, unreadable ones included.
    pub plies_written: u32,
    /// What is wrong.
    pub findings: Vec<FindingRecord<'a>>,
    /// The result, as far as the score tells.
    pub result: ResultRecord<'a>,
    /// `null` where nothing needs one.
    pub repair: Option<RepairRecord<'a>>,
}

/// One finding.
#[derive(Debug, Serialize)]
pub struct FindingRecord<'a> {
    /// Stable code of the rule.
    pub code: &'static str,
    /// Stable name of the rule.
    pub name: &'static str,
    /// `error`, `warning` or `info`.
    pub severity: &'static str,
    /// Written ply, from 1; `null` for what is no move.
    pub ply: Option<u32>,
    /// `w` or `b`.
    pub side: Option<char>,
    /// The move as written.
    pub san: Option<&'a str>,
    /// Number of the move by count.
    pub move_number: Option<u32>,
    /// Line in the file, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Bytes of the text, half-open.
    pub span: [usize; 2],
    /// Why, in one sentence.
    pub error: &'a str,
    /// The written ply whose move is really wrong, where that is an earlier one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause_ply: Option<u32>,
}

/// The result, as far as the score tells.
#[derive(Debug, Serialize)]
pub struct ResultRecord<'a> {
    /// The Result tag's text.
    pub tag: Option<&'a str>,
    /// The terminator's text.
    pub terminator: Option<&'a str>,
    /// What the rules say of the last position.
    pub board: Option<&'a str>,
    /// What a careful person reads off the sheet.
    pub read: &'a str,
}

/// The best repair and its rivals.
#[derive(Debug, Serialize)]
pub struct RepairRecord<'a> {
    /// `certain`, `likely`, `ambiguous` or `unexplained`.
    pub verdict: &'static str,
    /// Probability of the best repair.
    pub probability: f64,
    /// How the score was taken to have come to be: `sheet`, `board`, `typed` or `ocr`.
    pub source: &'static str,
    /// Canonical SAN of the best repair.
    pub moves: &'a [String],
    /// Its changes of which move is played.
    pub edits: Vec<EditRecord<'a>>,
    /// At most nine others, the likeliest first.
    pub alternatives: Vec<AlternativeRecord<'a>>,
    /// The first written ply that is not explained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unexplained_from: Option<u32>,
}

/// Another repair.
#[derive(Debug, Serialize)]
pub struct AlternativeRecord<'a> {
    /// Its probability.
    pub probability: f64,
    /// Canonical SAN of its moves.
    pub moves: &'a [String],
    /// Its changes of which move is played.
    pub edits: Vec<EditRecord<'a>>,
}

/// One change of which move is played.
#[derive(Debug, Serialize)]
pub struct EditRecord<'a> {
    /// `substitute`, `insert`, `delete`, `swap`, `played` or `tag`.
    pub op: &'static str,
    /// Counts the moves as written.
    pub written_ply: u32,
    /// Counts those of the repaired game.
    pub ply: u32,
    /// The other written ply of a swap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_ply: Option<u32>,
    /// The entry as written, `null` for an insertion.
    pub written: Option<&'a str>,
    /// The move played, `null` for a deletion and for what stands as it is written.
    pub san: Option<&'a str>,
    /// Bytes of the text, half-open.
    pub span: [usize; 2],
    /// Why, in one sentence.
    pub reason: &'a str,
}

/// The last line of all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SummaryRecord {
    /// Always `summary`.
    pub r#type: &'static str,
    /// Files given.
    pub files: u64,
    /// Of these, files that could not be read to their end, or hold no game.
    pub unread: u64,
    /// Games read.
    pub games: u64,
    /// Games without an error.
    pub games_without_error: u64,
    /// Written moves of all main lines.
    pub plies: u64,
    /// Findings of severity error.
    pub errors: u64,
    /// Findings of severity warning.
    pub warnings: u64,
    /// Findings of severity info.
    pub infos: u64,
    /// Games for which a repair was proposed.
    pub repaired: u64,
}

impl SummaryRecord {
    /// Adds what another part of the input came to.
    pub fn add(&mut self, other: &SummaryRecord) {
        self.files += other.files;
        self.unread += other.unread;
        self.games += other.games;
        self.games_without_error += other.games_without_error;
        self.plies += other.plies;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.infos += other.infos;
        self.repaired += other.repaired;
    }
}

/// The word for a severity.
pub fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}

/// The word for a verdict.
pub fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Certain => "certain",
        Verdict::Likely => "likely",
        Verdict::Ambiguous => "ambiguous",
        Verdict::Unexplained => "unexplained",
    }
}

/// The word for what an edit does.
pub fn op_word(op: Op) -> &'static str {
    match op {
        Op::Substitute => "substitute",
        Op::Insert => "insert",
        Op::Delete => "delete",
        Op::Swap => "swap",
        Op::Played => "played",
        Op::Tag => "tag",
    }
}

/// The record of a game; `source` is the text that its spans count in.
pub fn game<'a>(file: &'a str, number: usize, source: &Source, game: &'a Examined) -> GameRecord<'a> {
    GameRecord {
        r#type: "game",
        file,
        game: number,
        line: game.line,
        offset: game.offset,
        moves: &game.moves,
        plies_written: game.plies_written,
        findings: game.findings.iter().map(|f| finding(source, f)).collect(),
        result: ResultRecord {
            tag: game.result.tag.as_deref(),
            terminator: game.result.terminator.as_deref(),
            board: game.result.board.as_deref(),
            read: &game.result.read,
        },
        repair: game.repair.as_ref().map(|r| repair(source, game.source, r)),
    }
}

fn whole_file(source: &Source, span: Span) -> [usize; 2] {
    [source.origin.offset + span.start, source.origin.offset + span.end]
}

fn finding<'a>(source: &Source, finding: &'a Finding) -> FindingRecord<'a> {
    let at = source.locate(finding.span.start);
    FindingRecord {
        code: finding.rule.code,
        name: finding.rule.name,
        severity: severity_word(finding.severity),
        ply: finding.ply,
        side: finding.side.map(Color::char),
        san: finding.san.as_deref(),
        move_number: finding.move_number,
        line: at.line,
        column: at.column,
        span: whole_file(source, finding.span),
        error: &finding.message,
        cause_ply: finding.cause_ply,
    }
}

fn repair<'a>(source: &Source, recorded: ScoreSource, repair: &'a Repair) -> RepairRecord<'a> {
    RepairRecord {
        verdict: verdict_word(repair.verdict),
        probability: rounded(repair.best.probability),
        source: recorded.word(),
        moves: &repair.best.sans,
        edits: edits(source, &repair.best),
        alternatives: repair
            .alternatives
            .iter()
            .map(|reading| AlternativeRecord {
                probability: rounded(reading.probability),
                moves: &reading.sans,
                edits: edits(source, reading),
            })
            .collect(),
        unexplained_from: repair.unexplained_from,
    }
}

fn edits<'a>(source: &Source, reading: &'a Reading) -> Vec<EditRecord<'a>> {
    let record = |edit: &'a Edit| EditRecord {
        op: op_word(edit.op),
        written_ply: edit.written_ply,
        ply: edit.ply,
        other_ply: edit.other_ply,
        written: Some(edit.written.as_str()).filter(|_| edit.op != Op::Insert),
        san: Some(edit.san.as_str()).filter(|_| !matches!(edit.op, Op::Delete | Op::Played)),
        span: whole_file(source, edit.span),
        reason: &edit.reason,
    };
    reading.edits.iter().map(record).collect()
}

/// Rounded down to six decimals, so that the sum over one game's readings never passes 1 by rounding.
fn rounded(probability: f64) -> f64 {
    (probability * 1e6).floor() / 1e6
}

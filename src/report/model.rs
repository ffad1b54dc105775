//! The report as data: what the files of one audit say, field by field as programs read them.

use serde::Serialize;

/// Version of the report's form; raised when a field changes its meaning or goes away.
pub const SCHEMA_VERSION: u32 = 1;

/// A player's colour as the files write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Side {
    /// White.
    #[serde(rename = "w")]
    White,
    /// Black.
    #[serde(rename = "b")]
    Black,
}

impl From<shakmaty::Color> for Side {
    fn from(color: shakmaty::Color) -> Side {
        if color.is_white() { Side::White } else { Side::Black }
    }
}

impl Side {
    /// `w` or `b`.
    pub fn letter(self) -> &'static str {
        match self {
            Side::White => "w",
            Side::Black => "b",
        }
    }
}

/// What kind of failure a written move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum IllegalKind {
    /// Understood, but against the rules.
    Illegal,
    /// More than one legal move answers to it.
    Ambiguous,
    /// No move in any spelling known.
    Unreadable,
    /// A move was played that is not written.
    Missing,
    /// An entry is no move of the game.
    Extra,
}

/// One record of `illegal_moves.json`: a written move that cannot be applied.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IllegalMove {
    /// Written ply, from 1.
    pub ply: u32,
    /// The written column.
    pub side: Side,
    /// As written.
    pub san: String,
    /// Why it cannot be applied, in chess terms.
    pub error: String,
    /// What kind of failure.
    pub kind: IllegalKind,
    /// Move number by count.
    pub move_number: u32,
    /// Line in the whole file, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// SAN played in `fixed.pgn` in this place; `None` where nothing is.
    pub fix: Option<String>,
    /// Written ply whose move is really wrong, where that is an earlier one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause_ply: Option<u32>,
    /// Every written ply that this repair concerns.
    pub plies: Vec<u32>,
    /// Other moves that could have been played here, the likeliest first.
    pub alternatives: Vec<String>,
}

/// Another move that an edit could have put in the same place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunnerUp {
    /// SAN; empty for a deletion.
    pub san: String,
    /// Probability, 0 to 1.
    pub probability: f64,
}

/// One edit of the text with its reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RepairRow {
    /// `substitute`, `insert`, `delete`, `swap`: another move is played; `notation`: the same move, spelt as
    /// other programs read it; `tag`, `result`: outside the moves; `comment`: moves put into a comment;
    /// `text`: anything else in the file.
    pub op: &'static str,
    /// Ply of the moves as written; for an insertion the one that it precedes; 0 outside the moves.
    pub written_ply: u32,
    /// Ply of `fixed.pgn`; for a deletion that of the next kept move; 0 outside the moves.
    pub ply: u32,
    /// For a swap the other written ply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_ply: Option<u32>,
    /// As written; empty for an insertion.
    pub written: String,
    /// What stands there now; empty for a deletion.
    pub san: String,
    /// Line in the whole file, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Why, in one sentence.
    pub reason: String,
    /// Cost in nats, for a change of the move played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Probability that this very edit is right, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// What else could stand there, the likeliest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runners_up: Vec<RunnerUp>,
}

/// A fault that stops nobody, or one outside the moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Note {
    /// Code of the rule.
    pub code: &'static str,
    /// Name of the rule.
    pub name: &'static str,
    /// `info`, `warning` or `error`.
    pub severity: &'static str,
    /// Written ply, for a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<u32>,
    /// Line in the whole file, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong, in one sentence.
    pub message: String,
}

/// One row of `evals.csv`: the engine's word on the position before a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EvalRow {
    /// Ply of `fixed.pgn`, from 1.
    pub ply: u32,
    /// Who moves.
    pub side: Side,
    /// The move played.
    pub san: String,
    /// Centipawns, White's view, of the position before the move.
    pub score_cp: i32,
    /// The engine's move.
    pub best_san: String,
    /// The position before the move.
    pub fen: String,
}

/// One row of `evals_after.csv`: the engine's word on the position after a closing move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AfterRow {
    /// Ply of `fixed.pgn`, from 1.
    pub ply: u32,
    /// The move played.
    pub san: String,
    /// Centipawns, White's view, of the position after the move.
    pub score_cp: i32,
    /// Depth of that search in plies; 0 where the rules decide.
    pub depth: u32,
    /// The position after the move.
    pub fen: String,
}

/// A move that lost its player 180 centipawns or more.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BlunderRow {
    /// Ply of `fixed.pgn`, from 1.
    pub ply: u32,
    /// Who moved.
    pub side: Side,
    /// The move.
    pub san: String,
    /// The engine's choice.
    pub best_san: String,
    /// Centipawns before the move, the opponent's view, capped at ±1000.
    pub cp_before: i32,
    /// Centipawns after the move, the opponent's view, capped at ±1000.
    pub cp_after: i32,
    /// `cp_after - cp_before`.
    pub swing: i32,
    /// `cp_before` from White's view.
    pub white_cp_before: i32,
    /// `cp_after` from White's view.
    pub white_cp_after: i32,
    /// Move number in `fixed.pgn`.
    pub move_number: u32,
    /// Winning chance that the mover lost, 0 to 1, by the logistic scale of lichess.
    pub chance_lost: f64,
    /// What the move did to a forced mate.
    pub mate: Option<MateChangeRow>,
    /// Whether no search settled that it belongs on the list.
    pub borderline: bool,
    /// Whether the repair put the move there and is likelier wrong than right.
    pub guess: bool,
    /// What another engine makes of the move, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second: Option<SecondRow>,
}

/// Another engine's opinion of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SecondRow {
    /// Its short name.
    pub engine: String,
    /// Centipawns that the move lost by its scores, both capped at ±1000.
    pub swing: i32,
}

/// A move that lost winning chance worth a word, changed a forced mate, or is on the list of blunders or near it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LossRow {
    /// Ply of `fixed.pgn`, from 1.
    pub ply: u32,
    /// Who moved.
    pub side: Side,
    /// The move.
    pub san: String,
    /// Centipawns that the opponent gained, both scores capped at ±1000.
    pub swing: i32,
    /// Winning chance that the mover lost, 0 to 1, by the logistic scale of lichess.
    pub chance_lost: f64,
    /// `inaccuracy`, `mistake` or `blunder` by the winning chance lost: 0.05, 0.10, 0.15.
    pub grade: Option<&'static str>,
    /// What the move did to a forced mate.
    pub mate: Option<MateChangeRow>,
    /// Whether no search settled on which side of the list it is.
    pub borderline: bool,
    /// Whether the repair put the move there and is likelier wrong than right.
    pub guess: bool,
}

/// A forced mate that was let go or let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MateChangeRow {
    /// `lost` (the mover had it) or `allowed` (the opponent has it now).
    pub change: &'static str,
    /// Moves to mate, as the engine counts.
    #[serde(rename = "in")]
    pub moves_to_mate: u32,
}

/// `result_check.json`: the Result tag against the last position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResultRow {
    /// The Result tag's text in the input, "" where there is none.
    pub declared: String,
    /// The result read off the last position; `None` where nobody could say.
    pub engine_suggests: Option<String>,
    /// Whether the two are equal.
    #[serde(rename = "match")]
    pub matches: Option<bool>,
}

/// The input as it came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Input {
    /// The file's own name without folders; `-` for standard input.
    pub name: String,
    /// SHA-256 of the whole file (of the text in it, where it was packed), hexadecimal.
    pub sha256: String,
    /// `gzip`, `zstd` or `bzip2`, where the file was packed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packed: Option<&'static str>,
    /// `UTF-8`, `UTF-8 with BOM`, `UTF-16LE`, `UTF-16BE` or `Windows-1252`.
    pub encoding: &'static str,
    /// Games in the file.
    pub games: usize,
    /// Which of them this is, from 1.
    pub game: usize,
}

/// What was asked for, as far as it bears on the files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// Depth of the first search of each position, plies.
    pub depth: Option<u32>,
    /// Depth of the second search where it can matter, plies.
    pub deep: Option<u32>,
    /// Centipawns from which a side counts as winning.
    pub win_threshold: i32,
    /// Who may change the result: `tag` (a valid tag stands), `engine` or `keep`.
    pub result: &'static str,
    /// Closing moves searched again.
    pub closing: usize,
    /// How the score was taken to have come to be: `sheet`, `board`, `typed` or `ocr`.
    pub source: &'static str,
}

/// Where the board stands in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BoardAt {
    /// Pixels from the left to the board.
    pub x: u32,
    /// Pixels from the top to the board.
    pub y: u32,
    /// Side of one square in pixels; White stands at the bottom.
    pub square: u32,
}

/// What one picture shows and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EvidenceRow {
    /// The file.
    pub file: String,
    /// `xboard` (captured from a running XBoard) or `rendered` (drawn by pgn-audit).
    pub source: &'static str,
    /// Ply of `fixed.pgn` after which the position stands; 0 for the start. For an illegal move: the written ply.
    pub ply: u32,
    /// The position.
    pub fen: String,
    /// Where the board stands in the picture.
    pub board: BoardAt,
    /// The caption.
    pub text: String,
}

/// A deliverable that could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// The file, or what else is lacking.
    pub what: String,
    /// Why, and what helps.
    pub why: String,
    /// Whether that was asked for, so that it is no news.
    #[serde(skip)]
    pub asked: bool,
}

/// A mate in at most three moves that was played, missed or claimed by the engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MateRow {
    /// Ply of `fixed.pgn` that could begin it; one more than there are plies for the last position.
    pub ply: u32,
    /// Who mates.
    pub side: Side,
    /// Moves to mate.
    #[serde(rename = "in")]
    pub moves_to_mate: u32,
    /// Every first move that forces it.
    pub moves: Vec<String>,
    /// Whether an exhaustive search found it, so that `moves` is complete.
    pub proven: bool,
    /// `proven`, `refuted` (claimed by the engine, but not there) or `unverifiable` (within the budget).
    pub verdict: &'static str,
    /// Whether the move played keeps the mate; `None` where no move was played or nothing is proven.
    pub kept: Option<bool>,
}

/// `report.json` of one game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The input.
    pub input: Input,
    /// The tag pairs as written.
    pub tags: Vec<(String, String)>,
    /// `clean`, `certain`, `likely`, `ambiguous` or `unexplained`.
    pub verdict: &'static str,
    /// Probability that the repaired game is the one played, where a repair was needed.
    pub probability: Option<f64>,
    /// First written ply that nothing plausible was found for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unexplained_from: Option<u32>,
    /// As in `illegal_moves.json`.
    pub illegal_moves: Vec<IllegalMove>,
    /// Every edit.
    pub repairs: Vec<RepairRow>,
    /// Other games that explain the sheet, each by its edits and its probability.
    pub alternatives: Vec<Alternative>,
    /// Moves that are illegal but were probably played so.
    pub probably_played: Vec<PlayedIllegally>,
    /// Faults that stop nobody, and those outside the moves.
    pub notes: Vec<Note>,
    /// As in `blunders.json`; `None` without an engine.
    pub blunders: Option<Vec<BlunderRow>>,
    /// All of them, by ply.
    pub all_blunders: Option<Vec<BlunderRow>>,
    /// Every move worth a word about what it lost, by ply.
    pub losses: Option<Vec<LossRow>>,
    /// Mates in at most three moves.
    pub mates: Vec<MateRow>,
    /// As in `result_check.json`; `None` where nobody could say.
    pub result_check: Option<ResultRow>,
    /// Text of the Result tag in the input, "" where there is none.
    pub result_tag_before: String,
    /// Text of the Result tag in `fixed.pgn`.
    pub result_tag_after: String,
    /// Why the result is what it is.
    pub result_reason: String,
    /// The engine's short name; `None` without one.
    pub engine_used: Option<String>,
    /// The engine's version.
    pub engine_version: Option<String>,
    /// File name of the repaired game.
    pub fixed_pgn: &'static str,
    /// File name of the evaluations; `None` without an engine.
    pub evals_csv: Option<&'static str>,
    /// The three pictures of XBoard.
    pub screenshots: [&'static str; 3],
    /// What each picture shows.
    pub evidence: Vec<EvidenceRow>,
    /// What was asked for.
    pub settings: Settings,
    /// What a person should know beside all that.
    pub warnings: Vec<String>,
    /// Deliverables that could not be made.
    pub missing: Vec<Missing>,
    /// Every file of this run, this one included; the next run takes them away first.
    pub files: Vec<String>,
}

/// Another game that explains the sheet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alternative {
    /// Probability, 0 to 1.
    pub probability: f64,
    /// Its edits in words: `12: f6 > g6`.
    pub edits: Vec<String>,
    /// Whether it ends in the same position as `fixed.pgn`.
    pub same_end: bool,
}

/// A move that is illegal but was probably played so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayedIllegally {
    /// Written ply.
    pub ply: u32,
    /// As written.
    pub san: String,
    /// Why it was probably played.
    pub reason: String,
}

/// One game's line in the `report.json` of a file with several games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameRow {
    /// Number of the game in the file, from 1.
    pub game: usize,
    /// Folder with its audit.
    pub dir: String,
    /// The White tag.
    pub white: String,
    /// The Black tag.
    pub black: String,
    /// `clean`, `certain`, `likely`, `ambiguous` or `unexplained`.
    pub verdict: &'static str,
    /// Written moves that cannot be applied, and other errors.
    pub faults: usize,
    /// The result against the last position.
    pub result_check: Option<ResultRow>,
}

/// `report.json` of a file with several games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TopReport {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The input; its `game` is 0.
    pub input: Input,
    /// One line a game.
    pub games: Vec<GameRow>,
    /// What a person should know beside all that.
    pub warnings: Vec<String>,
    /// Deliverables that could not be made, with the game's folder before the name.
    pub missing: Vec<Missing>,
    /// Every file of this run, this one included; the next run takes them away first.
    pub files: Vec<String>,
}

impl Report {
    /// Written moves that cannot be applied, and other errors.
    pub fn faults(&self) -> usize {
        self.illegal_moves.len() + self.notes.iter().filter(|n| n.severity == "error").count()
    }
}

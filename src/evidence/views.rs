//! The pictures of one game: captured where XBoard shows what it should, drawn where it does not, never mixed up.

use shakmaty::{Board, Chess, Color, Move, Position, Square};

use super::{
    Capture, EvidenceError, Mark, Patience, Picture, PictureSource, Programs, Scene, Session, Shot, Tone,
    board::{draw, last_squares},
    caption,
    score::{fen, last_move, number, pgn, position_after, san},
};
use crate::judge::BLUNDER as BLUNDER_CP;

/// Width of the drawn pictures, pixels.
const WIDTH: u32 = 720;
/// After so many failed captures in a row no more are tried.
const PATIENT: u32 = 3;

/// XBoard with the original score.
const INITIAL: &str = "view_xboard_initial.png";
/// XBoard after the first blunder.
const BLUNDER: &str = "view_xboard_blunder.png";
/// XBoard at the end of the repaired score.
const FINAL: &str = "view_xboard_fixed_final.png";

/// What the pictures of a game are made from.
#[derive(Clone, Debug)]
pub struct ViewRequest<'a> {
    /// The score as it came, byte for byte.
    pub original: &'a [u8],
    /// The position that the game starts from.
    pub start: &'a Chess,
    /// The moves of the repaired game.
    pub moves: &'a [Move],
    /// The ply (of the repaired game, from 1) after which the second picture is taken; `None` where no move was
    /// judged.
    pub blunder: Option<u32>,
    /// Whether that move is a blunder, or only the worst loss there was.
    pub is_blunder: bool,
    /// Whether the repair put that move there at less than even odds.
    pub guess: bool,
    /// The Result tag of the repaired game.
    pub result: &'a str,
}

/// One picture of a game.
#[derive(Clone, Debug)]
pub struct View {
    /// Its file name.
    pub file: &'static str,
    /// The picture.
    pub picture: Picture,
    /// Plies played in the position shown.
    pub ply: u32,
    /// The position shown.
    pub fen: String,
    /// What the reader should know: why it is drawn, or that XBoard could not read the score as it came.
    pub note: Option<String>,
}

/// What one picture has to show.
struct Wanted<'a> {
    file: &'static str,
    board: Board,
    last: Option<Move>,
    /// The words after the name of the program.
    words: String,
    score: &'a [u8],
    name: &'a str,
    /// Whether this program wrote the score.
    ours: bool,
    to_end: bool,
}

/// Takes the pictures of any number of games, with one X server for all; started when it is first needed.
pub struct Stage<'a> {
    programs: Result<Programs, EvidenceError>,
    patience: Patience<'a>,
    session: Option<Session>,
    failures: u32,
}

impl<'a> Stage<'a> {
    /// A stage with what [`super::locate`] found; without programs everything is drawn.
    pub fn new(programs: Result<Programs, EvidenceError>, patience: Patience<'a>) -> Stage<'a> {
        Stage { programs, patience, session: None, failures: 0 }
    }

    /// XBoard's version, once a picture of it was taken.
    pub fn xboard_version(&self) -> Option<&str> {
        self.session.as_ref().map(Session::version)
    }

    /// The three pictures of a game: the start of the original score, the position after the blunder, the end.
    ///
    /// # Errors
    /// [`EvidenceError::Interrupted`] only: every other failure is a drawn picture with a note.
    pub fn views(&mut self, request: &ViewRequest<'_>) -> Result<Vec<View>, EvidenceError> {
        Ok(vec![self.initial(request)?, self.blunder(request)?, self.last(request)?])
    }

    fn initial(&mut self, request: &ViewRequest<'_>) -> Result<View, EvidenceError> {
        let turn = turn_words(request.start);
        let mut wanted = Wanted {
            file: INITIAL,
            board: request.start.board().clone(),
            last: None,
            words: format!("game file broken.pgn loaded · {turn}"),
            score: request.original,
            name: "broken.pgn",
            ours: false,
            to_end: false,
        };
        let refused = match self.capture(&wanted) {
            Ok(picture) => return Ok(view(&wanted, picture, 0, request.start, None)),
            Err(Fault::Score(error)) => error,
            Err(fault) => {
                wanted.words = format!("game file broken.pgn · {turn}");
                return Ok(drawn(&wanted, 0, request.start, fault.reason()?));
            }
        };
        let repaired = pgn(request.start, request.moves, request.result);
        wanted.score = repaired.as_bytes();
        wanted.name = "repaired.pgn";
        wanted.ours = true;
        wanted.words =
            format!("game file broken.pgn, not shown by XBoard as it came, loaded repaired · {turn}");
        match self.capture(&wanted) {
            Ok(picture) => {
                let note = format!("{INITIAL} shows the repaired score: {refused}");
                Ok(view(&wanted, picture, 0, request.start, Some(note)))
            }
            Err(fault) => {
                wanted.words = format!("game file broken.pgn · {turn}");
                Ok(drawn(&wanted, 0, request.start, fault.reason()?))
            }
        }
    }

    fn blunder(&mut self, request: &ViewRequest<'_>) -> Result<View, EvidenceError> {
        let ply = request.blunder.unwrap_or(0).min(request.moves.len() as u32);
        let moves = &request.moves[..ply as usize];
        let position = position_after(request.start, moves);
        let guess = if request.guess { ", a guess" } else { "" };
        let words = match last_move(request.start, moves) {
            Some(text) if request.is_blunder => {
                format!("after the blunder {text} (ply {ply}{guess}) · {}", turn_words(&position))
            }
            Some(text) => format!(
                "no move lost {BLUNDER_CP} centipawns; the largest loss: {text} (ply {ply}{guess}) · {}",
                turn_words(&position)
            ),
            None => format!("no move was judged · {}", turn_words(&position)),
        };
        self.own_score(request, BLUNDER, moves, "*", words)
    }

    fn last(&mut self, request: &ViewRequest<'_>) -> Result<View, EvidenceError> {
        let outcome = match request.result {
            "1-0" => "White wins",
            "0-1" => "Black wins",
            "1/2-1/2" => "Draw",
            _ => "no result",
        };
        let end = match last_move(request.start, request.moves) {
            Some(text) => format!("final position after {text}"),
            None => "final position".to_owned(),
        };
        let words = format!("{end} · Result {} · {outcome}", request.result);
        self.own_score(request, FINAL, request.moves, request.result, words)
    }

    fn own_score(
        &mut self,
        request: &ViewRequest<'_>,
        file: &'static str,
        moves: &[Move],
        result: &str,
        words: String,
    ) -> Result<View, EvidenceError> {
        let score = pgn(request.start, moves, result);
        let position = position_after(request.start, moves);
        let wanted = Wanted {
            file,
            board: position.board().clone(),
            last: moves.last().copied(),
            words,
            score: score.as_bytes(),
            name: "fixed.pgn",
            ours: true,
            to_end: true,
        };
        let ply = moves.len() as u32;
        match self.capture(&wanted) {
            Ok(picture) => Ok(view(&wanted, picture, ply, &position, None)),
            Err(fault) => Ok(drawn(&wanted, ply, &position, fault.reason()?)),
        }
    }

    /// One capture; what may be chance is tried again, on a new server where the old one broke.
    fn capture(&mut self, wanted: &Wanted<'_>) -> Result<Picture, Fault> {
        let mut tries = 0;
        loop {
            tries += 1;
            match self.capture_once(wanted) {
                Ok(picture) => {
                    self.failures = 0;
                    return Ok(picture);
                }
                Err(Fault::System(error)) => {
                    self.session = None;
                    let final_word = matches!(error, EvidenceError::Interrupted | EvidenceError::NotFound(_));
                    self.failures += u32::from(!final_word);
                    if final_word || self.failures >= PATIENT {
                        return Err(Fault::System(error));
                    }
                }
                Err(fault @ Fault::Score(_)) => {
                    // A foreign score fails for a reason of its own; ours should not.
                    if tries == 2 || !wanted.ours {
                        return Err(fault);
                    }
                }
            }
        }
    }

    fn capture_once(&mut self, wanted: &Wanted<'_>) -> Result<Picture, Fault> {
        let programs = match &self.programs {
            Ok(programs) => programs,
            Err(EvidenceError::NotFound(name)) => return Err(Fault::System(EvidenceError::NotFound(name))),
            Err(other) => return Err(Fault::System(EvidenceError::Server(other.to_string()))),
        };
        if self.failures >= PATIENT {
            let why = "given up after repeated failures".to_owned();
            return Err(Fault::System(EvidenceError::Server(why)));
        }
        let session = match self.session.take() {
            Some(session) => session,
            None => Session::open(programs, self.patience).map_err(Fault::System)?,
        };
        let shot =
            Shot { score: wanted.score, file: wanted.name, to_end: wanted.to_end, expected: &wanted.board };
        let result = session.capture(&shot, self.patience);
        let version = session.version().to_owned();
        // After a timeout the server may be the one that hangs.
        if !matches!(result, Err(EvidenceError::Timeout { .. })) {
            self.session = Some(session);
        }
        let Capture { image, board, messages } = result.map_err(Fault::of_a_capture)?;
        let mut text = format!("XBoard {version} · {}", wanted.words);
        if messages > 0 {
            text += " · XBoard's own message below the board";
        }
        Ok(Picture { image: caption::under(&image, &text), board, source: PictureSource::XBoard, text })
    }
}

/// Who is to blame for a missing capture.
enum Fault {
    /// The score, or what XBoard makes of it.
    Score(EvidenceError),
    /// The programs and the server.
    System(EvidenceError),
}

impl Fault {
    fn of_a_capture(error: EvidenceError) -> Fault {
        match error {
            EvidenceError::NotLoaded { .. }
            | EvidenceError::WrongPosition { .. }
            | EvidenceError::NoBoard
            | EvidenceError::Timeout { .. }
            | EvidenceError::Died { .. } => Fault::Score(error),
            other => Fault::System(other),
        }
    }

    /// The picture is drawn then; an interrupted run makes none.
    fn reason(self) -> Result<EvidenceError, EvidenceError> {
        match self {
            Fault::System(EvidenceError::Interrupted) => Err(EvidenceError::Interrupted),
            Fault::Score(error) | Fault::System(error) => Ok(error),
        }
    }
}

fn turn_words(position: &Chess) -> &'static str {
    if position.turn() == Color::White { "White to move" } else { "Black to move" }
}

fn view(wanted: &Wanted<'_>, picture: Picture, ply: u32, position: &Chess, note: Option<String>) -> View {
    View { file: wanted.file, picture, ply, fen: fen(position), note }
}

fn drawn(wanted: &Wanted<'_>, ply: u32, position: &Chess, why: EvidenceError) -> View {
    let scene = Scene {
        board: wanted.board.clone(),
        last: wanted.last.map(last_squares),
        marks: Vec::new(),
        caption: format!("Drawn by pgn-audit, no capture · {}", wanted.words),
    };
    let note = format!("{} is drawn, not captured from XBoard: {why}", wanted.file);
    view(wanted, draw(&scene, WIDTH), ply, position, Some(note))
}

/// A written move that could not be played, with what takes its place.
#[derive(Clone, Debug)]
pub struct IllegalView<'a> {
    /// The ply of the written move, from 1.
    pub ply: u32,
    /// The position before it.
    pub position: &'a Chess,
    /// The move played before it.
    pub last: Option<Move>,
    /// The move as written.
    pub written: &'a str,
    /// Why it cannot be played.
    pub reason: &'a str,
    /// Whether a move can be made out in what is written; nothing is drawn for it where none can.
    pub is_move: bool,
    /// The move that takes its place in this position, where one does.
    pub repair: Option<Move>,
    /// The probability of that move, 0 to 1, where it is to be told.
    pub probability: Option<f64>,
    /// What else is repaired on account of it: a sentence, where there is something.
    pub cure: Option<&'a str>,
}

impl IllegalView<'_> {
    /// The name of its file: `view_illegal_12.png`, with two digits at least.
    pub fn file(&self) -> String {
        format!("view_illegal_{:02}.png", self.ply)
    }
}

/// Draws the position, the written move in red and the repair in green.
pub fn draw_illegal(view: &IllegalView<'_>, picture_width: u32) -> Picture {
    let number = number(view.position);
    let mut marks = Vec::new();
    if let Some((from, to)) = written_squares(view.position, view.written).filter(|_| view.is_move) {
        marks.push(Mark { from, to, tone: Tone::Written });
    }
    let colored = if marks.is_empty() { "" } else { " (in red)" };
    let mut caption = if view.is_move {
        format!("{number} {}{colored} cannot be played: {}.", view.written, view.reason)
    } else {
        no_move(&number, view.written)
    };
    if let Some(mv) = view.repair {
        let (from, to) = last_squares(mv);
        marks.push(Mark { from: Some(from), to, tone: Tone::Repair });
        let share = view.probability.map_or_else(String::new, |p| format!(" ({:.0} %)", p * 100.0));
        caption += &format!(" Read as {number} {}{share}, in green.", san(view.position, mv));
    }
    if let Some(cure) = view.cure {
        caption += &format!(" {cure}");
    }
    let last = view.last.map(last_squares);
    draw(&Scene { board: view.position.board().clone(), last, marks, caption }, picture_width)
}

/// What is wrong with an entry that is no move.
fn no_move(number: &str, written: &str) -> String {
    if written.trim().is_empty() {
        return format!("{number} is left blank.");
    }
    let off_board = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'0' | b'9']);
    let square = written.as_bytes().windows(2).rfind(|pair| off_board(pair));
    let why = square.map_or_else(String::new, |pair| {
        format!(": the board has no {}{}", char::from(pair[0]), char::from(pair[1]))
    });
    format!("{number} {written} is no move{why}.")
}

/// Where a written move goes, and where it comes from if only one man can be meant.
fn written_squares(position: &Chess, written: &str) -> Option<(Option<Square>, Square)> {
    let bytes = written.as_bytes();
    let squares: Vec<(usize, Square)> = bytes
        .windows(2)
        .enumerate()
        .filter_map(|(i, pair)| Some((i, Square::from_ascii(pair).ok()?)))
        .collect();
    let (at, to) = *squares.last()?;
    if let Some((_, from)) = squares.len().checked_sub(2).and_then(|i| squares.get(i)) {
        return Some(((*from != to).then_some(*from), to));
    }
    let letter = written.chars().next()?;
    let role = match letter {
        'K' | 'Q' | 'R' | 'B' | 'N' => shakmaty::Role::from_char(letter)?,
        'a'..='h' => shakmaty::Role::Pawn,
        _ => return Some((None, to)),
    };
    let hints = bytes.get(usize::from(role != shakmaty::Role::Pawn)..at).unwrap_or_default();
    let fits = |square: Square| {
        hints.iter().all(|hint| match hint {
            b'a'..=b'h' => square.file().char() == char::from(*hint),
            b'1'..=b'8' => square.rank().char() == char::from(*hint),
            _ => true,
        })
    };
    let men = position.board().by_piece(role.of(position.turn()));
    let forward = |square: Square| {
        // A pawn that is meant stands behind its square, on its file where it does not capture.
        role != shakmaty::Role::Pawn
            || ((!hints.is_empty() || square.file() == to.file())
                && if position.turn() == Color::White {
                    square.rank() < to.rank()
                } else {
                    square.rank() > to.rank()
                })
    };
    let mut meant: Vec<Square> = men.into_iter().filter(|s| fits(*s) && forward(*s) && *s != to).collect();
    if role == shakmaty::Role::Pawn {
        meant.sort_by_key(|s| s.rank().distance(to.rank()));
        meant.truncate(1);
    }
    Some(((meant.len() == 1).then(|| meant[0]), to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::score::from_fen;

    #[test]
    fn a_written_move_is_found_on_the_board() {
        let start = Chess::default();
        let squares = |text| written_squares(&start, text);
        assert_eq!(squares("Nf4"), Some((None, Square::F4)), "two knights may be meant");
        assert_eq!(squares("Ngf4"), Some((Some(Square::G1), Square::F4)));
        assert_eq!(squares("e5"), Some((Some(Square::E2), Square::E5)));
        assert_eq!(squares("exd5"), Some((Some(Square::E2), Square::D5)));
        assert_eq!(squares("e2-e5"), Some((Some(Square::E2), Square::E5)));
        assert_eq!(squares("Sf3"), Some((None, Square::F3)));
        assert_eq!(squares("O-O"), None);
        assert_eq!(squares("Nf9"), None);
        assert_eq!(squares("Qd5+"), Some((Some(Square::D1), Square::D5)));
        let black = from_fen("4k3/3pp3/8/8/8/8/8/4K3 b - - 0 1");
        assert_eq!(written_squares(&black, "e4"), Some((Some(Square::E7), Square::E4)));
    }

    #[test]
    fn without_xboard_every_picture_is_drawn_and_says_so() {
        let stop = std::sync::atomic::AtomicBool::new(false);
        let patience = Patience::new(std::time::Duration::from_secs(1), &stop);
        let mut stage = Stage::new(Err(EvidenceError::NotFound("xboard")), patience);
        let start = Chess::default();
        let moves = ["e4", "e5"].iter().scan(start.clone(), |position, text| {
            let mv = text.parse::<shakmaty::san::San>().ok()?.to_move(position).ok()?;
            position.play_unchecked(mv);
            Some(mv)
        });
        let moves: Vec<Move> = moves.collect();
        let request = ViewRequest {
            original: b"1. e4 e5 *",
            start: &start,
            moves: &moves,
            blunder: Some(1),
            is_blunder: true,
            guess: false,
            result: "1/2-1/2",
        };
        let views = stage.views(&request).unwrap();
        let plies: Vec<(&str, u32)> = views.iter().map(|v| (v.file, v.ply)).collect();
        assert_eq!(plies, [(INITIAL, 0), (BLUNDER, 1), (FINAL, 2)]);
        for view in &views {
            assert_eq!(view.picture.source, PictureSource::Rendered);
            assert!(view.note.as_deref().is_some_and(|n| n.contains("xboard was not found")));
            assert!(!view.picture.text.to_lowercase().contains("xboard"), "{}", view.picture.text);
        }
        assert!(views[2].picture.text.ends_with("Result 1/2-1/2 · Draw"));
        assert!(views[1].picture.text.contains("after the blunder 1. e4 (ply 1)"));
        let mild = stage.views(&ViewRequest { is_blunder: false, guess: true, ..request }).unwrap();
        let text = &mild[1].picture.text;
        assert!(
            text.contains("no move lost 180 centipawns; the largest loss: 1. e4 (ply 1, a guess)"),
            "{text}"
        );
    }

    #[test]
    fn captions_are_sentences_and_only_moves_are_drawn() {
        let start = Chess::default();
        let repair = "Nf3".parse::<shakmaty::san::San>().unwrap().to_move(&start).ok();
        let view = |written, reason, is_move, probability, cure| IllegalView {
            ply: 1,
            position: &start,
            last: None,
            written,
            reason,
            is_move,
            repair,
            probability,
            cure,
        };
        let text = |view: &IllegalView<'_>| draw_illegal(view, 480).text;
        assert_eq!(
            text(&view("Nf4", "no white knight can reach f4", true, Some(0.154), None)),
            "1. Nf4 (in red) cannot be played: no white knight can reach f4. Read as 1. Nf3 (15 %), in green."
        );
        assert_eq!(
            text(&view("g1-f9", "not a move: 'g1-f9'", false, None, Some("The fault is earlier."))),
            "1. g1-f9 is no move: the board has no f9. Read as 1. Nf3, in green. The fault is earlier."
        );
        assert!(text(&view("?!#", "", false, None, None)).starts_with("1. ?!# is no move."));
        assert!(text(&view("", "", false, None, None)).starts_with("1. is left blank."));
        let red = |view: &IllegalView<'_>| {
            let image = draw_illegal(view, 480).image;
            image.pixels().any(|p| p.0[0] > 150 && p.0[1] < 60 && p.0[2] < 90)
        };
        assert!(red(&view("Nf4", "", true, None, None)) && !red(&view("g1-f9", "", false, None, None)));
    }
}

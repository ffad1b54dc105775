//! XBoard with one score, photographed when it shows the expected position.

use std::{
    fs,
    path::Path,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use image::{Rgb, RgbImage, imageops};
use shakmaty::Board;

use super::{
    BoardRect, Deadline, EvidenceError, Patience, Programs,
    outside::{Group, xboard_version},
    verify::{DARK, Glyphs, LIGHT, find_board},
    xserver::{TopLevel, XServer, tail},
};
use crate::bound;

/// Between two looks at the screen.
const LOOK: Duration = Duration::from_millis(25);
/// The picture is taken when nothing has moved for so long.
const STILL: Duration = Duration::from_millis(200);
/// XBoard that has not moved for so long will not come to the expected position any more.
const GIVEN_UP: Duration = Duration::from_millis(1500);
/// Between the windows of a picture, pixels.
const GAP: u32 = 8;
/// What XBoard calls the window of its complaints.
const BACKGROUND: Rgb<u8> = Rgb([0xDC, 0xDA, 0xD5]);

/// What XBoard is to be shown with.
#[derive(Clone, Debug)]
pub struct Shot<'a> {
    /// The score, any bytes.
    pub score: &'a [u8],
    /// The name that XBoard reads it under, a plain file name.
    pub file: &'a str,
    /// Whether to play to the end of the score, or stay at its start.
    pub to_end: bool,
    /// The position that has to be seen.
    pub expected: &'a Board,
}

/// What was on the screen: XBoard's window, its message windows below.
#[derive(Clone, Debug)]
pub struct Capture {
    /// The pixels.
    pub image: RgbImage,
    /// Where the board is in it.
    pub board: BoardRect,
    /// How many windows of its own XBoard opened beside the board.
    pub messages: usize,
}

/// An X server with what is needed to take pictures of XBoard on it, one after the other.
pub struct Session {
    programs: Programs,
    version: String,
    server: XServer,
    glyphs: Glyphs,
}

impl Session {
    /// Starts the server and learns what XBoard's chessmen look like.
    ///
    /// # Errors
    /// Any [`EvidenceError`]; no process is left.
    pub fn open(programs: &Programs, patience: Patience<'_>) -> Result<Session, EvidenceError> {
        let server = XServer::start(programs, patience)?;
        let version = xboard_version(&programs.xboard).unwrap_or_else(|| "of unknown version".to_owned());
        let score =
            format!("[Result \"*\"]\n[SetUp \"1\"]\n[FEN \"{} w - - 0 1\"]\n\n*\n", Glyphs::CALIBRATION);
        let seen = run(&server, programs, patience, score.as_bytes(), "calibration.pgn", true, |image| {
            Glyphs::learn(image)
        })?;
        Ok(Session { programs: programs.clone(), version, server, glyphs: seen.verdict })
    }

    /// XBoard's version: `4.9.1`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The X server.
    pub fn server(&self) -> &XServer {
        &self.server
    }

    /// Shows XBoard a score and takes the picture.
    ///
    /// # Errors
    /// [`EvidenceError::WrongPosition`] and [`EvidenceError::NotLoaded`] where XBoard came to rest on something
    /// else; the others where it, or the server, failed. XBoard has been ended in any case.
    pub fn capture(&self, shot: &Shot<'_>, patience: Patience<'_>) -> Result<Capture, EvidenceError> {
        let seen =
            run(&self.server, &self.programs, patience, shot.score, shot.file, shot.to_end, |image| {
                let rect = find_board(image).ok_or(EvidenceError::NoBoard)?;
                let squares = self.glyphs.differences(image, rect, shot.expected);
                if squares.is_empty() { Ok(rect) } else { Err(EvidenceError::WrongPosition { squares }) }
            })?;
        let image = compose(&seen.windows);
        Ok(Capture { image, board: seen.verdict, messages: seen.windows.len() - 1 })
    }
}

/// The main window first.
struct Seen<T> {
    windows: Vec<(TopLevel, RgbImage)>,
    verdict: T,
}

fn compose(windows: &[(TopLevel, RgbImage)]) -> RgbImage {
    let width = windows.iter().map(|(_, image)| image.width()).max().unwrap_or(0);
    let height = windows.iter().map(|(_, image)| image.height() + GAP).sum::<u32>().saturating_sub(GAP);
    let mut whole = RgbImage::from_pixel(width, height, BACKGROUND);
    let mut y = 0;
    for (_, image) in windows {
        imageops::replace(&mut whole, image, 0, i64::from(y));
        y += image.height() + GAP;
    }
    whole
}

fn hex(Rgb([r, g, b]): Rgb<u8>) -> String {
    format!("#{r:02X}{g:02X}{b:02X}")
}

fn start(
    server: &XServer,
    programs: &Programs,
    folder: &Path,
    file: &str,
    to_end: bool,
) -> Result<Group, EvidenceError> {
    let mut command = bound::command(&programs.xboard);
    command.args(["-ncp", "-lgf", file, "-lgi", "1", "-td", if to_end { "0" } else { "-1" }, "-size", "64"]);
    command.args([
        "-autoDisplayTags",
        "false",
        "-autoDisplayComment",
        "false",
        "-saveSettingsOnExit",
        "false",
    ]);
    command.args(["-showCoords", "true", "-useBoardTexture", "false", "-startupMessage", ""]);
    // The arrow would cross squares that are compared, the frames round them do not.
    command.args(["-highlightLastMove", "true", "-highlightMoveWithArrow", "false"]);
    command.args(["-lsc", &hex(LIGHT), "-dsc", &hex(DARK)]);
    command.current_dir(folder).env_clear();
    command.env("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/games").env("HOME", folder).env("TMPDIR", folder);
    command.env("XDG_RUNTIME_DIR", folder).env("LC_ALL", "C.UTF-8").env("GDK_BACKEND", "x11");
    command.env("NO_AT_BRIDGE", "1").env("DBUS_SESSION_BUS_ADDRESS", "disabled:");
    command.env("DISPLAY", server.display()).env("XAUTHORITY", server.authority());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(fs::File::create(folder.join("xboard.log"))?);
    Group::spawn("xboard", &mut command)
}

/// Runs XBoard until it shows what `judge` accepts and nothing moves any more.
fn run<T>(
    server: &XServer,
    programs: &Programs,
    patience: Patience<'_>,
    score: &[u8],
    file: &str,
    to_end: bool,
    judge: impl Fn(&RgbImage) -> Result<T, EvidenceError>,
) -> Result<Seen<T>, EvidenceError> {
    let deadline = patience.start();
    server.guarded(deadline, || {
        while !server.top_levels()?.is_empty() {
            deadline.check("an empty screen")?;
            thread::sleep(LOOK);
        }
        let folder = server.folder().join("home");
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(file), score)?;
        let mut xboard = start(server, programs, &folder, file, to_end)?;
        watch(server, &mut xboard, deadline, file, &judge).map_err(|error| match error {
            EvidenceError::Died { program, .. } => {
                EvidenceError::Died { program, message: tail(&folder.join("xboard.log")) }
            }
            other => other,
        })
    })
}

fn watch<T>(
    server: &XServer,
    xboard: &mut Group,
    deadline: Deadline<'_>,
    file: &str,
    judge: &impl Fn(&RgbImage) -> Result<T, EvidenceError>,
) -> Result<Seen<T>, EvidenceError> {
    let mut last: Vec<(TopLevel, RgbImage)> = Vec::new();
    let mut since = Instant::now();
    let mut judged = false;
    loop {
        deadline.check("XBoard's window")?;
        if xboard.ended().is_some() {
            return Err(EvidenceError::Died { program: "xboard", message: String::new() });
        }
        let now = look(server)?;
        if now.is_empty() || now != last || is_running(xboard.child.id()) {
            last = now;
            since = Instant::now();
            judged = false;
        } else if since.elapsed() >= GIVEN_UP || (since.elapsed() >= STILL && !judged) {
            judged = true;
            // XBoard names the score in its title once it has read it.
            let loaded = last[0].0.title == file;
            let verdict = judge(&last[0].1);
            match verdict {
                Ok(verdict) if loaded => return Ok(Seen { windows: last, verdict }),
                Ok(_) if since.elapsed() >= GIVEN_UP => {
                    return Err(EvidenceError::NotLoaded { file: file.to_owned() });
                }
                Err(error) if since.elapsed() >= GIVEN_UP => return Err(error),
                _ => {}
            }
        }
        thread::sleep(LOOK);
    }
}

/// XBoard's windows, the one with the board first; empty until all of them stand clear of each other. Those in
/// the way are moved below.
fn look(server: &XServer) -> Result<Vec<(TopLevel, RgbImage)>, EvidenceError> {
    let mut windows = server.top_levels()?;
    // The board's window was made first and has the lowest number; message windows come later.
    windows.sort_by_key(|w| w.id);
    let mut bottom = 0;
    let mut moved = false;
    for i in 0..windows.len() {
        let window = &windows[i];
        if i == 0 {
            if (window.x, window.y) != (0, 0) {
                server.place(window.id, 0, 0)?;
                moved = true;
            }
        } else if windows.iter().enumerate().any(|(j, other)| j != i && window.overlaps(other)) {
            server.place(window.id, 0, bottom)?;
            moved = true;
        }
        bottom =
            bottom.max(if moved && i > 0 { bottom } else { window.y } + window.height as i32 + GAP as i32);
    }
    if moved {
        return Ok(Vec::new());
    }
    let mut seen = Vec::with_capacity(windows.len());
    for window in windows {
        let Some(image) = server.pixels(&window)? else { return Ok(Vec::new()) };
        seen.push((window, image));
    }
    Ok(seen)
}

/// Whether the process is at work rather than waiting, where the system tells.
fn is_running(pid: u32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| stat.rsplit(')').next().is_some_and(|rest| !rest.trim_start().starts_with('S')))
}

//! An X server of our own: no fixed display number, no network, a cookie, gone with its owner.

use std::{
    fs,
    io::{self, BufRead, BufReader, Read, Write},
    os::unix::{
        fs::{OpenOptionsExt, PermissionsExt},
        net::UnixStream,
    },
    path::{Path, PathBuf},
    process::Stdio,
    thread,
    time::Duration,
};

use image::RgbImage;
use tempfile::TempDir;
use x11rb::{
    connection::Connection,
    protocol::xproto::{
        AtomEnum, ConfigureWindowAux, ConnectionExt, ImageFormat, MapState, Window, WindowClass,
    },
    rust_connection::{DefaultStream, RustConnection},
};

use super::{Deadline, EvidenceError, Patience, Programs, outside::Group};
use crate::bound;

/// Room for XBoard's window with its error windows below.
const SCREEN: (u16, u16) = (1400, 1300);
const COOKIE: &str = "MIT-MAGIC-COOKIE-1";

/// A running Xvfb, our connection to it and the private folder of its clients.
pub struct XServer {
    connection: RustConnection,
    root: Window,
    display: String,
    process: Group,
    folder: TempDir,
}

/// A window as it stands on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TopLevel {
    pub id: Window,
    pub x: i32,
    pub y: i32,
    pub width: u32,
    pub height: u32,
    pub title: String,
}

impl TopLevel {
    pub(super) fn overlaps(&self, other: &TopLevel) -> bool {
        let apart = |a: i32, a_len: u32, b: i32, b_len: u32| a + a_len as i32 <= b || b + b_len as i32 <= a;
        !apart(self.x, self.width, other.x, other.width) && !apart(self.y, self.height, other.y, other.height)
    }
}

fn broken(error: impl std::fmt::Display) -> EvidenceError {
    EvidenceError::Server(error.to_string())
}

impl XServer {
    /// Starts an Xvfb on a display number of its own choice and connects to it.
    ///
    /// # Errors
    /// The program cannot be started, ends early or does not answer in time.
    pub fn start(programs: &Programs, patience: Patience<'_>) -> Result<XServer, EvidenceError> {
        let deadline = patience.start();
        let folder = tempfile::Builder::new()
            .prefix("pgn-audit-x")
            .permissions(fs::Permissions::from_mode(0o700))
            .tempdir()?;
        let cookie = random_cookie()?;
        write_authority(&folder.path().join("authority"), &cookie)?;
        let log = folder.path().join("xvfb.log");
        let mut command = bound::command(&programs.xvfb);
        // The display number comes back on standard output; the server ends when its last client has gone.
        command.args(["-displayfd", "1", "-nolisten", "tcp", "-terminate", "-screen", "0"]);
        command.arg(format!("{}x{}x24", SCREEN.0, SCREEN.1));
        command.arg("-auth").arg(folder.path().join("authority"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(fs::File::create(&log)?);
        let mut process = Group::spawn("Xvfb", &mut command)?;

        let display = read_display(&mut process, deadline).map_err(|error| match error {
            EvidenceError::Died { program, .. } => EvidenceError::Died { program, message: tail(&log) },
            other => other,
        })?;
        let (connection, root) = connect(&display, &cookie, &process, deadline)?;
        Ok(XServer { connection, root, display: format!(":{display}"), process, folder })
    }

    /// The value of DISPLAY for its clients: `:7`.
    pub fn display(&self) -> &str {
        &self.display
    }

    /// The process id of the server.
    pub fn process_id(&self) -> u32 {
        self.process.child.id()
    }

    /// A folder for its clients, removed with the server.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The file with the cookie, for XAUTHORITY.
    pub fn authority(&self) -> PathBuf {
        self.folder.path().join("authority")
    }

    /// Runs a job that talks to the server; where the time runs out or the flag is raised the server is killed, so
    /// that no answer is waited for longer.
    pub(super) fn guarded<T>(&self, deadline: Deadline<'_>, job: impl FnOnce() -> T) -> T {
        watched(&self.process, deadline, job)
    }

    /// The mapped windows on the screen that ask to be managed, in stacking order.
    pub(super) fn top_levels(&self) -> Result<Vec<TopLevel>, EvidenceError> {
        let c = &self.connection;
        let tree = c.query_tree(self.root).map_err(broken)?.reply().map_err(broken)?;
        let mut found = Vec::new();
        for id in tree.children {
            // A window that has gone between two questions is no window.
            let Ok(attributes) = c.get_window_attributes(id).map_err(broken)?.reply() else { continue };
            if attributes.map_state != MapState::VIEWABLE
                || attributes.override_redirect
                || attributes.class == WindowClass::INPUT_ONLY
            {
                continue;
            }
            let Ok(geometry) = c.get_geometry(id).map_err(broken)?.reply() else { continue };
            let title = c
                .get_property(false, id, AtomEnum::WM_NAME, AtomEnum::ANY, 0, 256)
                .map_err(broken)?
                .reply()
                .map(|name| String::from_utf8_lossy(&name.value).into_owned())
                .unwrap_or_default();
            found.push(TopLevel {
                id,
                x: i32::from(geometry.x),
                y: i32::from(geometry.y),
                width: u32::from(geometry.width),
                height: u32::from(geometry.height),
                title,
            });
        }
        Ok(found)
    }

    /// Moves a window.
    pub(super) fn place(&self, window: Window, x: i32, y: i32) -> Result<(), EvidenceError> {
        self.connection
            .configure_window(window, &ConfigureWindowAux::new().x(x).y(y))
            .map_err(broken)?
            .check()
            .map_err(broken)
    }

    /// The pixels of the screen under a window, or `None` where it reaches beyond the screen or has no area.
    pub(super) fn pixels(&self, window: &TopLevel) -> Result<Option<RgbImage>, EvidenceError> {
        let (x, y) = (window.x, window.y);
        let beyond = x < 0
            || y < 0
            || x + window.width as i32 > i32::from(SCREEN.0)
            || y + window.height as i32 > i32::from(SCREEN.1);
        if beyond || window.width == 0 || window.height == 0 {
            return Ok(None);
        }
        let (width, height) = (window.width as u16, window.height as u16);
        let reply = self
            .connection
            .get_image(ImageFormat::Z_PIXMAP, self.root, x as i16, y as i16, width, height, !0)
            .map_err(broken)?
            .reply()
            .map_err(broken)?;
        // Xvfb at depth 24 packs a pixel into four bytes, blue first on a little-endian server.
        let blue_first =
            self.connection.setup().image_byte_order == x11rb::protocol::xproto::ImageOrder::LSB_FIRST;
        let rgb: Vec<u8> = reply
            .data
            .chunks_exact(4)
            .flat_map(|p| if blue_first { [p[2], p[1], p[0]] } else { [p[1], p[2], p[3]] })
            .collect();
        Ok(RgbImage::from_raw(window.width, window.height, rgb))
    }
}

impl Drop for XServer {
    fn drop(&mut self) {
        // Asked first: only then does it remove its lock file.
        self.process.end(Duration::from_secs(2));
    }
}

/// Kills the server where the time runs out before the job is done.
fn watched<T>(server: &Group, deadline: Deadline<'_>, job: impl FnOnce() -> T) -> T {
    let pid = server.pid();
    let (done, waiting) = crossbeam_channel::bounded::<()>(0);
    thread::scope(|scope| {
        scope.spawn(move || {
            loop {
                let slice = deadline.left().min(Duration::from_millis(100));
                match waiting.recv_timeout(slice) {
                    Err(crossbeam_channel::RecvTimeoutError::Timeout) => {}
                    _ => return,
                }
                // A second for the job to notice by itself.
                let late = deadline.left().is_zero()
                    || deadline.interrupted.load(std::sync::atomic::Ordering::Relaxed);
                if late && waiting.recv_timeout(Duration::from_secs(1)).is_err_and(|e| e.is_timeout()) {
                    if let Some(pid) = pid {
                        // Already gone is what is wanted.
                        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
                    }
                    return;
                }
            }
        });
        let result = job();
        drop(done);
        result
    })
}

fn random_cookie() -> io::Result<[u8; 16]> {
    let mut cookie = [0; 16];
    fs::File::open("/dev/urandom")?.read_exact(&mut cookie)?;
    Ok(cookie)
}

/// One entry of an Xauthority file: family, address, display, protocol, cookie, each with its length, big-endian
/// (Xauth(7)); the wild family with an empty display fits every server.
fn write_authority(path: &Path, cookie: &[u8; 16]) -> io::Result<()> {
    let mut entry = vec![0xFF, 0xFF];
    for field in [&b""[..], b"", COOKIE.as_bytes(), cookie] {
        entry.extend_from_slice(&(field.len() as u16).to_be_bytes());
        entry.extend_from_slice(field);
    }
    fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?.write_all(&entry)
}

fn read_display(process: &mut Group, deadline: Deadline<'_>) -> Result<u32, EvidenceError> {
    let out = process.child.stdout.take().ok_or_else(|| broken("no standard output"))?;
    let (sender, receiver) = crossbeam_channel::bounded(1);
    thread::spawn(move || {
        let mut line = String::new();
        let _ = BufReader::new(out.take(64)).read_line(&mut line); // an error leaves the line empty
        let _ = sender.send(line); // nobody waits any more after the deadline
    });
    loop {
        deadline.check("the X server's display number")?;
        match receiver.recv_timeout(Duration::from_millis(20)) {
            Ok(line) if line.trim().is_empty() => {
                return Err(EvidenceError::Died { program: "Xvfb", message: String::new() });
            }
            Ok(line) => return line.trim().parse().map_err(|_| broken(format!("display {line:?}"))),
            Err(_) => continue,
        }
    }
}

fn connect(
    display: &u32,
    cookie: &[u8; 16],
    process: &Group,
    deadline: Deadline<'_>,
) -> Result<(RustConnection, Window), EvidenceError> {
    let socket = UnixStream::connect(format!("/tmp/.X11-unix/X{display}")).map_err(broken)?;
    let (stream, _) = DefaultStream::from_unix_stream(socket).map_err(broken)?;
    let connection = watched(process, deadline, || {
        RustConnection::connect_to_stream_with_auth_info(stream, 0, COOKIE.into(), cookie.to_vec())
    })
    .map_err(broken)?;
    let root =
        connection.setup().roots.first().map(|screen| screen.root).ok_or_else(|| broken("no screen"))?;
    Ok((connection, root))
}

/// The last lines of a log, for an error message.
pub(super) fn tail(log: &Path) -> String {
    let text = fs::read(log).map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    let last = lines[lines.len().saturating_sub(3)..].join("; ");
    if last.is_empty() { "it said nothing".to_owned() } else { last }
}

//! The outside programs: where they are, which version, and that none of them outlives its owner.

use std::{
    env,
    ffi::OsStr,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process_group};

use super::EvidenceError;
use crate::bound;

/// Where Debian puts games; often not on PATH.
const GAMES: &str = "/usr/games";

/// The programs that a capture needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Programs {
    /// XBoard.
    pub xboard: PathBuf,
    /// The X server without a screen.
    pub xvfb: PathBuf,
}

/// Finds XBoard and Xvfb on PATH and in `/usr/games`.
///
/// # Errors
/// [`EvidenceError::NotFound`] names the first that is missing.
pub fn locate() -> Result<Programs, EvidenceError> {
    let find = |name| find_program(name).ok_or(EvidenceError::NotFound(name));
    Ok(Programs { xboard: find("xboard")?, xvfb: find("Xvfb")? })
}

/// Looks for an executable on PATH, then in `/usr/games`.
pub fn find_program(name: &str) -> Option<PathBuf> {
    find_in(env::var_os("PATH").as_deref(), name)
}

fn find_in(path: Option<&OsStr>, name: &str) -> Option<PathBuf> {
    path.map(|path| env::split_paths(path).collect::<Vec<_>>())
        .unwrap_or_default()
        .into_iter()
        .filter(|dir| dir.is_absolute())
        .chain([PathBuf::from(GAMES)])
        .map(|dir| dir.join(name))
        .find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// The version as XBoard tells it (`4.9.1`), `None` where it tells none within two seconds.
pub fn xboard_version(xboard: &Path) -> Option<String> {
    let mut command = bound::command(xboard);
    command.arg("--version").env_remove("DISPLAY").env("LC_ALL", "C");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = Group::spawn("xboard", &mut command).ok()?;
    let out = child.child.stdout.take()?;
    let (sender, receiver) = crossbeam_channel::bounded(1);
    thread::spawn(move || {
        use std::io::Read;
        let mut text = Vec::new();
        let _ = out.take(4096).read_to_end(&mut text); // what came before an error is judged below
        let _ = sender.send(text); // nobody waits any more after two seconds
    });
    let text = receiver.recv_timeout(Duration::from_secs(2)).ok()?;
    version_in(&String::from_utf8_lossy(&text))
}

fn version_in(text: &str) -> Option<String> {
    text.lines()
        .next()?
        .split_whitespace()
        .find(|w| w.starts_with(|c: char| c.is_ascii_digit()))
        .map(str::to_owned)
}

/// A child that leads a process group of its own, ended and reaped with everything it started when dropped.
///
/// With a [`bound::command`] the thread that starts it has to outlive it.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) child: Child,
    done: bool,
}

impl Group {
    pub(super) fn spawn(program: &'static str, command: &mut Command) -> Result<Group, EvidenceError> {
        let child =
            command.process_group(0).spawn().map_err(|source| EvidenceError::Spawn { program, source })?;
        Ok(Group { child, done: false })
    }

    /// How it ended, if it has.
    pub(super) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    pub(super) fn pid(&self) -> Option<Pid> {
        Pid::from_raw(self.child.id() as i32)
    }

    /// Asks it to end and waits for so long at most before it is killed.
    pub(super) fn end(&mut self, grace: Duration) {
        if self.done {
            return;
        }
        self.done = true;
        let until = Instant::now() + grace;
        if !grace.is_zero() {
            self.signal(Signal::TERM);
            while self.ended().is_none() && Instant::now() < until {
                thread::sleep(Duration::from_millis(2));
            }
        }
        // The group may hold children of the child, even where the child itself is gone.
        self.signal(Signal::KILL);
        let _ = self.child.wait(); // already reaped is as good
    }

    fn signal(&self, signal: Signal) {
        if let Some(pid) = self.pid() {
            let _ = kill_process_group(pid, signal); // nobody left is what is wanted
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_found_without_a_path() {
        assert_eq!(find_in(None, "xboard"), Some(PathBuf::from("/usr/games/xboard")));
        assert_eq!(find_in(Some(OsStr::new("relative:/nowhere")), "no-such-program"), None);
    }

    #[test]
    fn a_version_is_the_first_number_of_the_first_line() {
        assert_eq!(version_in("xboard version 4.9.1\n\n configure 7"), Some("4.9.1".into()));
        assert_eq!(version_in("no number\n4.9.1"), None);
        assert_eq!(version_in(""), None);
    }

    #[test]
    fn a_group_takes_its_grandchildren_with_it() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 600 & echo $!; trap '' TERM; wait"]).stdout(Stdio::piped());
        let mut group = Group::spawn("sh", &mut command).unwrap();
        let mut line = String::new();
        let out = group.child.stdout.take().unwrap();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut line).unwrap();
        drop(group);
        // The kill is sent; when the system carries it out is its own affair.
        let stat = format!("/proc/{}/stat", line.trim());
        let begun = Instant::now();
        while std::fs::read_to_string(&stat).is_ok_and(|s| !s.contains(") Z ")) {
            assert!(begun.elapsed() < Duration::from_secs(10), "the grandchild is still there");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

//! A child process: its threads, one absolute deadline a request, kill and reap on drop; knows nothing of chess.
//!
//! The child is never trusted: it may not read, not stop talking, not end, or leave children of its own. So it gets
//! a process group of its own, a reader thread a stream with lines of bounded length and queues of bounded size, and
//! on drop the whole group and every descendant that can be found is killed before the child is reaped.

use std::{
    collections::VecDeque,
    fs,
    io::{self, BufRead, BufReader, Read, Write},
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, ChildStdin, ExitStatus, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use rustix::{
    fs::{OFlags, fcntl_getfl, fcntl_setfl},
    process::{Pid, Signal, kill_process, kill_process_group},
};

use crate::bound;

/// How long a wait goes on before the interrupt flag is looked at again.
const TICK: Duration = Duration::from_millis(20);

/// Lines read ahead of the one who asks for them; a child that says more waits.
const QUEUE: usize = 256;

/// Bytes of the error stream that are kept, its last ones.
const LAST_WORDS: usize = 400;

/// How long a child that closed its output may take to end and to be heard out, so that its own status and last words
/// are what we tell.
const MOMENT: Duration = Duration::from_secs(1);

/// Why a line did not come or could not be sent.
#[derive(Debug)]
pub enum Fault {
    /// The deadline passed.
    Late,
    /// The child closed its output; it is dead or as good as dead.
    Gone,
    /// It does not read its input and the pipe is full.
    Deaf,
    /// The interrupt flag is up.
    Interrupted,
}

/// A running child with line-wise input and output.
///
/// Dropping it kills it with all that it started, and waits until it is reaped.
pub struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    last_words: Arc<Mutex<VecDeque<u8>>>,
    heard_out: Receiver<()>,
    interrupt: Arc<AtomicBool>,
    reaped: bool,
}

impl Process {
    /// Starts `program`; lines longer than `longest` bytes will be cut there.
    ///
    /// Where the system has `setpriv`, the child also dies when this process is killed.
    ///
    /// # Errors
    /// What the system says when the program cannot be started.
    pub fn start(
        program: &Path,
        args: &[String],
        longest: usize,
        interrupt: Arc<AtomicBool>,
    ) -> io::Result<Process> {
        let (line_tx, lines) = bounded(QUEUE);
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let mut command = bound::command(program);
        command.args(args);
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // The kernel's "kill me when my parent dies" means the thread that started the child, so the thread that
        // starts it is the one that lives as long as the child has something to say.
        let (heard_tx, heard_out) = bounded::<()>(1);
        let (child_tx, child_rx) = bounded::<io::Result<Child>>(1);
        let words = Arc::clone(&last_words);
        thread::Builder::new().name("engine output".to_owned()).spawn(move || {
            let mut child = match command.spawn() {
                Ok(child) => child,
                Err(e) => {
                    let _ = child_tx.send(Err(e)); // the receiver is waiting just below
                    return;
                }
            };
            let (output, errors) = (child.stdout.take(), child.stderr.take());
            if child_tx.send(Ok(child)).is_err() {
                return;
            }
            if let Some(errors) = errors {
                let spawned = thread::Builder::new().name("engine errors".to_owned()).spawn(move || {
                    drain(errors, &words);
                    drop(heard_tx);
                });
                drop(spawned); // it ends with the stream; without it the stream is just closed
            }
            if let Some(output) = output {
                read_lines(BufReader::new(output), longest, &line_tx);
            }
        })?;
        let mut child = child_rx.recv().map_err(|_| io::Error::other("the starting thread ended"))??;
        let input = match child.stdin.take() {
            Some(input) => input,
            None => unreachable!("the input was asked to be a pipe"),
        };
        let process = Process { child, input, lines, last_words, heard_out, interrupt, reaped: false };
        let flags = fcntl_getfl(&process.input)?;
        fcntl_setfl(&process.input, flags | OFlags::NONBLOCK)?;
        Ok(process)
    }

    /// Sends one line; never waits.
    ///
    /// # Errors
    /// [`Fault::Deaf`] where the pipe is full, [`Fault::Gone`] where nobody reads it any more.
    pub fn send(&mut self, line: &str) -> Result<(), Fault> {
        match self.input.write_all(format!("{line}\n").as_bytes()) {
            Ok(()) => Ok(()),
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => Err(Fault::Deaf),
            Err(_) => Err(Fault::Gone),
        }
    }

    /// The next line, without its end, bytes that are no UTF-8 replaced.
    ///
    /// # Errors
    /// [`Fault::Late`] once `deadline` has passed, however much was said before; [`Fault::Gone`] at the end of the
    /// output; [`Fault::Interrupted`].
    pub fn line(&self, deadline: Instant) -> Result<String, Fault> {
        loop {
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(Fault::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Fault::Late);
            }
            match self.lines.recv_timeout(left.min(TICK)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Gone),
            }
        }
    }

    /// Kills the child and says how it ended: its exit status, if it had ended by itself, and its last words on the
    /// error stream.
    pub fn post_mortem(mut self) -> String {
        let until = Instant::now() + MOMENT;
        while Instant::now() < until && !is_zombie(self.child.id()) {
            thread::sleep(Duration::from_millis(5));
        }
        let by_itself = is_zombie(self.child.id());
        let status = self.end();
        // Nothing is ever sent: the wait ends when the error stream has been read to its end.
        let _ = self.heard_out.recv_deadline(until.max(Instant::now() + MOMENT / 4));
        let mut how = match status {
            Some(status) if by_itself => status.to_string(),
            _ => "it closed its output".to_owned(),
        };
        let words: Vec<u8> = self.last_words.lock().map(|w| w.iter().copied().collect()).unwrap_or_default();
        let words = String::from_utf8_lossy(&words);
        if let Some(last) = words.lines().map(str::trim).rfind(|l| !l.is_empty()) {
            how = format!("{how}; its last words: {}", last.escape_debug());
        }
        how
    }

    /// Kills everything that belongs to the child and reaps the child.
    fn end(&mut self) -> Option<ExitStatus> {
        if std::mem::replace(&mut self.reaped, true) {
            return None;
        }
        let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) else {
            return self.child.wait().ok();
        };
        // Not reaped yet, so the number still is the child's and its group's. Stopped, it starts nothing more.
        let _ = kill_process_group(pid, Signal::STOP); // an empty group is no fault, here and below
        let family = descendants(self.child.id());
        let _ = kill_process_group(pid, Signal::KILL);
        for member in family {
            let _ = kill_process(member, Signal::KILL); // mostly killed with the group already
        }
        self.child.wait().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Passes the lines on until the stream or the interest in it ends.
fn read_lines(mut stream: impl BufRead, longest: usize, lines: &Sender<String>) {
    let mut line = Vec::new();
    loop {
        let (ended, used) = match stream.fill_buf() {
            Ok([]) => break,
            Ok(chunk) => {
                let end = memchr::memchr(b'\n', chunk);
                let piece = &chunk[..end.unwrap_or(chunk.len())];
                line.extend_from_slice(&piece[..piece.len().min(longest.saturating_sub(line.len()))]);
                (end.is_some(), piece.len() + usize::from(end.is_some()))
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        stream.consume(used);
        if ended {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            line.clear();
            if lines.send(text).is_err() {
                return;
            }
        }
    }
}

/// Reads a stream to its end, so that its writer never waits, and keeps the last bytes.
fn drain(mut stream: impl Read, kept: &Mutex<VecDeque<u8>>) {
    let mut chunk = [0; 4096];
    loop {
        match stream.read(&mut chunk) {
            Ok(0) => break,
            Ok(n) => {
                let Ok(mut kept) = kept.lock() else { break };
                kept.extend(&chunk[..n]);
                let surplus = kept.len().saturating_sub(LAST_WORDS);
                kept.drain(..surplus);
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
}

/// Children, their children and so on, as far as `/proc` tells; processes that left the group included.
fn descendants(pid: u32) -> Vec<Pid> {
    let mut found = Vec::new();
    let mut open = vec![pid];
    while let Some(pid) = open.pop() {
        let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { continue };
        for task in tasks.flatten() {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            for child in children.split_ascii_whitespace().filter_map(|w| w.parse::<i32>().ok()) {
                if let (Some(p), Ok(n)) = (Pid::from_raw(child), u32::try_from(child)) {
                    found.push(p);
                    open.push(n);
                }
            }
        }
    }
    found
}

/// Whether the process has ended and waits to be reaped.
fn is_zombie(pid: u32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')))
}

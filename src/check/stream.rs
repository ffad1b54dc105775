//! Cuts files into batches of whole games, hands them to threads, and takes the answers back in order.
//!
//! Memory is bounded by the number of batches under way, however long a file is. A piece of text without a boundary
//! (see `sheet::cut`) makes a batch longer than [`BATCH`], up to [`LARGEST`]: a game beyond that is handed on in parts that
//! nobody reads.

use std::{
    collections::BTreeMap,
    io::{self, Cursor, Read},
    path::PathBuf,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

use memchr::{memchr_iter, memrchr2};

use super::cut;
use super::fast::PADDING;
use crate::{
    input::{
        self,
        open::{self, Text},
    },
    sheet::{
        Encoding,
        cut::{Cut, next_game_start},
        source::Origin,
    },
};

/// Bytes that a batch aims at: small enough to stay in a core's own cache.
pub const BATCH: usize = 256 << 10;

/// Bytes of the largest game that is read. Annotated games of a hundred kilobytes exist, of a megabyte hardly.
pub const LARGEST: usize = 64 << 20;

/// Bytes at the end of a part of an oversized game that are looked at again with the next one: a game begins at a tag
/// line with a blank line and the end of another game before it.
const OVERLAP: usize = 4 << 10;

/// What a batch holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// Whole games.
    #[default]
    Games,
    /// The beginning of a game larger than [`LARGEST`].
    Oversized,
    /// More of such a game.
    OversizedRest,
}

/// Whole games cut out of a file, or a part of one that is too large to be read.
#[derive(Debug, Default)]
pub struct Batch {
    /// The text and [`PADDING`] zero bytes.
    padded: Vec<u8>,
    /// Whether it is to be read.
    pub content: Content,
    /// Index of the file among those given.
    pub file: usize,
    /// Where it begins in the file.
    pub origin: Origin,
    /// The UTF-16 that the text is transcribed from; it is UTF-8 itself, and places are counted in that.
    pub utf16: Option<Encoding>,
    /// Whether the file ends with it.
    pub last: bool,
    /// Why the file could not be opened or read on; such a batch has no text and is its file's last.
    pub failure: Option<io::Error>,
}

impl Batch {
    /// A batch of a text that is at hand, from its file's first byte to its last.
    pub fn whole(mut text: Vec<u8>) -> Batch {
        text.resize(text.len() + PADDING, 0);
        Batch { padded: text, last: true, ..Batch::default() }
    }

    /// The text.
    pub fn text(&self) -> &[u8] {
        &self.padded[..self.padded.len().saturating_sub(PADDING)]
    }

    /// The text and [`PADDING`] zero bytes.
    pub fn padded(&self) -> &[u8] {
        &self.padded
    }
}

/// Cuts a stream into batches.
pub struct Cutter<R> {
    stream: R,
    /// Read, but belonging to the next batch.
    rest: Vec<u8>,
    /// Read, and to be taken before more is read.
    ahead: Cursor<Vec<u8>>,
    /// Whether what comes next belongs to a game that is too large.
    oversized: bool,
    origin: Origin,
    ended: bool,
}

impl<R: Read> Cutter<R> {
    /// Begins with a stream's first byte.
    pub fn new(stream: R) -> Self {
        Cutter {
            stream,
            rest: vec![],
            ahead: Cursor::default(),
            oversized: false,
            origin: Origin::default(),
            ended: false,
        }
    }

    /// The next batch, in the memory of one that is done with; `None` at the end.
    ///
    /// # Errors
    ///
    /// Where the stream cannot be read, and where it has no end and is no text.
    pub fn next(&mut self, mut spare: Batch) -> io::Result<Option<Batch>> {
        if self.oversized {
            return self.part(spare, Content::OversizedRest);
        }
        let text = &mut spare.padded;
        text.clear();
        text.append(&mut self.rest);
        let mut wanted = BATCH;
        let length = loop {
            let before = text.len();
            if !self.ended {
                self.fill(text, wanted.saturating_sub(before))?;
            }
            if self.ended {
                break text.len();
            }
            // A boundary is told by its whole line.
            let whole_lines = memrchr2(b'\n', b'\r', text).unwrap_or(0);
            let searched = memrchr2(b'\n', b'\r', &text[..before]).unwrap_or(0).max(1);
            if let Some(at) =
                (searched < whole_lines).then(|| cut::last_start(&text[..whole_lines], searched)).flatten()
            {
                break at;
            }
            if text.len() >= LARGEST {
                if let Some(at) = last_game(text) {
                    break at;
                }
                is_text(&text[..BATCH])?;
                (self.ahead, self.oversized) = (Cursor::new(std::mem::take(text)), true);
                return self.part(spare, Content::Oversized);
            }
            wanted = (text.len() * 2).min(LARGEST);
        };
        if length == 0 {
            return Ok(None);
        }
        self.rest.extend_from_slice(&text[length..]);
        Ok(Some(self.handed_out(spare, length, Content::Games)))
    }

    /// The next part of a game that is too large, up to where another one begins.
    fn part(&mut self, mut spare: Batch, content: Content) -> io::Result<Option<Batch>> {
        let text = &mut spare.padded;
        text.clear();
        text.append(&mut self.rest);
        self.fill(text, BATCH)?;
        let whole_lines = memrchr2(b'\n', b'\r', text).unwrap_or(0);
        let length = match cut::first_start(&text[..whole_lines]) {
            Some(at) => {
                self.oversized = false;
                at
            }
            None if self.ended => text.len(),
            None => match text.len().saturating_sub(OVERLAP) {
                // The two bytes of one line end stay together.
                at if text[..at].ends_with(b"\r") => at - 1,
                at => at,
            },
        };
        if length == 0 {
            return Ok(None);
        }
        self.rest.extend_from_slice(&text[length..]);
        Ok(Some(self.handed_out(spare, length, content)))
    }

    /// Reads that many bytes more, or up to the end of the stream.
    fn fill(&mut self, text: &mut Vec<u8>, mut missing: usize) -> io::Result<()> {
        text.reserve_exact(missing + PADDING);
        if self.ahead.get_ref().is_empty() {
            let got = self.stream.by_ref().take(missing as u64).read_to_end(text)?;
            self.ended = got < missing;
            return Ok(());
        }
        missing -= self.ahead.by_ref().take(missing as u64).read_to_end(text)?;
        if missing > 0 {
            self.ahead = Cursor::default();
            return self.fill(text, missing);
        }
        Ok(())
    }

    /// The batch of the first `length` bytes of its text.
    fn handed_out(&mut self, mut batch: Batch, length: usize, content: Content) -> Batch {
        let text = &mut batch.padded;
        text.truncate(length);
        batch.content = content;
        batch.origin = self.origin;
        batch.last = self.ended && self.rest.is_empty();
        self.origin = Origin { offset: self.origin.offset + length, line: self.origin.line + lines(text) };
        text.resize(length + PADDING, 0);
        batch
    }
}

/// Where the last game of a text begins that the reader's own rule names without seeing what follows the text.
fn last_game(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Cut::At(next) = next_game_start(text, at, false) {
        at = next;
    }
    (at > 0).then_some(at)
}

/// What has no end may be no text either.
fn is_text(head: &[u8]) -> io::Result<()> {
    input::text(head).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e.to_string()))
}

/// Line ends in a text: LF, CR and CRLF each are one.
pub fn lines(text: &[u8]) -> usize {
    let feeds = memchr_iter(b'\n', text).count();
    let returns = memchr_iter(b'\r', text).filter(|&i| text.get(i + 1) != Some(&b'\n')).count();
    feeds + returns
}

/// Cuts one file after the other into batches.
pub struct Feeder {
    files: Vec<PathBuf>,
    opened: usize,
    current: Option<Cutter<Text>>,
    utf16: Option<Encoding>,
}

impl Feeder {
    /// Begins with the first of some files, `-` being standard input.
    pub fn new(files: Vec<PathBuf>) -> Self {
        Feeder { files, opened: 0, current: None, utf16: None }
    }

    /// The next batch, in the memory of one that is done with; `None` behind the last file. Every file has a
    /// last batch, which may be empty.
    fn next(&mut self, mut spare: Batch) -> Option<Batch> {
        spare.failure = None;
        let answer = match &mut self.current {
            Some(cutter) => cutter.next(spare),
            None => match self.files.get(self.opened).map(|path| open::open(path)) {
                None => return None,
                Some(Ok(file)) => {
                    self.opened += 1;
                    self.utf16 = file.utf16;
                    self.current.insert(Cutter::new(file.text)).next(spare)
                }
                Some(Err(e)) => {
                    self.opened += 1;
                    Err(e)
                }
            },
        };
        let ended = |failure| Batch { last: true, failure, ..Batch::default() };
        let mut batch = match answer {
            Ok(Some(batch)) => batch,
            Ok(None) => ended(None),
            Err(e) => ended(Some(e)),
        };
        batch.file = self.opened - 1;
        batch.utf16 = self.utf16;
        if batch.last {
            self.current = None;
        }
        Some(batch)
    }
}

/// Works on every batch with `jobs` threads and takes the answers in the order of the files.
///
/// # Errors
///
/// The first error of `take`; nothing behind it is taken.
pub fn run<T, W, E>(mut feeder: Feeder, jobs: usize, work: W, mut take: E) -> io::Result<()>
where
    T: Send,
    W: Fn(&Batch) -> T + Sync,
    E: FnMut(T) -> io::Result<()> + Send,
{
    if jobs <= 1 {
        let mut spare = Batch::default();
        while let Some(batch) = feeder.next(spare) {
            take(work(&batch))?;
            spare = batch;
        }
        return Ok(());
    }
    let line = Line {
        queue: Mutex::new(Queue { feeder, given: 0, ended: false }),
        answers: Mutex::new(Answers { ready: BTreeMap::new(), taken: 0, take, stopped: None }),
        moved: Condvar::new(),
        ahead: jobs * 4,
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs {
            scope.spawn(|| line.work(&work));
        }
        line.work(&work);
    });
    let answers = line.answers.into_inner().unwrap_or_else(PoisonError::into_inner);
    answers.stopped.map_or(Ok(()), Err)
}

/// What the threads share.
struct Line<T, E> {
    queue: Mutex<Queue>,
    answers: Mutex<Answers<T, E>>,
    /// An answer was taken.
    moved: Condvar,
    /// Batches that may be given out beyond the one whose answer is taken next.
    ahead: usize,
}

struct Queue {
    feeder: Feeder,
    given: usize,
    ended: bool,
}

struct Answers<T, E> {
    ready: BTreeMap<usize, T>,
    taken: usize,
    take: E,
    stopped: Option<io::Error>,
}

impl<T, E> Line<T, E>
where
    E: FnMut(T) -> io::Result<()>,
{
    fn work(&self, work: impl Fn(&Batch) -> T) {
        let mut spare = Batch::default();
        while let Some((index, batch)) = self.next(spare) {
            let answer = work(&batch);
            spare = batch;
            if !self.hand_in(index, answer) {
                break;
            }
        }
    }

    fn next(&self, spare: Batch) -> Option<(usize, Batch)> {
        let mut queue = lock(&self.queue);
        if queue.ended {
            return None;
        }
        let index = queue.given;
        let mut answers = lock(&self.answers);
        while index >= answers.taken + self.ahead && answers.stopped.is_none() {
            answers = self.moved.wait(answers).unwrap_or_else(PoisonError::into_inner);
        }
        let stopped = answers.stopped.is_some();
        drop(answers);
        let batch = if stopped { None } else { queue.feeder.next(spare) };
        queue.given += 1;
        queue.ended = batch.is_none();
        batch.map(|batch| (index, batch))
    }

    /// Keeps an answer until its turn comes; whether there is any point in going on.
    fn hand_in(&self, index: usize, answer: T) -> bool {
        let mut guard = lock(&self.answers);
        let answers = &mut *guard;
        answers.ready.insert(index, answer);
        while answers.stopped.is_none() {
            let Some(answer) = answers.ready.remove(&answers.taken) else { break };
            if let Err(e) = (answers.take)(answer) {
                answers.stopped = Some(e);
            }
            answers.taken += 1;
        }
        self.moved.notify_all();
        answers.stopped.is_none()
    }
}

/// A thread that panicked leaves nothing half done here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! Evaluations kept on disk, so that nothing is searched twice, not even after a kill; knows nothing of reports.
//!
//! One text file that only grows: a record a line, a line a write, so that runs side by side do not disturb each
//! other. A line starts with the checksum of what follows it, and with a line end of its own before it, so that a
//! write cut short costs that record and no other. The key is everything that the answer depends on: engine, version,
//! options, program file, depth and position.

use std::{
    collections::{BTreeMap, HashMap},
    env,
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    sync::Mutex,
};

use shakmaty::{Chess, Position};

use super::{Evaluation, Identity, Step, WhiteScore, uci};

/// Bytes beyond which the older half of the file is dropped.
pub const LARGEST: u64 = 64 << 20;

/// The version of the format and of what an evaluation means; another one is another file.
const FILE_NAME: &str = "evaluations-1.txt";

/// Whose opinion the stored evaluations are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author(String);

impl Author {
    /// Name, version, options and `program`, a mark of the program file ([`program_mark`]), "" where there is none.
    pub fn new(identity: &Identity, options: &str, program: &str) -> Author {
        let parts = [&identity.name, &identity.version, options, program].map(|part| {
            part.chars().map(|c| if c.is_control() || c == '|' { '_' } else { c }).collect::<String>()
        });
        Author(parts.join("|"))
    }
}

/// Size and time of change of a program file, so that one rebuilt under the same version is another author.
pub fn program_mark(program: &Path) -> String {
    fs::metadata(program).map_or_else(
        |_| String::new(),
        |meta| {
            let changed = meta.modified().ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
            format!("{} {}", meta.len(), changed.unwrap_or_default().as_secs())
        },
    )
}

/// One author's stored evaluations, read from the file and added to it.
#[derive(Debug)]
pub struct Cache {
    author: Author,
    known: Mutex<HashMap<String, String>>,
    file: Mutex<Option<File>>,
}

/// What the file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Size in bytes.
    pub bytes: u64,
    /// Sound records.
    pub records: u64,
    /// Lines that are no sound records.
    pub damaged: u64,
    /// Sound records by engine and version.
    pub engines: BTreeMap<String, u64>,
}

/// The file in `folder`.
pub fn file_in(folder: &Path) -> PathBuf {
    folder.join(FILE_NAME)
}

/// Where the cache is kept by default: `$XDG_CACHE_HOME/pgn-audit`, else `~/.cache/pgn-audit`; `None` without a home.
pub fn default_folder() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let base = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("pgn-audit"))
}

impl Cache {
    /// Opens the cache in `folder`, making both where they do not exist, and reads what `author` has said before.
    ///
    /// # Errors
    /// Where the folder or the file cannot be made, read or written.
    pub fn open(folder: &Path, author: Author) -> io::Result<Cache> {
        Cache::open_bounded(folder, author, LARGEST)
    }

    fn open_bounded(folder: &Path, author: Author, largest: u64) -> io::Result<Cache> {
        fs::create_dir_all(folder)?;
        let path = file_in(folder);
        let file = loop {
            let file = OpenOptions::new().read(true).append(true).create(true).open(&path)?;
            if file.metadata()?.len() <= largest || !shrink(&file, &path, largest)? {
                break file;
            }
        };
        let mut known = HashMap::new();
        for_each_record(&file, |record| {
            if let Some((key, value)) = record.ok().and_then(|r| r.split_once('\t'))
                && key.strip_prefix(&author.0).is_some_and(|rest| rest.starts_with('|'))
            {
                known.insert(key.to_owned(), value.to_owned());
            }
        })?;
        Ok(Cache { author, known: Mutex::new(known), file: Mutex::new(Some(file)) })
    }

    /// What was said about this position at this depth.
    pub fn get(&self, position: &Chess, depth: u32) -> Option<Evaluation> {
        let known = self.known.lock().ok()?;
        decode(known.get(&self.key(position, depth))?, position)
    }

    /// Keeps an evaluation; it is on disk when this returns, as far as the system is concerned.
    ///
    /// # Errors
    /// Where it cannot be written. It is remembered for this run all the same, and nothing more is written.
    pub fn put(&self, position: &Chess, depth: u32, evaluation: &Evaluation) -> io::Result<()> {
        let key = self.key(position, depth);
        let value = encode(evaluation);
        let record = format!("{key}\t{value}");
        let line = format!("\n{:08x} {record}", checksum(record.as_bytes()));
        if let Ok(mut known) = self.known.lock() {
            known.insert(key, value);
        }
        let Ok(mut file) = self.file.lock() else { return Ok(()) };
        let Some(open) = file.as_mut() else { return Ok(()) };
        // One write call: lines of runs side by side do not mix.
        let written = match open.write(line.as_bytes()) {
            Ok(n) if n == line.len() => Ok(()),
            Ok(_) => Err(io::Error::from(io::ErrorKind::WriteZero)),
            Err(e) => Err(e),
        };
        if written.is_err() {
            *file = None;
        }
        written
    }

    fn key(&self, position: &Chess, depth: u32) -> String {
        format!("{}|{depth}|{}", self.author.0, uci::canonical_fen(position))
    }
}

/// What the cache in `folder` holds; nothing where there is none.
///
/// # Errors
/// Where it cannot be read.
pub fn info(folder: &Path) -> io::Result<Info> {
    let mut info = Info::default();
    let file = match File::open(file_in(folder)) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(info),
        Err(e) => return Err(e),
    };
    info.bytes = file.metadata()?.len();
    for_each_record(&file, |record| match record {
        Ok(record) => {
            info.records += 1;
            let engine = record.splitn(3, '|').take(2).collect::<Vec<_>>().join(" ");
            *info.engines.entry(engine).or_default() += 1;
        }
        Err(Damaged) => info.damaged += 1,
    })?;
    Ok(info)
}

/// Forgets everything in `folder`; a run that has the cache open goes on with what it has read.
///
/// # Errors
/// Where the file is there and cannot be removed.
pub fn clear(folder: &Path) -> io::Result<()> {
    match fs::remove_file(file_in(folder)) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}

/// A line that is no sound record.
struct Damaged;

fn for_each_record(file: &File, mut each: impl FnMut(Result<&str, Damaged>)) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut line = Vec::new();
    while reader.by_ref().take(1 << 16).read_until(b'\n', &mut line)? > 0 {
        let sound = sound(line.strip_suffix(b"\n").unwrap_or(&line));
        if sound != Some("") {
            each(sound.ok_or(Damaged));
        }
        line.clear();
    }
    Ok(())
}

/// The record of a line whose checksum fits; "" for an empty line.
fn sound(line: &[u8]) -> Option<&str> {
    if line.is_empty() {
        return Some("");
    }
    let (sum, record) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    (sum.len() == 8 && u32::from_str_radix(sum, 16).ok()? == checksum(record.as_bytes())).then_some(record)
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// Replaces the file by its newer half; false where another run is at it, so that this one may go on as it is.
fn shrink(file: &File, path: &Path, largest: u64) -> io::Result<bool> {
    if file.try_lock().is_err() {
        return Ok(false);
    }
    let mut all = Vec::new();
    (&*file).read_to_end(&mut all)?;
    let keep = usize::try_from(largest / 2).unwrap_or(usize::MAX);
    let from = all.len().saturating_sub(keep);
    let from = memchr::memchr(b'\n', &all[from..]).map_or(all.len(), |i| from + i);
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut smaller = tempfile::NamedTempFile::new_in(folder)?;
    smaller.write_all(&all[from..])?;
    smaller.persist(path).map_err(|e| e.error)?;
    Ok(true)
}

/// `score depth pv steps`: `-31 10 e2e4,e7e5 9:-28:e2e4,8:-30:d2d4`.
fn encode(evaluation: &Evaluation) -> String {
    let moves = |moves: &[shakmaty::Move]| {
        let words: Vec<String> = moves.iter().map(|m| uci::written(*m)).collect();
        if words.is_empty() { "-".to_owned() } else { words.join(",") }
    };
    let steps: Vec<String> = evaluation
        .steps
        .iter()
        .map(|s| format!("{}:{}:{}", s.depth, s.score.cp, uci::written(s.best)))
        .collect();
    let steps = if steps.is_empty() { "-".to_owned() } else { steps.join(",") };
    format!("{} {} {} {steps}", evaluation.score.cp, evaluation.depth, moves(&evaluation.pv))
}

/// The evaluation again; `None` where it does not fit the position.
fn decode(value: &str, position: &Chess) -> Option<Evaluation> {
    let mut words = value.split(' ');
    let score = WhiteScore { cp: words.next()?.parse().ok()? };
    let depth = words.next()?.parse().ok()?;
    let (mut at, mut pv) = (position.clone(), Vec::new());
    for word in list(words.next()?) {
        let mv = uci::legal_move(word, &at).ok()?;
        at.play_unchecked(mv);
        pv.push(mv);
    }
    let mut steps = Vec::new();
    for word in list(words.next()?) {
        let mut parts = word.split(':');
        steps.push(Step {
            depth: parts.next()?.parse().ok()?,
            score: WhiteScore { cp: parts.next()?.parse().ok()? },
            best: uci::legal_move(parts.next()?, position).ok()?,
        });
    }
    Some(Evaluation { score, best: Some(*pv.first()?), depth, pv, steps })
}

fn list(word: &str) -> impl Iterator<Item = &str> {
    word.split(',').filter(|w| *w != "-")
}

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
    os::unix::fs::MetadataExt,
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
            if file.metadata()?.len() > largest && shrink(&file, &path, largest)? {
                continue;
            }
            // Held as long as the file is open. Where the system has no locks, runs that shrink the file under each
            // other lose evaluations, nothing worse.
            let _ = file.lock_shared();
            if same_file(&file, &path) {
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

/// Whether `path` still is `file`, which another run may have replaced meanwhile.
fn same_file(file: &File, path: &Path) -> bool {
    let number = |meta: fs::Metadata| (meta.dev(), meta.ino());
    file.metadata().ok().map(number) == fs::metadata(path).ok().map(number)
}

/// Replaces the file by its newer half; false where another run is using it, so that this one may go on as it is.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn author(version: &str) -> Author {
        let identity = Identity { name: "gnuchess".to_owned(), version: version.to_owned() };
        Author::new(&identity, "Hash=32", "")
    }

    fn after(moves: &[&str]) -> Chess {
        let mut position = Chess::default();
        for text in moves {
            let mv = uci::legal_move(text, &position).unwrap();
            position.play_unchecked(mv);
        }
        position
    }

    fn evaluation(position: &Chess, pv: &[&str]) -> Evaluation {
        let line = uci::legal_line(&pv.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>(), position);
        let step = Step { depth: 7, score: WhiteScore { cp: -28 }, best: line[0] };
        Evaluation {
            score: WhiteScore { cp: 9997 },
            best: Some(line[0]),
            depth: 8,
            pv: line,
            steps: vec![step],
        }
    }

    #[test]
    fn an_evaluation_comes_back_as_it_was_for_its_author_depth_and_position_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (start, other) = (Chess::default(), after(&["e2e4"]));
        let said = evaluation(&start, &["e2e4", "e7e5"]);
        Cache::open(folder.path(), author("6.2.7")).unwrap().put(&start, 8, &said).unwrap();
        let cache = Cache::open(folder.path(), author("6.2.7")).unwrap();
        assert_eq!(cache.get(&start, 8), Some(said));
        assert_eq!(cache.get(&start, 9), None);
        assert_eq!(cache.get(&other, 8), None);
        assert_eq!(Cache::open(folder.path(), author("6.2.8")).unwrap().get(&start, 8), None);
        assert_eq!(Cache::open(folder.path(), author("6.2")).unwrap().get(&start, 8), None);
    }

    #[test]
    fn a_write_cut_short_costs_its_own_record_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let positions = [after(&[]), after(&["e2e4", "e7e5"]), after(&["d2d4", "d7d5"])];
        for position in &positions {
            let said = evaluation(position, &["g1f3"]);
            Cache::open(folder.path(), author("1")).unwrap().put(position, 8, &said).unwrap();
        }
        let whole = fs::read(file_in(folder.path())).unwrap();
        let starts = (1..whole.len()).filter(|i| whole[*i] == b'\n');
        let ends: Vec<usize> = starts.chain([whole.len()]).collect();
        for cut in 0..whole.len() {
            fs::write(file_in(folder.path()), &whole[..cut]).unwrap();
            let cache = Cache::open(folder.path(), author("1")).unwrap();
            cache.put(&positions[2], 9, &evaluation(&positions[2], &["g1f3"])).unwrap();
            let cache = Cache::open(folder.path(), author("1")).unwrap();
            let kept = positions.iter().filter(|p| cache.get(p, 8).is_some()).count();
            assert_eq!(kept, ends.iter().filter(|end| **end <= cut).count(), "{cut}");
            assert!(cache.get(&positions[2], 9).is_some(), "{cut}");
        }
    }

    #[test]
    fn changed_bytes_are_no_evaluation() {
        let folder = tempfile::tempdir().unwrap();
        let start = Chess::default();
        let cache = Cache::open(folder.path(), author("1")).unwrap();
        cache.put(&start, 8, &evaluation(&start, &["e2e4"])).unwrap();
        let whole = fs::read(file_in(folder.path())).unwrap();
        for at in 1..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(file_in(folder.path()), &changed).unwrap();
            assert_eq!(Cache::open(folder.path(), author("1")).unwrap().get(&start, 8), None, "{at}");
        }
        let info = info(folder.path()).unwrap();
        assert_eq!((info.records, info.damaged), (0, 1));
    }

    #[test]
    fn the_file_stays_bounded_and_keeps_its_newest() {
        let folder = tempfile::tempdir().unwrap();
        let start = Chess::default();
        let said = evaluation(&start, &["e2e4"]);
        for depth in 1..200 {
            let cache = Cache::open_bounded(folder.path(), author("1"), 4000).unwrap();
            cache.put(&start, depth, &said).unwrap();
            assert!(fs::metadata(file_in(folder.path())).unwrap().len() < 4200);
            let cache = Cache::open_bounded(folder.path(), author("1"), 4000).unwrap();
            assert_eq!(cache.get(&start, depth).as_ref(), Some(&said));
        }
    }

    #[test]
    fn a_run_that_finds_the_file_too_large_takes_nothing_from_one_that_is_using_it() {
        let folder = tempfile::tempdir().unwrap();
        let start = Chess::default();
        let said = evaluation(&start, &["e2e4"]);
        let running = Cache::open_bounded(folder.path(), author("1"), 4000).unwrap();
        for depth in 1..100 {
            running.put(&start, depth, &said).unwrap();
        }
        let second = Cache::open_bounded(folder.path(), author("1"), 4000).unwrap();
        running.put(&start, 100, &said).unwrap();
        second.put(&start, 101, &said).unwrap();
        assert_eq!(info(folder.path()).unwrap().records, 101);
        drop((running, second));
        let third = Cache::open_bounded(folder.path(), author("1"), 4000).unwrap();
        assert!(fs::metadata(file_in(folder.path())).unwrap().len() < 4000);
        assert_eq!(third.get(&start, 101), Some(said));
        assert_eq!(third.get(&start, 1), None);
    }

    #[test]
    fn two_runs_side_by_side_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let start = Chess::default();
        let said = evaluation(&start, &["e2e4", "e7e5", "g1f3"]);
        std::thread::scope(|scope| {
            for run in 0..4 {
                let (folder, start, said) = (folder.path(), &start, &said);
                scope.spawn(move || {
                    let cache = Cache::open(folder, author("1")).unwrap();
                    for i in 0..200 {
                        cache.put(start, run * 1000 + i, said).unwrap();
                    }
                });
            }
        });
        let info = info(folder.path()).unwrap();
        assert_eq!((info.records, info.damaged), (800, 0));
        assert_eq!(info.engines.get("gnuchess 1"), Some(&800));
        clear(folder.path()).unwrap();
        clear(folder.path()).unwrap();
        assert_eq!(super::info(folder.path()).unwrap(), Info::default());
    }
}

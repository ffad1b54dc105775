//! The output folder: every file appears whole, `report.json` last, nobody else's file is touched.
//!
//! Until `report.json` stands, `unfinished.txt` lists what the run has begun to write, so that the next one can take
//! it away though no report tells of it.

use std::{
    collections::BTreeSet,
    fs::{self, File, TryLockError},
    io::{self, Write},
    path::{Component, Path, PathBuf},
    thread,
    time::Duration,
};

use super::NAMES;

/// What can go wrong with the output folder.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The path stands for something else.
    #[error("{0} is not a folder")]
    NotAFolder(PathBuf),
    /// Another run is at work in the folder.
    #[error("another audit is writing to {0}; wait for it, or choose another folder")]
    Busy(PathBuf),
    /// The audit would write over the score that it reads.
    #[error("{0} is the input: writing there would destroy it; choose another folder")]
    Input(PathBuf),
    /// The file system refused.
    #[error("cannot write {path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// The file that ends a run.
const REPORT: &str = "report.json";

/// Begins the name of a file that is not whole yet; the `fix` command's have another beginning.
const BESIDE: &str = ".pgn-audit-";

/// The list of a run that has not ended; begins with [`UNFINISHED_HEAD`], and has a line a file.
const UNFINISHED: &str = "unfinished.txt";

/// Tells people what the list is, and us that it is ours.
const UNFINISHED_HEAD: &str =
    "pgn-audit has not finished here. These are its files; it removes them before it writes here again:\n";

/// A folder that results are written to; remembers what it has written.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    written: Vec<String>,
    /// Names in the list of what is not finished; `None` where that file is somebody else's.
    begun: Option<BTreeSet<String>>,
    /// Keeps other runs out as long as it is open; a killed run's lock dies with it.
    _lock: Option<File>,
}

impl Folder {
    /// Makes the folder where there is none, and takes away what an earlier run of ours left in it.
    ///
    /// `input` is the file being audited, where it is one. The old `report.json` goes first, then the files
    /// that it lists; a folder of other people's files loses nothing.
    ///
    /// # Errors
    /// Where the path is no folder, where another run is at work in it, where a file that is to be written is the
    /// input, where nothing can be written.
    pub fn open(root: &Path, input: Option<&Path>) -> Result<Folder, FolderError> {
        if fs::metadata(root).is_ok_and(|m| !m.is_dir()) {
            return Err(FolderError::NotAFolder(root.to_owned()));
        }
        fs::create_dir_all(root).map_err(|source| FolderError::Io { path: root.to_owned(), source })?;
        let lock = lock(root)?;
        Folder::cleared(root, input, lock)
    }

    /// The folder without what an earlier run left in it.
    fn cleared(root: &Path, input: Option<&Path>, lock: Option<File>) -> Result<Folder, FolderError> {
        let mut folder = Folder { root: root.to_owned(), written: Vec::new(), begun: None, _lock: lock };
        let mut old = folder.old_files(Path::new(""));
        let unfinished = folder.unfinished(Path::new(""));
        let somebody_else_s = unfinished.is_none() && fs::symlink_metadata(root.join(UNFINISHED)).is_ok();
        folder.begun = (!somebody_else_s).then(BTreeSet::new);
        old.extend(unfinished.into_iter().flatten());
        if let Some(input) = input {
            for name in NAMES.iter().copied().chain(old.iter().map(String::as_str)) {
                let path = folder.root.join(name);
                if same_file(&path, input) {
                    return Err(FolderError::Input(path));
                }
            }
        }
        for name in &old {
            match name.strip_suffix('/') {
                None => folder.remove(name)?,
                Some(game) => drop(fs::remove_dir(root.join(game))), // it holds something else, and stays
            }
        }
        folder.probe()?;
        Ok(folder)
    }

    /// Writes one file whole: beside its place first, then renamed. `name` may have folders in it.
    ///
    /// # Errors
    /// What the file system says; the old file, if any, then still stands.
    pub fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        self.begin(name)?;
        let path = self.root.join(name);
        let parent = path.parent().unwrap_or(&self.root);
        let io = |source| FolderError::Io { path: path.clone(), source };
        fs::create_dir_all(parent).map_err(io)?;
        let mut file = beside(parent).map_err(io)?;
        file.write_all(bytes).map_err(io)?;
        file.persist(&path).map_err(|e| io(e.error))?;
        if !self.written.iter().any(|w| w == name) {
            self.written.push(name.to_owned());
        }
        if name == REPORT && self.begun.is_some() {
            self.remove(UNFINISHED)?;
        }
        Ok(())
    }

    /// The names written so far, in order.
    pub fn written(&self) -> &[String] {
        &self.written
    }

    /// A folder inside this one, for one game of several; its files are listed here by the caller.
    ///
    /// # Errors
    /// As [`Folder::open`].
    pub fn inside(&mut self, name: &str, input: Option<&Path>) -> Result<Folder, FolderError> {
        self.begin(&format!("{name}/"))?;
        let root = self.root.join(name);
        if fs::metadata(&root).is_ok_and(|m| !m.is_dir()) {
            return Err(FolderError::NotAFolder(root));
        }
        fs::create_dir_all(&root).map_err(|source| FolderError::Io { path: root.clone(), source })?;
        // The lock of this folder is enough: a match has more games than a process may have files open.
        Folder::cleared(&root, input, None)
    }

    /// Notes files that another [`Folder`] has written inside this one.
    pub fn adopt(&mut self, prefix: &str, names: &[String]) {
        self.written.extend(names.iter().map(|n| format!("{prefix}/{n}")));
    }

    /// `report.json` and what it lists, where an earlier run of ours has written it into the folder `inside`.
    fn old_files(&self, inside: &Path) -> Vec<String> {
        let path = self.root.join(inside).join(REPORT);
        // A pipe or a device would be read for ever.
        if !fs::metadata(&path).is_ok_and(|m| m.is_file()) {
            return Vec::new();
        }
        let Ok(bytes) = fs::read(path) else { return Vec::new() };
        let Ok(old) = serde_json::from_slice::<serde_json::Value>(&bytes) else { return Vec::new() };
        if old.get("schema_version").is_none() {
            return Vec::new();
        }
        let listed = old.get("files").and_then(|f| f.as_array()).into_iter().flatten();
        let names = listed.filter_map(|f| f.as_str()).filter(|n| harmless(n) && *n != REPORT);
        std::iter::once(REPORT).chain(names).map(|name| below(inside, name)).collect()
    }

    /// What a run that was ended before its time has left in the folder `inside`, and the list of it; `None` where
    /// there is no such list of ours.
    fn unfinished(&self, inside: &Path) -> Option<Vec<String>> {
        let folder = self.root.join(inside);
        let path = folder.join(UNFINISHED);
        if !fs::symlink_metadata(&path).ok()?.is_file() {
            return None;
        }
        let list = fs::read_to_string(path).ok()?;
        let lines = list.strip_prefix(UNFINISHED_HEAD)?;
        let lines = || lines.lines().filter(|line| harmless(line));
        // It may have been killed between the making of a file and its renaming, in any folder that it wrote to.
        let places: BTreeSet<&Path> = lines()
            .filter(|line| !line.ends_with('/'))
            .filter_map(|line| Path::new(line).parent())
            .chain([Path::new("")])
            .collect();
        let mut names = Vec::new();
        for place in places {
            let entries = fs::read_dir(folder.join(place)).into_iter().flatten().flatten();
            let entries = entries.filter_map(|entry| entry.file_name().into_string().ok());
            let halves = entries.filter(|name| name.starts_with(BESIDE));
            names.extend(halves.map(|name| below(&inside.join(place), &name)));
        }
        for line in lines() {
            match line.strip_suffix('/') {
                // A folder of one game of several; those have none inside.
                Some(game) if inside == Path::new("") => {
                    names.extend(self.old_files(Path::new(game)));
                    names.extend(self.unfinished(Path::new(game)).into_iter().flatten());
                    names.push(line.to_owned());
                }
                Some(_) => {}
                None => names.push(below(inside, line)),
            }
        }
        names.push(below(inside, UNFINISHED));
        Some(names)
    }

    /// Notes in the list of what is not finished that this name is about to be written; `/` behind it makes it a
    /// folder.
    fn begin(&mut self, name: &str) -> Result<(), FolderError> {
        let path = self.root.join(UNFINISHED);
        let Some(begun) = &mut self.begun else { return Ok(()) };
        let first = begun.is_empty();
        if !begun.insert(name.to_owned()) {
            return Ok(());
        }
        let line = format!("{}{name}\n", if first { UNFINISHED_HEAD } else { "" });
        let mut how = File::options();
        // The first line makes the file, and never follows a link that somebody put there meanwhile.
        if first {
            how.write(true).create_new(true)
        } else {
            how.append(true)
        };
        how.open(&path)
            .and_then(|mut file| file.write_all(line.as_bytes()))
            .map_err(|source| FolderError::Io { path, source })
    }

    /// Removes a plain file that an old report lists; a link, a folder or a missing file is left alone.
    fn remove(&self, name: &str) -> Result<(), FolderError> {
        let path = self.root.join(name);
        let mut parent = self.root.clone();
        for part in Path::new(name).parent().into_iter().flat_map(Path::components) {
            parent.push(part);
            if !fs::symlink_metadata(&parent).is_ok_and(|m| m.is_dir()) {
                return Ok(());
            }
        }
        if !fs::symlink_metadata(&path).is_ok_and(|m| m.is_file()) {
            return Ok(());
        }
        fs::remove_file(&path).map_err(|source| FolderError::Io { path: path.clone(), source })?;
        let folders = path.ancestors().skip(1).take_while(|p| *p != self.root);
        for folder in folders {
            if fs::remove_dir(folder).is_err() {
                break; // it holds something else, and stays
            }
        }
        Ok(())
    }

    /// Fails now, before long work, where nothing can be written.
    fn probe(&self) -> Result<(), FolderError> {
        let io = |source| FolderError::Io { path: self.root.clone(), source };
        beside(&self.root).map_err(io)?.close().map_err(io)
    }
}

/// How often, and how far apart, a folder is looked at before it is another run's.
const BUSY_LOOKS: u32 = 10;
const BUSY_PAUSE: Duration = Duration::from_millis(20);

/// Keeps other runs out of a folder; nothing where the file system knows no locks.
fn lock(root: &Path) -> Result<Option<File>, FolderError> {
    // The folder itself is locked, so that no file has to be taken away in the end.
    let Ok(folder) = File::open(root) else { return Ok(None) };
    for _ in 0..BUSY_LOOKS {
        match folder.try_lock() {
            Ok(()) => return Ok(Some(folder)),
            // A child that is just being started holds what its parent holds, for a moment.
            Err(TryLockError::WouldBlock) => thread::sleep(BUSY_PAUSE),
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
    Err(FolderError::Busy(root.to_owned()))
}

/// A name of the folder `inside` as the folder around it knows it.
fn below(inside: &Path, name: &str) -> String {
    inside.join(name).to_string_lossy().into_owned()
}

/// An unnamed-to-be file with the permissions of an ordinary one.
fn beside(parent: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(BESIDE);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(parent)
}

/// Whether a name from a report stays inside the folder.
fn harmless(name: &str) -> bool {
    let path = Path::new(name);
    path.components().next().is_some() && path.components().all(|c| matches!(c, Component::Normal(_)))
}

fn same_file(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if let (Ok(a), Ok(b)) = (fs::metadata(a), fs::metadata(b)) {
            return a.dev() == b.dev() && a.ino() == b.ino();
        }
    }
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn an_old_run_is_taken_away_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("results");
        fs::create_dir(&root).unwrap();
        fs::write(dir.path().join("outside.txt"), "keep").unwrap();
        fs::write(root.join("mine.txt"), "keep").unwrap();
        fs::write(root.join("view_illegal_12.png"), "old").unwrap();
        fs::write(
            root.join("report.json"),
            r#"{"schema_version":1,"files":["view_illegal_12.png","../outside.txt","/etc/passwd","gone.txt"]}"#,
        )
        .unwrap();
        Folder::open(&root, None).unwrap();
        assert_eq!(names(&root), ["mine.txt"]);
        assert_eq!(fs::read_to_string(dir.path().join("outside.txt")).unwrap(), "keep");
    }

    #[test]
    fn a_report_of_another_program_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("x"), "keep").unwrap();
        fs::write(dir.path().join("report.json"), r#"{"files":["x"]}"#).unwrap();
        Folder::open(dir.path(), None).unwrap();
        assert_eq!(names(dir.path()), ["report.json", "x"]);
    }

    #[test]
    fn a_listed_link_does_not_lead_outside() {
        let dir = tempfile::tempdir().unwrap();
        let (root, other) = (dir.path().join("out"), dir.path().join("other"));
        fs::create_dir_all(&root).unwrap();
        fs::create_dir_all(&other).unwrap();
        fs::write(other.join("x"), "keep").unwrap();
        std::os::unix::fs::symlink(&other, root.join("before")).unwrap();
        fs::write(root.join("report.json"), r#"{"schema_version":1,"files":["before/x"]}"#).unwrap();
        Folder::open(&root, None).unwrap();
        assert_eq!(names(&other), ["x"]);
    }

    #[test]
    fn the_input_is_never_written_over() {
        let dir = tempfile::tempdir().unwrap();
        let input = dir.path().join("fixed.pgn");
        fs::write(&input, "1. e4 1-0").unwrap();
        assert!(matches!(Folder::open(dir.path(), Some(&input)), Err(FolderError::Input(_))));
        let link = dir.path().join("score.pgn");
        fs::hard_link(&input, &link).unwrap();
        assert!(matches!(Folder::open(dir.path(), Some(&link)), Err(FolderError::Input(_))));
        assert_eq!(fs::read_to_string(&input).unwrap(), "1. e4 1-0");
    }

    #[test]
    fn files_appear_whole_and_are_listed_in_order() {
        let dir = tempfile::tempdir().unwrap();
        let mut folder = Folder::open(&dir.path().join("a/b"), None).unwrap();
        folder.put("before/broken.pgn", b"x").unwrap();
        folder.put("diff.txt", b"y").unwrap();
        folder.put("diff.txt", b"z").unwrap();
        assert_eq!(folder.written(), ["before/broken.pgn", "diff.txt"]);
        assert_eq!(names(&dir.path().join("a/b")), ["before", "diff.txt", "unfinished.txt"]);
        assert_eq!(fs::read(dir.path().join("a/b/diff.txt")).unwrap(), b"z");
        folder.put("report.json", b"{}").unwrap();
        assert_eq!(names(&dir.path().join("a/b")), ["before", "diff.txt", "report.json"]);
    }

    #[test]
    fn a_run_that_did_not_end_is_taken_away_with_its_games_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("out");
        let mut top = Folder::open(&root, None).unwrap();
        let mut first = top.inside("001", None).unwrap();
        first.put("before/broken.pgn", b"x").unwrap();
        first.put("report.json", br#"{"schema_version":1,"files":["before/broken.pgn"]}"#).unwrap();
        top.inside("004", None).unwrap();
        let mut second = top.inside("002", None).unwrap();
        second.put("view_illegal_7.png", b"x").unwrap();
        fs::write(root.join("002/mine.txt"), "keep").unwrap();
        second.put("before/broken.pgn", b"x").unwrap();
        fs::write(root.join("002/.pgn-audit-a1"), "half").unwrap();
        fs::write(root.join("002/before/.pgn-audit-a2"), "half").unwrap();
        fs::create_dir(root.join("003")).unwrap();
        fs::write(root.join("003/report.json"), r#"{"schema_version":1,"files":[]}"#).unwrap();
        drop((first, second, top));
        let mut again = Folder::open(&root, None).unwrap();
        assert_eq!(names(&root), ["002", "003"]);
        assert_eq!(names(&root.join("002")), ["mine.txt"]);
        assert_eq!(names(&root.join("003")), ["report.json"], "a run of its own");
        again.put("fixed.pgn", b"x").unwrap();
        assert_eq!(names(&root), ["002", "003", "fixed.pgn", "unfinished.txt"]);
    }

    #[test]
    fn a_list_takes_away_nothing_but_plain_files_inside_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        let (root, other) = (dir.path().join("out"), dir.path().join("other"));
        fs::create_dir_all(root.join("folder")).unwrap();
        fs::create_dir_all(&other).unwrap();
        for kept in
            [root.join("folder/x"), other.join("x"), other.join(".pgn-audit-a1"), root.join(".pgn-fix-a1")]
        {
            fs::write(kept, "keep").unwrap();
        }
        std::os::unix::fs::symlink(&other, root.join("before")).unwrap();
        std::os::unix::fs::symlink(other.join("x"), root.join("link")).unwrap();
        let outside = other.join("x");
        let list = format!(
            "{UNFINISHED_HEAD}../other/x\n{}\nbefore/x\nbefore/\nlink\nfolder\nfolder/\n./link\n..\n/\n\n",
            outside.display()
        );
        fs::write(root.join(UNFINISHED), list).unwrap();
        Folder::open(&root, None).unwrap();
        assert_eq!(names(&root), [".pgn-fix-a1", "before", "folder", "link"]);
        assert_eq!(names(&root.join("folder")), ["x"]);
        assert_eq!(names(&other), [".pgn-audit-a1", "x"]);
    }

    #[test]
    fn a_pipe_in_the_report_s_place_is_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let made = std::process::Command::new("mkfifo").arg(dir.path().join(REPORT)).status().unwrap();
        assert!(made.success());
        let mut folder = Folder::open(dir.path(), None).unwrap();
        folder.put(REPORT, b"{}").unwrap();
        assert_eq!(fs::read(dir.path().join(REPORT)).unwrap(), b"{}");
    }

    #[test]
    fn a_list_of_somebody_else_s_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("fixed.pgn"), "keep").unwrap();
        fs::write(dir.path().join(UNFINISHED), "fixed.pgn\n").unwrap();
        let mut folder = Folder::open(dir.path(), None).unwrap();
        folder.put("report.json", b"{}").unwrap();
        assert_eq!(names(dir.path()), ["fixed.pgn", "report.json", "unfinished.txt"]);
    }

    #[test]
    fn two_runs_are_kept_apart_and_a_dead_one_is_in_nobody_s_way() {
        let dir = tempfile::tempdir().unwrap();
        let first = Folder::open(dir.path(), None).unwrap();
        let second = Folder::open(dir.path(), None).unwrap_err();
        assert!(matches!(second, FolderError::Busy(_)), "{second}");
        assert_eq!(names(dir.path()), [""; 0], "the lock is no file");
        drop(first);
        Folder::open(dir.path(), None).unwrap();
    }

    #[test]
    fn a_file_in_the_folder_s_place_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        fs::write(&path, "").unwrap();
        assert!(matches!(Folder::open(&path, None), Err(FolderError::NotAFolder(_))));
    }
}

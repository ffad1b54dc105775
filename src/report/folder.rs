//! The output folder: every file appears whole, `report.json` last, nobody else's file is touched.

use std::{
    fs,
    io::{self, Write},
    path::{Component, Path, PathBuf},
};

use super::NAMES;

/// What can go wrong with the output folder.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The path stands for something else.
    #[error("{0} is not a folder")]
    NotAFolder(PathBuf),
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

/// A folder that results are written to; remembers what it has written.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    written: Vec<String>,
}

impl Folder {
    /// Makes the folder where there is none, and takes away what an earlier run of ours left in it.
    ///
    /// `input` is the file being audited, where it is one. The old `report.json` goes first, then the files
    /// that it lists; a folder of other people's files loses nothing.
    ///
    /// # Errors
    /// Where the path is no folder, where a file that is to be written is the input, where nothing can be
    /// written.
    pub fn open(root: &Path, input: Option<&Path>) -> Result<Folder, FolderError> {
        if fs::metadata(root).is_ok_and(|m| !m.is_dir()) {
            return Err(FolderError::NotAFolder(root.to_owned()));
        }
        fs::create_dir_all(root).map_err(|source| FolderError::Io { path: root.to_owned(), source })?;
        let folder = Folder { root: root.to_owned(), written: Vec::new() };
        let old = folder.old_files();
        if let Some(input) = input {
            for name in NAMES.iter().copied().chain(old.iter().map(String::as_str)) {
                let path = folder.root.join(name);
                if same_file(&path, input) {
                    return Err(FolderError::Input(path));
                }
            }
        }
        for name in old.iter().map(String::as_str) {
            folder.remove(name)?;
        }
        folder.probe()?;
        Ok(folder)
    }

    /// Writes one file whole: beside its place first, then renamed. `name` may have folders in it.
    ///
    /// # Errors
    /// What the file system says; the old file, if any, then still stands.
    pub fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
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
    pub fn inside(&self, name: &str, input: Option<&Path>) -> Result<Folder, FolderError> {
        Folder::open(&self.root.join(name), input)
    }

    /// Notes files that another [`Folder`] has written inside this one.
    pub fn adopt(&mut self, prefix: &str, names: &[String]) {
        self.written.extend(names.iter().map(|n| format!("{prefix}/{n}")));
    }

    /// `report.json` and what it lists, where an earlier run of ours has written it.
    fn old_files(&self) -> Vec<String> {
        let Ok(bytes) = fs::read(self.root.join("report.json")) else { return Vec::new() };
        let Ok(old) = serde_json::from_slice::<serde_json::Value>(&bytes) else { return Vec::new() };
        if old.get("schema_version").is_none() {
            return Vec::new();
        }
        let listed = old.get("files").and_then(|f| f.as_array()).into_iter().flatten();
        let names = listed.filter_map(|f| f.as_str()).filter(|n| harmless(n)).map(str::to_owned);
        std::iter::once("report.json".to_owned()).chain(names.filter(|n| n != "report.json")).collect()
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

/// An unnamed-to-be file with the permissions of an ordinary one.
fn beside(parent: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pgn-audit-");
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
        assert_eq!(names(&dir.path().join("a/b")), ["before", "diff.txt"]);
        assert_eq!(fs::read(dir.path().join("a/b/diff.txt")).unwrap(), b"z");
    }

    #[test]
    fn a_file_in_the_folder_s_place_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        fs::write(&path, "").unwrap();
        assert!(matches!(Folder::open(&path, None), Err(FolderError::NotAFolder(_))));
    }
}

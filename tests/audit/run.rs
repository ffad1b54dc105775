//! One run of the program in a world of its own.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

/// A folder with the fixtures, a home and a cache of its own.
pub struct World {
    dir: TempDir,
}

impl World {
    pub fn new() -> World {
        let dir = tempfile::tempdir().unwrap();
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
        std::os::unix::fs::symlink(fixtures, dir.path().join("fixtures")).unwrap();
        for name in ["home", "cache"] {
            std::fs::create_dir(dir.path().join(name)).unwrap();
        }
        World { dir }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The program with these arguments (split at spaces), to be run in the folder.
    pub fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pgn-audit"));
        command.args(args.split_whitespace()).current_dir(self.dir.path());
        command.env("HOME", self.path("home")).env("XDG_CACHE_HOME", self.path("cache"));
        command.env_remove("NO_COLOR").env_remove("DISPLAY");
        command
    }

    pub fn run(&self, args: &str) -> Output {
        self.command(args).output().unwrap()
    }

    /// Runs it and expects this exit status.
    #[track_caller]
    pub fn expect(&self, args: &str, status: i32) -> Output {
        let output = self.run(args);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "pgn-audit {args}: {error}");
        output
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_slice(&self.read(name)).unwrap()
    }
}

/// Every file below a folder with its bytes, by name.
pub fn tree(root: &Path) -> Vec<(String, Vec<u8>)> {
    fn walk(root: &Path, at: &Path, out: &mut Vec<(String, Vec<u8>)>) {
        for entry in std::fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, out);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                out.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    let mut out = Vec::new();
    walk(root, root, &mut out);
    out.sort();
    out
}

pub fn names(root: &Path) -> Vec<String> {
    tree(root).into_iter().map(|(name, _)| name).collect()
}

pub fn error_line(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "one sentence: {text}");
    text
}

//! The fake engine in a place of its own.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

fn fake() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.join("examples/fake-uci")
}

/// The fake engine in a folder and under a name of its own, so that its processes can be told from all others.
pub struct Lair {
    folder: tempfile::TempDir,
    name: String,
}

static LAIRS: AtomicUsize = AtomicUsize::new(0);

impl Lair {
    pub fn new() -> Lair {
        let name = format!("fake{}", LAIRS.fetch_add(1, Ordering::Relaxed));
        let lair = Lair { folder: tempfile::tempdir().unwrap(), name };
        fs::copy(fake(), lair.program()).expect("`cargo test` or `cargo build --examples` builds it");
        lair
    }

    pub fn program(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Fails where a process of the lair is left; the kernel is given a moment to kill.
    pub fn assert_deserted(&self, when: &str) {
        let started = Instant::now();
        while !self.processes().is_empty() {
            assert!(started.elapsed() < Duration::from_secs(5), "{when}: {:?}", self.processes());
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Processes that run the fake engine of this lair, or have its folder in their environment, zombies included.
    pub fn processes(&self) -> Vec<String> {
        self.processes_with("")
    }

    /// Those of them that have `text` in their environment.
    pub fn processes_with(&self, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let at = entry.path();
            let is_process = entry.file_name().to_string_lossy().bytes().all(|b| b.is_ascii_digit());
            let exe = fs::read_link(at.join("exe")).unwrap_or_default();
            let environment = fs::read(at.join("environ")).unwrap_or_default();
            let environment = String::from_utf8_lossy(&environment);
            let ours = exe.starts_with(self.folder.path())
                || environment.contains(&*self.folder.path().to_string_lossy());
            if is_process && ours && environment.contains(text) {
                found.push(format!("{} {}", at.display(), exe.display()));
            }
            let stat = fs::read_to_string(at.join("stat")).unwrap_or_default();
            if is_process && stat.contains(&format!("({}) Z", self.name)) {
                found.push(stat);
            }
        }
        found
    }
}

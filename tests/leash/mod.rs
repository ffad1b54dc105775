//! Children of a test that end with it, whether it passes or fails.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]
#![allow(dead_code, reason = "not every test needs every helper")]

use std::{
    fs,
    ops::{Deref, DerefMut},
    process::{Child, Command, ExitStatus, Output},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

/// A running child; it is killed and collected where the test ends before it does. What it has started itself dies with
/// it, as the kernel is told to see to.
pub struct Leashed(Option<Child>);

impl Leashed {
    pub fn spawn(command: &mut Command) -> Leashed {
        Leashed(Some(command.spawn().unwrap()))
    }

    /// Sends a signal; the child may have ended already.
    pub fn send(&self, signal: Signal) {
        let _ = kill_process(Pid::from_child(self), signal); // nothing is left to be told
    }

    /// How the child ended, which it must within this time.
    #[track_caller]
    pub fn ends_within(&mut self, patience: Duration) -> ExitStatus {
        let started = Instant::now();
        loop {
            if let Some(status) = self.try_wait().unwrap() {
                return status;
            }
            assert!(started.elapsed() < patience, "the child runs on after {patience:?}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// What the child has written when it ends.
    pub fn output(mut self) -> Output {
        self.0.take().unwrap().wait_with_output().unwrap()
    }

    /// All processes below the child that are alive, by `/proc`.
    pub fn descendants(&self) -> Vec<u32> {
        let mut found = vec![self.id()];
        let mut at = 0;
        while at < found.len() {
            let tasks = format!("/proc/{}/task", found[at]);
            for task in fs::read_dir(tasks).into_iter().flatten().flatten() {
                let list = fs::read_to_string(task.path().join("children")).unwrap_or_default();
                found.extend(list.split_whitespace().filter_map(|p| p.parse::<u32>().ok()));
            }
            at += 1;
        }
        found.split_off(1)
    }
}

impl Deref for Leashed {
    type Target = Child;
    fn deref(&self) -> &Child {
        self.0.as_ref().unwrap()
    }
}

impl DerefMut for Leashed {
    fn deref_mut(&mut self) -> &mut Child {
        self.0.as_mut().unwrap()
    }
}

impl Drop for Leashed {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill(); // it may have ended already
            let _ = child.wait(); // and been collected
        }
    }
}

/// Whether a process is there and no zombie.
pub fn alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}

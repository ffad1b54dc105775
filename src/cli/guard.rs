//! What Ctrl-C and SIGTERM must not leave behind: the file that is being written beside its target.

use std::{
    fs, io,
    path::PathBuf,
    process,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

use signal_hook::{
    consts::{SIGINT, SIGTERM},
    iterator::Signals,
};

use super::Status;

/// Removes the file under way and ends the process when a signal comes.
///
/// A thread of its own waits for the signal, so that the work asks nobody whether it may go on.
#[derive(Debug)]
pub struct Guard(Arc<Mutex<Option<PathBuf>>>);

impl Guard {
    /// Begins to listen.
    ///
    /// # Errors
    /// Where the system does not let it.
    pub fn listen() -> io::Result<Guard> {
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        let watched: Arc<Mutex<Option<PathBuf>>> = Arc::default();
        let guard = Guard(watched.clone());
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            if signals.forever().next().is_some() {
                // Held until the process has ended: nothing is made or renamed meanwhile.
                let under_way = watched.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(path) = &*under_way {
                    let _ = fs::remove_file(path); // there is no other cure
                }
                process::exit(i32::from(Status::Interrupted.code()));
            }
        })?;
        Ok(guard)
    }

    /// The file under way, which no signal touches while the answer is held.
    pub fn hold(&self) -> MutexGuard<'_, Option<PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! The `cache` command: looks after the stored evaluations.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::{Args, Subcommand};

use super::Status;
use crate::engine::cache;

/// The `cache` command: looks after the stored evaluations.
#[derive(Debug, Args)]
pub struct CacheArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: Action,
    /// The cache's folder, where it is not the usual one.
    #[arg(long, value_name = "DIR", global = true)]
    pub cache_dir: Option<PathBuf>,
}

/// What can be done with the cache.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum Action {
    /// Say where it is and what it holds.
    Info,
    /// Forget every stored evaluation.
    Clear,
}

/// Runs it.
pub fn run(args: &CacheArgs) -> Status {
    let Some(folder) = args.cache_dir.clone().or_else(cache::default_folder) else {
        return failed("there is no folder for a cache: neither HOME nor XDG_CACHE_HOME is set");
    };
    let file = cache::file_in(&folder);
    let text = match args.action {
        Action::Info => match cache::info(&folder) {
            Ok(info) => described(&info, &file.display().to_string()),
            Err(e) => return failed(&format!("{} cannot be read: {e}", file.display())),
        },
        Action::Clear => match cache::clear(&folder) {
            Ok(()) => "The cache is empty.\n".to_owned(),
            Err(e) => return failed(&format!("{} cannot be removed: {e}", file.display())),
        },
    };
    match io::stdout().write_all(text.as_bytes()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            failed(&format!("standard output cannot be written: {e}"))
        }
        _ => Status::Clean,
    }
}

fn described(info: &cache::Info, file: &str) -> String {
    let mut text = format!(
        "file:        {file}\nsize:        {} bytes, {} MiB at most\nevaluations: {}\n",
        info.bytes,
        cache::LARGEST >> 20,
        info.records
    );
    for (engine, records) in &info.engines {
        text += &format!("  {engine}: {records}\n");
    }
    if info.damaged > 0 {
        text += &format!("damaged:     {} (ignored)\n", info.damaged);
    }
    text
}

fn failed(what: &str) -> Status {
    let _ = writeln!(io::stderr(), "pgn-audit: {what}"); // nobody is left to be told
    Status::Failed
}

//! The `fix` command: the repaired text alone.

use std::{io, path::PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use super::{Status, failed, place::Place, sentence, warn};
use crate::{
    check::{
        mending::{self, Mended},
        stream::{self, Feeder},
    },
    examine::Options,
};

/// The `fix` command: the repaired text alone.
#[derive(Debug, Args)]
pub struct FixArgs {
    /// The score, `-` for standard input; .gz, .zst and .bz2 are unpacked on the way.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Print the changes as a unified diff instead of the text.
    #[arg(long, group = "mode")]
    pub diff: bool,
    /// Change the file itself, in one step (written through where it has several names), and not at all where nothing is
    /// wrong.
    #[arg(long, group = "mode")]
    pub in_place: bool,
    /// Write the text there; the file appears in one step.
    #[arg(short, long, value_name = "FILE", group = "mode")]
    pub output: Option<PathBuf>,
    /// Threads; by default one a core.
    #[arg(short = 'j', long, value_name = "N")]
    pub jobs: Option<usize>,
    /// No summary on standard error.
    #[arg(short, long)]
    pub quiet: bool,
}

/// Runs it.
pub fn run(args: &FixArgs) -> Status {
    match fix(args) {
        Ok(()) => Status::Clean,
        Err(e) if broken_pipe(&e) => Status::Clean,
        Err(e) => failed(&e),
    }
}

fn broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// Why a file in UTF-16 has no diff; its name stands before.
const NO_DIFF: &str =
    "is in UTF-16 and is repaired as UTF-8, so that every line would differ: write the whole text with -o";

fn fix(args: &FixArgs) -> anyhow::Result<()> {
    let name = args.file.display().to_string();
    let mut place = Place::open(args)?;
    let mut totals = Mended::default();
    let mut failure = None;
    let jobs = args.jobs.unwrap_or_else(super::check::default_jobs).clamp(1, super::check::MOST_JOBS);
    let options = Options { repair: true, ..Options::default() };
    let work = |batch: &stream::Batch| {
        let failure = batch.failure.as_ref().map(|e| sentence::of_io(&name, e));
        (mending::mend(batch, &options), batch.utf16.is_some(), failure)
    };
    let goal = match &args.output {
        Some(output) => output.display().to_string(),
        None if args.in_place => name.clone(),
        None => "standard output".to_owned(),
    };
    let cannot = || format!("cannot write {goal}");
    let mut transcribed = false;
    let ran = stream::run(Feeder::new(vec![args.file.clone()]), jobs, work, |(mended, utf16, failed)| {
        if utf16 && !transcribed {
            transcribed = true;
            if args.diff {
                failure = Some(format!("{name} {NO_DIFF}"));
                return Err(io::ErrorKind::Unsupported.into());
            }
            warn(&format!("{name} is in UTF-16, which no PGN reader reads; it is written as UTF-8"));
        }
        totals.games += mended.games;
        totals.changed += mended.changed;
        for (line, doubt) in &mended.doubts {
            warn(&format!("{name}:{line}: {doubt}"));
        }
        failure = failure.take().or(failed);
        mended.parts.iter().try_for_each(|part| place.add(part))
    });
    if let Some(failure) = failure {
        bail!(failure);
    }
    ran.with_context(cannot)?;
    if totals.games == 0 {
        bail!("{name}: no game in it");
    }
    place.end(totals.changed > 0 || transcribed).with_context(cannot)?;
    if !args.quiet {
        let games = crate::report::counted(totals.games, "game");
        super::check::complain(&format!("{name}: {} of {games} changed", totals.changed));
    }
    Ok(())
}

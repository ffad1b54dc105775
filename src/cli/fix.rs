//! The `fix` command: the repaired text alone.

use std::{io, path::PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use super::{Status, failed, list::List, place::Place, sentence, source::SourceName, warn};
use crate::{
    check::{
        mending::{self, Mended, Threshold},
        stream::{self, Feeder},
    },
    examine::Options,
    fix::AgainstRules,
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
    /// How the score came to be.
    #[arg(long, value_name = "SOURCE", default_value = "auto")]
    pub source: SourceName,
    /// What becomes of a move that was played against the rules.
    #[arg(long, value_name = "WHAT", default_value = "keep")]
    pub played: Played,
    /// Write only repairs at least this probable, from 0 to 1; every other game keeps its bytes. By default all are written,
    /// but where there are several games not those that cannot be told from others.
    #[arg(long, value_name = "P", value_parser = probability)]
    pub at_least: Option<f64>,
    /// List the games that a person should look at there, as CSV, and not on standard error.
    #[arg(long, value_name = "FILE")]
    pub list: Option<PathBuf>,
    /// Threads; by default one a core.
    #[arg(short = 'j', long, value_name = "N")]
    pub jobs: Option<usize>,
    /// No summary on standard error.
    #[arg(short, long)]
    pub quiet: bool,
}

/// What becomes of a move that was played against the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Played {
    /// It stands.
    Keep,
    /// The game ends before it, and goes on as another game from a FEN.
    Split,
}

fn probability(text: &str) -> Result<f64, String> {
    let p: f64 = text.parse().map_err(|_| "is no number".to_owned())?;
    if (0.0..=1.0).contains(&p) { Ok(p) } else { Err("is not between 0 and 1".to_owned()) }
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
    let against = match args.played {
        Played::Keep => AgainstRules::Kept,
        Played::Split => AgainstRules::Split,
    };
    let options = Options { repair: true, against, source: args.source.said(), ..Options::default() };
    let threshold = Threshold { at_least: args.at_least };
    let mut list = args.list.as_deref().map(List::begin).transpose()?;
    let (mut left, mut doubtful) = (0u64, 0u64);
    let work = |batch: &stream::Batch| {
        let failure = batch.failure.as_ref().map(|e| sentence::of_io(&name, e));
        (mending::mend(batch, &options, threshold), batch.utf16.is_some(), failure)
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
        for doubt in &mended.doubts {
            left += u64::from(!doubt.written);
            doubtful += 1;
            match &mut list {
                Some(list) => list.add(&name, totals.games, doubt)?,
                None => warn(&format!("{name}:{}: {}", doubt.line, doubt.why)),
            }
        }
        totals.games += mended.games;
        totals.changed += mended.changed;
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
    if let Some(list) = list {
        list.end()?;
    }
    if !args.quiet {
        let games = crate::report::counted(totals.games, "game");
        let listed = args.list.as_ref().map_or_else(String::new, |list| {
            format!("; {doubtful} to be looked at, listed in {}", list.display())
        });
        let left =
            if left > 0 { format!(", {left} left as they are for want of certainty") } else { String::new() };
        super::check::complain(&format!("{name}: {} of {games} changed{left}{listed}", totals.changed));
    }
    Ok(())
}

//! The `fix` command: the repaired text alone.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Read as _, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use clap::Args;
use tempfile::NamedTempFile;

use super::{Status, failed, warn};
use crate::check::{
    Options,
    hunks::Hunks,
    mending::{self, Mended, Part},
    open::Packing,
    stream::{self, Feeder},
};
use crate::sheet::Source;

/// The `fix` command: the repaired text alone.
#[derive(Debug, Args)]
pub struct FixArgs {
    /// The score, `-` for standard input; .gz, .zst and .bz2 are unpacked on the way.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Print the changes as a unified diff instead of the text.
    #[arg(long, group = "mode")]
    pub diff: bool,
    /// Change the file itself; it is replaced in one step, and not at all where nothing is wrong.
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

fn fix(args: &FixArgs) -> anyhow::Result<()> {
    let name = args.file.display().to_string();
    let mut place = Place::open(args)?;
    let mut totals = Mended::default();
    let mut failure = None;
    let jobs = args.jobs.unwrap_or_else(super::check::default_jobs).clamp(1, super::check::MOST_JOBS);
    let options = Options { repair: true, ..Options::default() };
    let work = |batch: &stream::Batch| {
        let failure = batch.failure.as_ref().map(|e| super::sentence::of_io(&name, e));
        (mending::mend(batch, &options), failure)
    };
    stream::run(Feeder::new(vec![args.file.clone()]), jobs, work, |(mended, failed)| {
        totals.games += mended.games;
        totals.changed += mended.changed;
        for (line, doubt) in &mended.doubts {
            warn(&format!("{name}:{line}: {doubt}"));
        }
        failure = failure.take().or(failed);
        mended.parts.iter().try_for_each(|part| place.add(part))
    })?;
    if let Some(failure) = failure {
        bail!(failure);
    }
    if totals.games == 0 {
        bail!("{name}: no game in it");
    }
    place.end(totals.changed > 0)?;
    if !args.quiet {
        let games = crate::report::counted(totals.games, "game");
        super::check::complain(&format!("{name}: {} of {games} changed", totals.changed));
    }
    Ok(())
}

/// So many bytes tell whether a file is a text.
const PROBE: u64 = 1 << 16;

/// Where the outcome goes.
enum Place {
    Stream(BufWriter<Box<dyn Write + Send>>),
    Diff(Hunks<BufWriter<io::Stdout>>),
    /// A file beside the target, renamed at the end; whether that is to happen without a change too.
    File {
        beside: BufWriter<NamedTempFile>,
        target: PathBuf,
        always: bool,
    },
}

impl Place {
    fn open(args: &FixArgs) -> anyhow::Result<Place> {
        let stdin = args.file.as_os_str() == "-";
        if args.diff {
            let out = BufWriter::new(io::stdout());
            return Ok(Place::Diff(Hunks::new(out, args.file.display().to_string())));
        }
        if args.in_place {
            if stdin {
                bail!("standard input cannot be changed in place");
            }
            // The file behind a link is the one to change.
            let target = fs::canonicalize(&args.file).with_context(|| args.file.display().to_string())?;
            if packed(&target)? {
                bail!("{} is packed: write the repaired text elsewhere with -o", args.file.display());
            }
            let mut start = Vec::new();
            let file = fs::File::open(&target).with_context(|| args.file.display().to_string())?;
            file.take(PROBE).read_to_end(&mut start).with_context(|| args.file.display().to_string())?;
            if let Err(error) = crate::audit::input::text(&Source::read(start)) {
                bail!("{} {error}; nothing was changed", args.file.display());
            }
            return Place::file(target, false);
        }
        match &args.output {
            None => Ok(Place::Stream(BufWriter::with_capacity(1 << 16, Box::new(io::stdout())))),
            Some(output) => {
                let target = fs::canonicalize(output).unwrap_or_else(|_| output.clone());
                if !stdin && fs::canonicalize(&args.file).is_ok_and(|input| input == target) {
                    bail!("{} is the input itself: use --in-place to change it", output.display());
                }
                // A device or a pipe is written to, never replaced by a file.
                if fs::metadata(&target).is_ok_and(|m| !m.is_file() && !m.is_dir()) {
                    let stream = fs::OpenOptions::new().write(true).open(&target);
                    let stream = stream.with_context(|| format!("cannot write to {}", output.display()))?;
                    return Ok(Place::Stream(BufWriter::with_capacity(1 << 16, Box::new(stream))));
                }
                Place::file(target, true)
            }
        }
    }

    fn file(target: PathBuf, always: bool) -> anyhow::Result<Place> {
        if target.is_dir() {
            bail!("{} is a directory", target.display());
        }
        let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let beside = tempfile::Builder::new()
            .prefix(".pgn-audit-")
            .tempfile_in(folder)
            .with_context(|| format!("cannot write to {}", folder.display()))?;
        Ok(Place::File { beside: BufWriter::with_capacity(1 << 16, beside), target, always })
    }

    fn add(&mut self, part: &Part) -> io::Result<()> {
        let bytes = match part {
            Part::Kept(bytes) | Part::Changed { after: bytes, .. } => bytes,
        };
        match self {
            Place::Stream(out) => out.write_all(bytes),
            Place::Diff(hunks) => hunks.add(part),
            Place::File { beside, .. } => beside.write_all(bytes),
        }
    }

    fn end(self, changed: bool) -> anyhow::Result<()> {
        match self {
            Place::Stream(mut out) => out.flush()?,
            Place::Diff(hunks) => hunks.end()?,
            Place::File { always: false, .. } if !changed => {}
            Place::File { beside, target, .. } => {
                let cannot = || format!("cannot write {}", target.display());
                let beside =
                    beside.into_inner().map_err(io::IntoInnerError::into_error).with_context(cannot)?;
                fs::set_permissions(beside.path(), mode(&target)).with_context(cannot)?;
                beside.as_file().sync_all().with_context(cannot)?;
                beside.persist(&target).map_err(|e| e.error).with_context(cannot)?;
            }
        }
        Ok(())
    }
}

/// The rights of the file that is replaced, or those that a new file gets; never those to run as its owner, which may
/// have become another.
fn mode(target: &Path) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(target).map_or_else(
        |_| fs::Permissions::from_mode(0o666 & !umask()),
        |m| fs::Permissions::from_mode(m.permissions().mode() & 0o777),
    )
}

/// The process's file mode creation mask, which can only be read by setting it.
fn umask() -> u32 {
    let mask = rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    rustix::process::umask(mask);
    mask.as_raw_mode()
}

fn packed(path: &Path) -> anyhow::Result<bool> {
    let mut head = Vec::new();
    let file = File::open(path).with_context(|| path.display().to_string())?;
    io::Read::read_to_end(&mut io::Read::take(file, 16), &mut head)?;
    Ok(Packing::of(&head) != Packing::Plain)
}

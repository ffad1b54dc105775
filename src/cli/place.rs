//! Where a repaired text goes: a stream, a diff, or a file that is whole or not there.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Read as _, Seek as _, Write},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use tempfile::NamedTempFile;

use super::{fix::FixArgs, guard::Guard};
use crate::{
    check::{hunks::Hunks, mending::Part},
    input::open::Packing,
    sheet::Source,
};

/// Bytes that are handed on at once.
const BUFFER: usize = 1 << 16;

/// Begins the name of the file beside the target. Another one than an audit's: what an audit finds of its own in a
/// folder where one was killed it takes away.
const BESIDE: &str = ".pgn-fix-";

/// So many bytes tell whether a file is a text.
const PROBE: u64 = 1 << 16;

/// So many links are followed from one path.
const LINKS: usize = 40;

/// Where the outcome goes.
pub enum Place {
    /// Standard output, a device or a pipe.
    Stream(BufWriter<Box<dyn Write + Send>>),
    /// The changes alone, to standard output.
    Diff(Hunks<BufWriter<io::Stdout>>),
    /// A file beside the target, which takes its place at the end.
    File {
        /// It.
        beside: BufWriter<NamedTempFile>,
        /// Where it goes.
        target: PathBuf,
        /// Whether it goes there without a change too.
        always: bool,
        /// Removes it where a signal ends the run.
        guard: Guard,
    },
}

impl Place {
    /// Opens what the arguments name, before any work is done.
    ///
    /// # Errors
    /// Where it cannot be written to, and where writing to it would cost something.
    pub fn open(args: &FixArgs) -> anyhow::Result<Place> {
        if args.diff {
            let out = BufWriter::new(io::stdout());
            return Ok(Place::Diff(Hunks::new(out, args.file.display().to_string())));
        }
        if args.in_place {
            return Place::file(in_place(&args.file)?, false);
        }
        let Some(output) = &args.output else {
            return Ok(Place::Stream(BufWriter::with_capacity(BUFFER, Box::new(io::stdout()))));
        };
        let cannot = || format!("cannot write to {}", output.display());
        let target = followed(output).with_context(cannot)?;
        let there = fs::metadata(&target).ok();
        let input = if args.file.as_os_str() == "-" { None } else { fs::metadata(&args.file).ok() };
        if let (Some(input), Some(there)) = (&input, &there)
            && (input.dev(), input.ino()) == (there.dev(), there.ino())
        {
            bail!("{} is the input itself: use --in-place to change it", output.display());
        }
        // A device or a pipe is written to, never replaced by a file.
        if there.is_some_and(|m| !m.is_file() && !m.is_dir()) {
            let stream = fs::OpenOptions::new().write(true).open(&target).with_context(cannot)?;
            return Ok(Place::Stream(BufWriter::with_capacity(BUFFER, Box::new(stream))));
        }
        Place::file(target, true)
    }

    fn file(target: PathBuf, always: bool) -> anyhow::Result<Place> {
        if target.is_dir() {
            bail!("{} is a folder; name a file in it", target.display());
        }
        let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let guard = Guard::listen().context("cannot listen for Ctrl-C")?;
        let mut under_way = guard.hold();
        let beside = tempfile::Builder::new()
            .prefix(BESIDE)
            .tempfile_in(folder)
            .with_context(|| format!("cannot write to {}", folder.display()))?;
        *under_way = Some(beside.path().to_owned());
        drop(under_way);
        Ok(Place::File { beside: BufWriter::with_capacity(BUFFER, beside), target, always, guard })
    }

    /// Takes the next part of the text.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn add(&mut self, part: &Part) -> io::Result<()> {
        let bytes = match part {
            Part::Kept(bytes) | Part::Changed { after: bytes, .. } => bytes,
        };
        match self {
            Place::Stream(out) => out.write_all(bytes),
            Place::Diff(hunks) => hunks.add(part),
            Place::File { beside, .. } => beside.write_all(bytes),
        }
    }

    /// The text has ended; `changed` tells whether it is another one than the input's.
    ///
    /// # Errors
    /// Where it cannot be written; the target then stands as it was, or the whole text beside it.
    pub fn end(self, changed: bool) -> anyhow::Result<()> {
        match self {
            Place::Stream(mut out) => out.flush()?,
            Place::Diff(hunks) => hunks.end()?,
            Place::File { always: false, .. } if !changed => {}
            Place::File { beside, target, guard, .. } => {
                let cannot = || format!("cannot write {}", target.display());
                let beside =
                    beside.into_inner().map_err(io::IntoInnerError::into_error).with_context(cannot)?;
                beside.as_file().sync_all().with_context(cannot)?;
                let mut under_way = guard.hold();
                if fs::metadata(&target).is_ok_and(|m| m.nlink() > 1) {
                    // Should this fail, no signal may take away the only whole text.
                    let written = write_through(beside, &target);
                    *under_way = None;
                    written?;
                } else {
                    fs::set_permissions(beside.path(), mode(&target)).with_context(cannot)?;
                    beside.persist(&target).map_err(|e| e.error).with_context(cannot)?;
                }
                *under_way = None;
            }
        }
        Ok(())
    }
}

/// The file behind the path, where it can be changed in place.
fn in_place(path: &Path) -> anyhow::Result<PathBuf> {
    if path.as_os_str() == "-" {
        bail!("standard input cannot be changed in place");
    }
    let cannot = || path.display().to_string();
    // The file behind a link is the one to change.
    let target = fs::canonicalize(path).with_context(cannot)?;
    let mut start = Vec::new();
    let file = File::open(&target).with_context(cannot)?;
    file.take(PROBE).read_to_end(&mut start).with_context(cannot)?;
    if Packing::of(&start) != Packing::Plain {
        bail!("{} is packed: write the repaired text elsewhere with -o", path.display());
    }
    if let Err(error) = crate::input::text(&Source::read(start).text) {
        bail!("{} {error}; nothing was changed", path.display());
    }
    Ok(target)
}

/// What a path stands for: links are followed, also one that leads to nothing yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(to) => path = path.parent().unwrap_or(Path::new("")).join(to),
            Err(_) => return Ok(path), // it is no link
        }
    }
    Err(rustix::io::Errno::LOOP.into())
}

/// Writes the text into a file that has several names, all of which are to show it.
fn write_through(mut beside: NamedTempFile, target: &Path) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {}", target.display());
    let mut out = fs::OpenOptions::new().write(true).open(target).with_context(cannot)?;
    let written = beside.rewind().and_then(|()| {
        let length = io::copy(beside.as_file_mut(), &mut out)?;
        out.set_len(length)?;
        out.sync_all()
    });
    if let Err(error) = written {
        let (_, whole) = beside.keep().map_err(|e| e.error).with_context(cannot)?;
        return Err(error)
            .with_context(|| format!("{}; the whole repaired text is in {}", cannot(), whole.display()));
    }
    Ok(())
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

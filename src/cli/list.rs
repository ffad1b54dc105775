//! The list of games that a person should look at, as CSV.

use std::{
    fs::File,
    io::{self, Seek as _},
    path::{Path, PathBuf},
};

use anyhow::Context;
use tempfile::NamedTempFile;

use crate::check::{mending::Doubt, record::verdict_word};

/// A list on its way to its file, which appears whole. Until then it has no name, so that an interrupt leaves nothing.
pub struct List {
    rows: csv::Writer<File>,
    target: PathBuf,
}

impl List {
    /// Begins the list with the names of its columns.
    ///
    /// # Errors
    /// Where nothing can be written beside the target.
    pub fn begin(target: &Path) -> anyhow::Result<List> {
        let cannot = || format!("cannot write {}", target.display());
        // A place that cannot be written to is told before the work, not behind it.
        beside(target).with_context(cannot)?;
        let mut rows = csv::Writer::from_writer(tempfile::tempfile().with_context(cannot)?);
        let head = ["file", "game", "line", "players", "verdict", "probability", "written", "why"];
        rows.write_record(head).with_context(cannot)?;
        Ok(List { rows, target: target.to_owned() })
    }

    /// Adds a game of `file`, before whose batch `before` games were read.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn add(&mut self, file: &str, before: u64, doubt: &Doubt) -> io::Result<()> {
        let (verdict, probability) = match doubt.repair {
            Some((verdict, p)) => (verdict_word(verdict), format!("{:.6}", (p * 1e6).floor() / 1e6)),
            None => ("", String::new()),
        };
        let written = if doubt.written { "yes" } else { "no" };
        self.rows.write_record([
            file,
            &(before + doubt.game).to_string(),
            &doubt.line.to_string(),
            &doubt.players,
            verdict,
            &probability,
            written,
            &doubt.why,
        ])?;
        Ok(())
    }

    /// Puts the list in its place.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn end(self) -> anyhow::Result<()> {
        let cannot = || format!("cannot write {}", self.target.display());
        let rows = self.rows.into_inner();
        let mut rows = rows.map_err(|e| io::Error::other(e.to_string())).with_context(cannot)?;
        rows.rewind().with_context(cannot)?;
        let mut beside = beside(&self.target).with_context(cannot)?;
        io::copy(&mut rows, &mut beside).with_context(cannot)?;
        beside.persist(&self.target).map_err(|e| e.error).with_context(cannot)?;
        Ok(())
    }
}

/// A new file beside the target.
fn beside(target: &Path) -> io::Result<NamedTempFile> {
    let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    tempfile::Builder::new().prefix(".pgn-fix-").tempfile_in(folder)
}

//! The unified diff of a mended file, hunk by hunk while it streams past.

use std::io::{self, Write};

use similar::{DiffOp, group_diff_ops};

use super::mending::Part;
use crate::report::diff::line_ops;

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// Writes the hunks of one file. Lines end with LF, as `patch` counts them.
pub struct Hunks<W> {
    out: W,
    name: String,
    begun: bool,
    /// Lines written off so far, before and after.
    old: usize,
    new: usize,
    /// What is not written off: the lines that may become context, or a change with those around it.
    before: Vec<u8>,
    after: Vec<u8>,
    /// Line ends still to come behind a change before its hunk is whole; `None` where no change is held.
    wanted: Option<usize>,
}

impl<W: Write> Hunks<W> {
    /// Begins a file of this name.
    pub fn new(out: W, name: String) -> Self {
        Hunks { out, name, begun: false, old: 0, new: 0, before: vec![], after: vec![], wanted: None }
    }

    /// Takes the next part of the file.
    ///
    /// # Errors
    ///
    /// Where the diff cannot be written.
    pub fn add(&mut self, part: &Part) -> io::Result<()> {
        match part {
            Part::Kept(bytes) => self.keep(bytes),
            Part::Changed { before, after } => {
                self.before.extend_from_slice(before);
                self.after.extend_from_slice(after);
                let whole = self.before.ends_with(b"\n") && self.after.ends_with(b"\n");
                self.wanted = Some(CONTEXT + usize::from(!whole));
                Ok(())
            }
        }
    }

    /// Writes what is left; the file ends here.
    ///
    /// # Errors
    ///
    /// Where the diff cannot be written.
    pub fn end(mut self) -> io::Result<()> {
        if self.wanted.is_some() {
            self.settle()?;
        }
        self.out.flush()
    }

    fn keep(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while let Some(wanted) = self.wanted {
            let Some(end) = memchr::memchr(b'\n', bytes) else { break };
            let (line, rest) = bytes.split_at(end + 1);
            self.before.extend_from_slice(line);
            self.after.extend_from_slice(line);
            bytes = rest;
            self.wanted = Some(wanted - 1);
            if wanted == 1 {
                self.settle()?;
            }
        }
        self.before.extend_from_slice(bytes);
        self.after.extend_from_slice(bytes);
        if self.wanted.is_none() {
            self.write_off();
        }
        Ok(())
    }

    /// Writes the hunks of the change that is held.
    fn settle(&mut self) -> io::Result<()> {
        self.wanted = None;
        let (before, after) = (std::mem::take(&mut self.before), std::mem::take(&mut self.after));
        let old: Vec<&[u8]> = before.split_inclusive(|b| *b == b'\n').collect();
        let new: Vec<&[u8]> = after.split_inclusive(|b| *b == b'\n').collect();
        let ops = line_ops(&old, &new);
        for group in group_diff_ops(ops, CONTEXT) {
            if group.iter().any(|op| !matches!(op, DiffOp::Equal { .. })) {
                self.hunk(&old, &new, &group)?;
            }
        }
        (self.before, self.after) = (before, after);
        self.write_off();
        Ok(())
    }

    /// Forgets all but the last lines, which are alike before and after and may be context of the next change.
    fn write_off(&mut self) {
        let mut from = self.before.len();
        for _ in 0..=CONTEXT {
            from = memchr::memrchr(b'\n', &self.before[..from]).unwrap_or(0);
            if from == 0 {
                return;
            }
        }
        let (from, back) = (from + 1, self.before.len() - from - 1);
        self.old += memchr::memchr_iter(b'\n', &self.before[..from]).count();
        self.new += memchr::memchr_iter(b'\n', &self.after[..self.after.len() - back]).count();
        self.before.drain(..from);
        self.after.clone_from(&self.before);
    }

    fn hunk(&mut self, old: &[&[u8]], new: &[&[u8]], group: &[DiffOp]) -> io::Result<()> {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { return Ok(()) };
        if !self.begun {
            self.begun = true;
            writeln!(self.out, "--- {}\n+++ {}", self.name, self.name)?;
        }
        let range = |base: usize, start: usize, end: usize| match end - start {
            0 => format!("{},0", base + start),
            1 => format!("{}", base + start + 1),
            length => format!("{},{length}", base + start + 1),
        };
        writeln!(
            self.out,
            "@@ -{} +{} @@",
            range(self.old, first.old_range().start, last.old_range().end),
            range(self.new, first.new_range().start, last.new_range().end)
        )?;
        for op in group {
            if let DiffOp::Equal { .. } = op {
                self.lines(b' ', &old[op.old_range()])?;
            } else {
                self.lines(b'-', &old[op.old_range()])?;
                self.lines(b'+', &new[op.new_range()])?;
            }
        }
        Ok(())
    }

    fn lines(&mut self, sign: u8, lines: &[&[u8]]) -> io::Result<()> {
        for line in lines {
            self.out.write_all(&[sign])?;
            self.out.write_all(line)?;
            if !line.ends_with(b"\n") {
                self.out.write_all(b"\n\\ No newline at end of file\n")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(parts: &[Part]) -> String {
        let mut out = Vec::new();
        let mut hunks = Hunks::new(&mut out, "x.pgn".to_owned());
        parts.iter().for_each(|part| hunks.add(part).unwrap());
        hunks.end().unwrap();
        String::from_utf8(out).unwrap()
    }

    fn kept(text: &str) -> Part {
        Part::Kept(text.as_bytes().to_vec())
    }

    fn changed(before: &str, after: &str) -> Part {
        Part::Changed { before: before.as_bytes().to_vec(), after: after.as_bytes().to_vec() }
    }

    #[test]
    fn lines_are_counted_over_the_whole_file() {
        let parts = [kept("a\nb\n"), changed("c\n", "d\ne\n"), kept("f\n"), changed("g", "h")];
        assert_eq!(
            diff(&parts),
            "--- x.pgn\n+++ x.pgn\n@@ -1,5 +1,6 @@\n a\n b\n-c\n+d\n+e\n f\n-g\n\\ No newline at end of file\n\
             +h\n\\ No newline at end of file\n"
        );
    }

    #[test]
    fn a_line_that_runs_on_is_kept_together() {
        assert_eq!(
            diff(&[kept("a"), changed("b", "c"), kept("d\ne\n")]),
            "--- x.pgn\n+++ x.pgn\n@@ -1,2 +1,2 @@\n-abd\n+acd\n e\n"
        );
    }

    #[test]
    fn nothing_changed_is_no_diff() {
        assert_eq!(diff(&[kept("a\nb")]), "");
    }

    #[test]
    fn far_changes_have_hunks_of_their_own_with_whole_context() {
        let lines = |from: usize, to: usize| kept(&(from..to).map(|i| format!("{i}\n")).collect::<String>());
        let parts =
            [lines(0, 50), changed("x\n", "y\nz\n"), lines(51, 60), lines(60, 90), changed("v\n", "w\n")];
        assert_eq!(
            diff(&parts),
            "--- x.pgn\n+++ x.pgn\n@@ -48,7 +48,8 @@\n 47\n 48\n 49\n-x\n+y\n+z\n 51\n 52\n 53\n\
             @@ -88,4 +89,4 @@\n 87\n 88\n 89\n-v\n+w\n"
        );
    }
}

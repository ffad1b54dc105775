//! The unified diff of a mended file, hunk by hunk while it streams past.

use std::io::{self, Write};

use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

use super::mending::Part;

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// Writes the hunks of one file. Lines end with LF, as `patch` counts them.
pub struct Hunks<W> {
    out: W,
    name: String,
    begun: bool,
    /// Lines written off so far.
    old: usize,
    new: usize,
    /// What follows the last line end, and any change in it.
    before: Vec<u8>,
    after: Vec<u8>,
}

impl<W: Write> Hunks<W> {
    /// Begins a file of this name.
    pub fn new(out: W, name: String) -> Self {
        Hunks { out, name, begun: false, old: 0, new: 0, before: vec![], after: vec![] }
    }

    /// Takes the next part of the file.
    ///
    /// # Errors
    ///
    /// Where the diff cannot be written.
    pub fn add(&mut self, part: &Part) -> io::Result<()> {
        match part {
            Part::Kept(bytes) => {
                let (lines, rest) = bytes.split_at(memchr::memrchr(b'\n', bytes).map_or(0, |i| i + 1));
                if self.before.is_empty() && self.after.is_empty() {
                    let count = memchr::memchr_iter(b'\n', lines).count();
                    self.old += count;
                    self.new += count;
                } else {
                    self.both(lines);
                    self.settle(false)?;
                }
                self.both(rest);
                Ok(())
            }
            Part::Changed { before, after } => {
                self.before.extend_from_slice(before);
                self.after.extend_from_slice(after);
                self.settle(false)
            }
        }
    }

    /// Writes what is left; the file ends here.
    ///
    /// # Errors
    ///
    /// Where the diff cannot be written.
    pub fn end(mut self) -> io::Result<()> {
        self.settle(true)?;
        self.out.flush()
    }

    fn both(&mut self, bytes: &[u8]) {
        self.before.extend_from_slice(bytes);
        self.after.extend_from_slice(bytes);
    }

    /// Writes the hunks of what has been gathered, once both sides end with a whole line.
    fn settle(&mut self, last: bool) -> io::Result<()> {
        let whole = |bytes: &[u8]| bytes.last().is_none_or(|b| *b == b'\n');
        if !(last || whole(&self.before) && whole(&self.after)) {
            return Ok(());
        }
        let (before, after) = (std::mem::take(&mut self.before), std::mem::take(&mut self.after));
        let old: Vec<&[u8]> = before.split_inclusive(|b| *b == b'\n').collect();
        let new: Vec<&[u8]> = after.split_inclusive(|b| *b == b'\n').collect();
        let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
        for group in group_diff_ops(ops, CONTEXT) {
            if group.iter().any(|op| !matches!(op, DiffOp::Equal { .. })) {
                self.hunk(&old, &new, &group)?;
            }
        }
        self.old += old.len();
        self.new += new.len();
        Ok(())
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
            "--- x.pgn\n+++ x.pgn\n@@ -3 +3,2 @@\n-c\n+d\n+e\n@@ -5 +6 @@\n-g\n\\ No newline at end of file\n+h\n\
             \\ No newline at end of file\n"
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
}

//! `diff.txt`: a unified diff on bytes that `patch` turns the input into the repaired file with.

use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

/// Most lines that the file may have where that is possible at all.
const LINES: usize = 80;

/// The unified diff from `before` to `after`, behind the `heading` lines (each made a `#` line).
///
/// Works on bytes: any encoding and any line ends survive. Context lines, three to begin with, give way
/// where the file would have more than 80 lines, and then the heading goes into one line. Without a difference the heading alone is given, at least
/// four lines.
pub fn diff(before: &[u8], after: &[u8], heading: &[String]) -> Vec<u8> {
    let mut head = comments(heading);
    if before == after {
        for line in heading.len()..4 {
            head.extend_from_slice(if line == 0 { b"# nothing to change\n" } else { b"#\n" });
        }
        return head;
    }
    let (old, new) = (lines(before), lines(after));
    let ops = line_ops(&old, &new);
    let joined = [heading.join("; ")];
    let attempts = [(heading, 3), (heading, 2), (heading, 1), (heading, 0), (&joined[..], 0)];
    for (heading, radius) in attempts {
        head = comments(heading);
        hunks(&old, &new, &ops, radius, &mut head);
        if count_lines(&head) <= LINES {
            break;
        }
    }
    head
}

/// A changed stretch of more lines than this is given as one change.
const STRETCH: usize = 2000;

/// What makes the lines `new` of the lines `old`.
///
/// The least that does it, but for a stretch so long that finding the least takes time out of proportion.
pub fn line_ops(old: &[&[u8]], new: &[&[u8]]) -> Vec<DiffOp> {
    let alike = old.iter().zip(new).take_while(|(o, n)| o == n).count();
    let behind = old[alike..].iter().rev().zip(new[alike..].iter().rev()).take_while(|(o, n)| o == n).count();
    let (old_len, new_len) = (old.len() - alike - behind, new.len() - alike - behind);
    if old_len.max(new_len) <= STRETCH {
        return capture_diff_slices(Algorithm::Myers, old, new);
    }
    let equal = |old_index, new_index, len| DiffOp::Equal { old_index, new_index, len };
    let changed = DiffOp::Replace { old_index: alike, old_len, new_index: alike, new_len };
    let ops = [equal(0, 0, alike), changed, equal(alike + old_len, alike + new_len, behind)];
    ops.into_iter().filter(|op| !op.old_range().is_empty() || !op.new_range().is_empty()).collect()
}

/// Each line behind a `#`, as `patch` skips it.
fn comments(lines: &[String]) -> Vec<u8> {
    let mut out = Vec::new();
    for line in lines {
        out.extend_from_slice(b"# ");
        out.extend(line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().bytes());
        out.push(b'\n');
    }
    out
}

fn hunks(old: &[&[u8]], new: &[&[u8]], ops: &[DiffOp], radius: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(b"--- broken.pgn\n+++ fixed.pgn\n");
    for group in group_diff_ops(ops.to_vec(), radius) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let (o, n) =
            (first.old_range().start..last.old_range().end, first.new_range().start..last.new_range().end);
        let header = format!("@@ -{} +{} @@\n", range(o.start, o.len()), range(n.start, n.len()));
        out.extend_from_slice(header.as_bytes());
        for op in group {
            if let DiffOp::Equal { .. } = op {
                old[op.old_range()].iter().for_each(|l| line(b' ', l, out));
            } else {
                old[op.old_range()].iter().for_each(|l| line(b'-', l, out));
                new[op.new_range()].iter().for_each(|l| line(b'+', l, out));
            }
        }
    }
}

/// A hunk's range as `patch` reads it: first line from 1, or the line before an empty range.
fn range(start: usize, len: usize) -> String {
    match len {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        _ => format!("{},{len}", start + 1),
    }
}

fn line(sign: u8, text: &[u8], out: &mut Vec<u8>) {
    out.push(sign);
    out.extend_from_slice(text);
    if text.last() != Some(&b'\n') {
        out.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}

/// Lines with their line feed; a carriage return alone ends no line for `patch`.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|b| *b == b'\n').collect()
}

/// Lines as a person's editor counts them: LF, CR and CRLF each end one.
fn count_lines(text: &[u8]) -> usize {
    let feeds = text.iter().filter(|b| **b == b'\n').count();
    let returns = text.iter().filter(|b| **b == b'\r').count();
    let pairs = text.windows(2).filter(|w| w == b"\r\n").count();
    feeds + returns - pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::process::Command;

    fn patched(before: &[u8], patch: &[u8]) -> Vec<u8> {
        let dir = tempfile::tempdir().unwrap();
        let (file, diff) = (dir.path().join("x"), dir.path().join("diff.txt"));
        std::fs::write(&file, before).unwrap();
        std::fs::write(&diff, patch).unwrap();
        let run = Command::new("patch").args(["-s", "--binary"]).arg(&file).arg(&diff).output().unwrap();
        assert!(run.status.success(), "patch: {}", String::from_utf8_lossy(&run.stdout));
        std::fs::read(&file).unwrap()
    }

    fn heading() -> Vec<String> {
        vec!["pgn-audit: 1 edit".to_owned(), "ply 12, 6... written f6, fixed g6".to_owned()]
    }

    #[test]
    fn patch_applies_it_whatever_the_line_ends_and_the_encoding() {
        let cases: [(&[u8], &[u8]); 7] = [
            (b"a\nb\nc\n", b"a\nB\nc\n"),
            (b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n"),
            (b"a\rb\rc", b"a\rB\rc"),
            (b"a\nb", b"a\nb 1-0"),
            (b"a\nb", b"a\nb\n"),
            (b"[White \"M\xfcller\"]\n\n1. e4 1-0\n", b"[White \"M\xfcller\"]\n\n1. d4 1-0\n"),
            (b"\xff\xfe1\0.\0 \0e\x004\0\n\0", b"1. e4\n"),
        ];
        for (before, after) in cases {
            let patch = diff(before, after, &heading());
            assert_eq!(patched(before, &patch), after, "{}", String::from_utf8_lossy(&patch));
            assert!(count_lines(&patch) >= 4);
        }
    }

    #[test]
    fn nothing_to_change_is_said_in_four_lines() {
        let text = diff(b"a\n", b"a\n", &["pgn-audit: nothing to change".to_owned()]);
        assert_eq!(count_lines(&text), 4);
        assert!(text.split(|b| *b == b'\n').filter(|l| !l.is_empty()).all(|l| l[0] == b'#'));
    }

    #[test]
    fn context_gives_way_before_eighty_lines_are_passed() {
        let old: Vec<String> = (0..200).map(|i| format!("line {i}\n")).collect();
        let mut new = old.clone();
        for i in (5..200).step_by(10) {
            new[i] = format!("other {i}\n");
        }
        let (old, new) = (old.concat(), new.concat());
        let text = diff(old.as_bytes(), new.as_bytes(), &heading());
        assert!(count_lines(&text) <= 80, "{}", count_lines(&text));
        assert_eq!(patched(old.as_bytes(), &text), new.as_bytes());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn any_two_texts(before in "[ab\r\n]{0,30}", after in "[ab\r\n]{0,30}") {
            prop_assume!(!before.is_empty() && !after.is_empty());
            let text = diff(before.as_bytes(), after.as_bytes(), &heading());
            if before != after {
                prop_assert_eq!(patched(before.as_bytes(), &text), after.as_bytes());
            }
        }
    }
}

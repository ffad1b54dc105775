//! Sentences broken where a terminal of 80 columns ends.

/// Columns of a terminal.
const COLUMNS: usize = 80;

/// The text, broken between words where a line would pass 80 columns; lines after the first are indented by so
/// many spaces. Colours take no room; a word longer than a line stays whole.
pub fn wrapped(text: &str, indent: usize) -> String {
    let mut out = String::with_capacity(text.len() + indent + 1);
    let mut column = 0;
    // Spaces are held back until the word after them is known to fit.
    let mut spaces = 0;
    for word in text.split(' ') {
        let width = columns(word);
        if column > indent && column + spaces + width > COLUMNS {
            out.push('\n');
            (column, spaces) = (0, indent);
        }
        if width > 0 {
            out.extend(std::iter::repeat_n(' ', spaces));
            column += spaces + width;
            spaces = 0;
        }
        out.push_str(word);
        spaces += 1;
    }
    out
}

/// Columns that a word takes, escape codes for colours left aside.
fn columns(word: &str) -> usize {
    let mut columns = 0;
    let mut in_code = false;
    for c in word.chars() {
        match c {
            '\u{1b}' => in_code = true,
            'm' if in_code => in_code = false,
            _ if in_code => {}
            _ => columns += 1,
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stays_as_it_is() {
        let line = format!("  29. Nb3    from {}", "x".repeat(62));
        assert_eq!(columns(&line), 80);
        assert_eq!(wrapped(&line, 8), line);
        assert_eq!(wrapped("", 8), "");
    }

    #[test]
    fn long_lines_break_between_words_and_colours_take_no_room() {
        let long = format!("\u{1b}[1mResult\u{1b}[0m: {}", "word ".repeat(40).trim_end());
        let broken = wrapped(&long, 8);
        let lines: Vec<&str> = broken.lines().collect();
        assert_eq!(lines.len(), 3, "{broken}");
        assert!(lines.iter().all(|l| columns(l) <= 80 && columns(l) > 50), "{broken}");
        assert!(lines[1..].iter().all(|l| l.starts_with("        word")), "{broken}");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&broken), words(&long));
    }

    #[test]
    fn a_word_longer_than_a_line_stays_whole() {
        let path = "p".repeat(100);
        assert_eq!(wrapped(&format!("found {path} (1)"), 2), format!("found\n  {path}\n  (1)"));
    }
}

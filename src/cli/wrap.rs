//! Sentences broken where a terminal of 80 columns ends.

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// Columns of a terminal.
const COLUMNS: usize = 80;

/// The text, broken between words where a line would pass 80 columns; lines after the first are indented by so
/// many spaces. Colours take no room; a word longer than a line stays whole, so that a path can be copied.
pub fn wrapped(text: &str, indent: usize) -> String {
    let indent = " ".repeat(indent);
    let options = Options::new(COLUMNS)
        .subsequent_indent(&indent)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    textwrap::fill(text, options)
}

#[cfg(test)]
mod tests {
    use textwrap::core::display_width as columns;

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

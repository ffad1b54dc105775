//! `file:line:column: error[PA101] reason`, one line a finding.

use std::io::Write;

use crate::{check::record::severity_word, examine::Examined, sheet::Source, visible::visible};

/// Adds the findings of a game.
pub fn game(out: &mut Vec<u8>, file: &str, source: &Source, game: &Examined) {
    for finding in &game.findings {
        let at = source.locate(finding.span.start);
        let line = writeln!(
            out,
            "{}:{}:{}: {}[{}] {}",
            visible(file),
            at.line,
            at.column,
            severity_word(finding.severity),
            finding.rule.code,
            visible(&finding.message),
        );
        line.expect("memory takes every write");
    }
}

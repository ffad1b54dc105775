//! Workflow commands of GitHub Actions: `::error file=...,line=...,col=...::message`.
//!
//! <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>

use std::io::Write;

use crate::{examine::Examined, finding::Severity, sheet::Source, visible::visible};

/// Adds the findings of a game.
pub fn game(out: &mut Vec<u8>, file: &str, source: &Source, game: &Examined) {
    for finding in &game.findings {
        let at = source.locate(finding.span.start);
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let line = writeln!(
            out,
            "::{command} file={},line={},col={},title={} {}::{}",
            property(&visible(file)),
            at.line,
            at.column,
            finding.rule.code,
            property(finding.rule.name),
            data(&visible(&finding.message)),
        );
        line.expect("memory takes every write");
    }
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

//! Every rule finds its fixture, and what it changes there converges to a text without it.

use std::fmt::Write;

use pgn_audit::{
    finding::{Finding, TextEdit},
    fix, replay,
    rules::{self, Rule},
    sheet::{Encoding, Source, game::games},
};

fn fixture(rule: &Rule) -> Vec<u8> {
    let path = format!("{}/fixtures/rules/{}-{}.pgn", env!("CARGO_MANIFEST_DIR"), rule.code, rule.name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn findings(source: &Source) -> Vec<Finding> {
    let mut all = Vec::new();
    for game in games(source) {
        let replay = replay::replay(source, &game);
        all.extend(game.findings.clone());
        all.extend(replay.findings);
    }
    all.sort_by_key(|f| (f.span.start, f.rule.code));
    all
}

fn edits(findings: &[Finding]) -> Vec<TextEdit> {
    let mut edits: Vec<TextEdit> = findings.iter().flat_map(|f| f.fix.clone()).collect();
    edits.sort_by_key(|e| (e.span.start, e.span.end));
    assert!(edits.windows(2).all(|w| w[0].span.end <= w[1].span.start), "changes overlap: {edits:?}");
    edits
}

/// The line of the finding with a caret under it, control characters made visible.
fn shown(source: &Source, finding: &Finding) -> String {
    let at = source.locate(finding.span.start);
    let line = source.decode(source.line_at(finding.span.start)).replace(|c: char| c.is_control(), "\u{b7}");
    let blank = " ".repeat(at.column.saturating_sub(1));
    format!(
        "{line}\n{blank}^ {:?} {} {}: {}",
        finding.severity, finding.rule.code, finding.rule.name, finding.message
    )
}

/// Rules that no small file breaks: an oversized game is shown in `bounds`, a fault of the program where it is caught.
const WITHOUT_FIXTURE: [&str; 2] = ["PA409", "PA701"];

#[test]
fn each_rule_finds_its_fixture_and_its_changes_converge() {
    for rule in rules::all().iter().filter(|rule| !WITHOUT_FIXTURE.contains(&rule.code)) {
        let source = Source::read(fixture(rule));
        let found = findings(&source);
        assert!(
            found.iter().any(|f| f.rule.code == rule.code),
            "{} does not find its fixture: {found:?}",
            rule.code
        );
        let mut out = String::new();
        for finding in &found {
            let _ = writeln!(out, "{}", shown(&source, finding));
        }
        // Changes are spliced in until there are none: twice is enough, the second time where one hid another.
        let (mut text, mut rounds) = (source.text.clone(), 0);
        loop {
            let now = Source::part(
                text.clone(),
                if source.encoding == Encoding::Windows1252 { source.encoding } else { Encoding::Utf8 },
                source.origin,
            );
            let changes = edits(&findings(&now));
            if changes.is_empty() {
                break;
            }
            rounds += 1;
            assert!(rounds <= 2, "{}: the changes do not converge: {changes:?}", rule.code);
            let spliced = fix::splice(&text, &changes);
            assert_untouched(&text, &spliced, &changes);
            text = spliced;
        }
        let after = Source::read(text.clone());
        let has_fix = found.iter().any(|f| f.rule.code == rule.code && !f.fix.is_empty());
        if has_fix {
            let left: Vec<_> = findings(&after)
                .into_iter()
                .filter(|f| f.rule.code == rule.code && !f.fix.is_empty())
                .collect();
            assert!(left.is_empty(), "{} is still found after its change: {left:?}", rule.code);
        }
        let lossy = after.decode(pgn_audit::sheet::Span::new(0, after.text.len())).into_owned();
        if rounds > 0 {
            let _ = write!(out, "---\n{}", lossy.replace('\r', "\u{240d}"));
        }
        insta::assert_snapshot!(format!("{}-{}", rule.code, rule.name), out);
    }
}

/// Every byte outside the changes stands in the new text, in its order.
fn assert_untouched(before: &[u8], after: &[u8], changes: &[TextEdit]) {
    let (mut old, mut new) = (0, 0);
    for change in changes {
        let kept = change.span.start - old;
        assert_eq!(before[old..change.span.start], after[new..new + kept]);
        new += kept;
        assert_eq!(change.text[..], after[new..new + change.text.len()]);
        new += change.text.len();
        old = change.span.end;
    }
    assert_eq!(before[old..], after[new..]);
}

#[test]
fn the_page_of_all_rules_is_up_to_date() {
    let path = format!("{}/docs/rules.md", env!("CARGO_MANIFEST_DIR"));
    let page = rules::page();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &page).expect("docs/rules.md can be written");
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == page, "docs/rules.md is out of date: run the tests with BLESS=1");
}

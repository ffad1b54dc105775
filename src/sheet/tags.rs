//! Tag pairs read from their tokens, however broken.

use super::{Source, Span, Tag, lexer::tag_value, outcome};
use crate::{
    finding::{Finding, TextEdit},
    rules,
};

/// Reads the tag under `span`, with what is wrong with its spelling.
pub(super) fn read(source: &Source, span: Span) -> Option<(Tag, Option<Finding>)> {
    let text = &source.text;
    let head = super::cut::head_line(text, span.start)?;
    let name = source.decode(Span::new(head.name.start, head.name.end)).into_owned();
    let found = tag_value(&text[..], span.start)?;
    let value_span = Span::new(found.value.start, found.value.end.max(found.value.start));
    let raw = source.decode(value_span);
    let value = if found.quoted { unescape(&raw) } else { unquote(raw.trim()).to_string() };
    let bracket = text[..span.end].last() == Some(&b']') && span.end > found.value.end;
    let over_lines = source.bytes(value_span).iter().any(|b| matches!(b, b'\n' | b'\r'));
    let finding = if !bracket || !found.quoted || !found.closed || over_lines {
        let what = match (bracket, found.quoted && found.closed) {
            (true, true) => "its value runs over the end of the line",
            (false, true) => "its closing bracket is missing",
            (true, _) => "its value is not in quotes",
            (false, false) => "quotes and bracket are incomplete",
        };
        let meant = if name == "Result" { outcome::parse(&value).filter(|v| *v != "0-0") } else { None };
        let rewritten = source.encode(&format!("[{name} \"{}\"]", escape(meant.unwrap_or(&value))));
        let fix = vec![TextEdit { span, text: rewritten }];
        Some(Finding { fix, ..Finding::new(&rules::BROKEN_TAG, span, format!("tag {name}: {what}")) })
    } else if has_bare_quote(source.bytes(value_span)) {
        let rewritten = source.encode(&escape_bare(&raw));
        let fix = vec![TextEdit { span: value_span, text: rewritten }];
        Some(Finding {
            fix,
            ..Finding::new(
                &rules::UNESCAPED_QUOTE,
                value_span,
                format!("tag {name}: a quote in its value lacks the backslash"),
            )
        })
    } else {
        None
    };
    Some((Tag { name, value, span, value_span }, finding))
}

/// Findings on the tags together: doubles, and a result in another spelling.
pub(super) fn check(source: &Source, tags: &[Tag], findings: &mut Vec<Finding>) {
    let mut seen: Vec<&Tag> = Vec::new();
    for tag in tags {
        if let Some(first) = seen.iter().find(|t| t.name == tag.name) {
            let message = if first.value == tag.value {
                format!("tag {} stands twice", tag.name)
            } else {
                format!("tag {} stands twice: {:?} and {:?}", tag.name, first.value, tag.value)
            };
            findings.push(Finding::new(&rules::DUPLICATE_TAG, tag.span, message));
        } else if seen.len() < 256 {
            seen.push(tag);
        }
    }
    for tag in tags.iter().filter(|t| t.name == "Result") {
        if !outcome::is_standard(&tag.value)
            && let Some(means) = outcome::parse(&tag.value)
        {
            let text = source.encode(if means == "0-0" { "*" } else { means });
            let rewritten =
                findings.iter().any(|f| f.rule.code == rules::BROKEN_TAG.code && f.span == tag.span);
            let fix = if rewritten { Vec::new() } else { vec![TextEdit { span: tag.value_span, text }] };
            let message = format!("Result {:?} is read as {means}", tag.value);
            findings
                .push(Finding { fix, ..Finding::new(&rules::RESULT_TAG_SPELLING, tag.value_span, message) });
        }
    }
}

/// Without the single quotes that some put for double ones.
fn unquote(value: &str) -> &str {
    value.strip_prefix('\'').and_then(|v| v.strip_suffix('\'')).unwrap_or(value)
}

fn unescape(raw: &str) -> String {
    let (mut out, mut chars) = (String::with_capacity(raw.len()), raw.chars().peekable());
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('"' | '\\')) => out.extend(chars.next()),
            ('\r' | '\n', _) => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            _ => out.push(c),
        }
    }
    out
}

/// A tag value with its quotes and backslashes escaped.
fn escape(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"")
}

fn has_bare_quote(raw: &[u8]) -> bool {
    let mut escaped = false;
    for b in raw {
        match b {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return true,
            _ => {}
        }
    }
    false
}

fn escape_bare(raw: &str) -> String {
    let (mut out, mut escaped) = (String::with_capacity(raw.len() + 4), false);
    for c in raw.chars() {
        if c == '"' && !escaped {
            out.push('\\');
        }
        escaped = c == '\\' && !escaped;
        out.push(c);
    }
    out
}

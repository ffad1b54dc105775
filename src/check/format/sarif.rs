//! SARIF 2.1.0, for code scanning services.
//!
//! <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>

use serde_json::{Value, json};

use crate::{
    examine::Examined,
    finding::{Finding, Severity},
    rules::{self, Rule},
    sheet::{Encoding, Source},
    visible::harmless_json,
};

/// The document up to its first result.
pub fn head() -> Vec<u8> {
    let rules = serde_json::to_string(&rules::all().iter().map(|rule| descriptor(rule)).collect::<Vec<_>>());
    format!(
        concat!(
            r#"{{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","#,
            r#""runs":[{{"tool":{{"driver":{{"name":"pgn-audit","version":"{}","#,
            r#""semanticVersion":"{}","rules":{}}}}},"columnKind":"unicodeCodePoints","results":["#,
            "\n"
        ),
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_VERSION"),
        rules.expect("no key is anything but a string"),
    )
    .into_bytes()
}

/// The document behind its last result.
pub fn foot() -> Vec<u8> {
    b"\n]}]}\n".to_vec()
}

/// Adds the findings of a game, with a comma between each two.
pub fn game(out: &mut Vec<u8>, file: &str, source: &Source, game: &Examined) {
    for finding in &game.findings {
        if !out.is_empty() {
            out.extend_from_slice(b",\n");
        }
        let json =
            serde_json::to_vec(&result(file, source, finding)).expect("no key is anything but a string");
        out.extend(harmless_json(json));
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn descriptor(rule: &Rule) -> Value {
    json!({
        "id": rule.code,
        "name": rule.name,
        "shortDescription": { "text": rule.what },
        "fullDescription": { "text": rule.why },
        "help": { "text": format!("Before:\n{}\nAfter:\n{}", rule.before, rule.after) },
        "defaultConfiguration": { "level": level(rule.severity) },
    })
}

fn result(file: &str, source: &Source, finding: &Finding) -> Value {
    let (from, to) = (source.locate(finding.span.start), source.locate(finding.span.end));
    let artifact = json!({ "uri": uri(file) });
    let mut region = json!({
        "startLine": from.line,
        "startColumn": from.column,
        "endLine": to.line,
        "endColumn": to.column,
    });
    // Bytes are counted in the UTF-8 text, which is not what stands in a file in UTF-16.
    let bytes_of_file = !matches!(source.encoding, Encoding::Utf16Le | Encoding::Utf16Be);
    if bytes_of_file {
        region["byteOffset"] = json!(source.origin.offset + finding.span.start);
        region["byteLength"] = json!(finding.span.len());
    }
    let mut result = json!({
        "ruleId": finding.rule.code,
        "level": level(finding.severity),
        "message": { "text": finding.message },
        "locations": [{ "physicalLocation": {
            "artifactLocation": artifact,
            "region": region,
        } }],
    });
    if let Some(index) = rules::all().iter().position(|rule| rule.code == finding.rule.code) {
        result["ruleIndex"] = json!(index);
    }
    if bytes_of_file && !finding.fix.is_empty() {
        let replacements: Vec<Value> = finding
            .fix
            .iter()
            .map(|edit| {
                json!({
                    "deletedRegion": {
                        "byteOffset": source.origin.offset + edit.span.start,
                        "byteLength": edit.span.len(),
                    },
                    "insertedContent": { "text": String::from_utf8_lossy(&edit.text) },
                })
            })
            .collect();
        result["fixes"] = json!([{
            "description": { "text": finding.rule.what },
            "artifactChanges": [{ "artifactLocation": artifact, "replacements": replacements }],
        }]);
    }
    result
}

/// A file's name as a URI reference: everything but unreserved characters and `/` escaped (RFC 3986).
fn uri(file: &str) -> String {
    let file = file.strip_prefix("./").unwrap_or(file);
    let mut uri = if file.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in file.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn names_become_uris() {
        assert_eq!(uri("./a b/ü.pgn"), "a%20b/%C3%BC.pgn");
        assert_eq!(uri("/tmp/x.pgn"), "file:///tmp/x.pgn");
    }
}

//! The `doctor` command: which outside programs were found, where, which version, and what to install.

use std::fmt::Write;

use clap::Args;

use super::{Status, wrap::wrapped};
use crate::{
    engine::locate::{DEFAULT, locate, probe},
    evidence::{find_program, xboard_version},
    visible::visible,
};

/// The `doctor` command: which outside programs were found.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Look at this engine too, by name or path.
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,
}

/// One outside program as it was found.
struct Finding {
    name: String,
    /// Where it is, and which version.
    found: Result<String, String>,
    /// What it is for.
    purpose: &'static str,
    /// Debian's package.
    package: Option<&'static str>,
    /// Whether the audit is poorer without it.
    wanted: bool,
}

/// Runs it: 0 where everything that an audit uses is there and works, else 2.
pub fn run(args: &DoctorArgs) -> Status {
    let mut findings = vec![
        engine(DEFAULT, "evaluates the positions", Some("gnuchess"), true),
        xboard(),
        program("Xvfb", "the screen that XBoard is shown on", "xvfb"),
    ];
    match &args.engine {
        Some(name) => findings.push(engine(name, "the engine that was named", None, true)),
        None => {
            findings.push(engine("stockfish", "another engine: --engine stockfish", Some("stockfish"), false))
        }
    }
    let printed = super::print(render(&findings).as_bytes());
    let lacking = findings.iter().any(|f| f.wanted && f.found.is_err());
    if printed == Status::Clean && lacking { Status::Failed } else { printed }
}

fn engine(name: &str, purpose: &'static str, package: Option<&'static str>, wanted: bool) -> Finding {
    let found = locate(name).map_err(|e| e.to_string()).and_then(|located| {
        let identity = probe(&located).map_err(|e| format!("{}, but {e}", located.program.display()))?;
        Ok(format!("{} ({} {})", located.program.display(), identity.name, identity.version))
    });
    Finding { name: name.to_owned(), found, purpose, package, wanted }
}

fn xboard() -> Finding {
    let found = find_program("xboard").ok_or_else(|| "not found on PATH or in /usr/games".to_owned());
    let found = found.and_then(|path| match xboard_version(&path) {
        Some(version) => Ok(format!("{} ({version})", path.display())),
        None => Err(format!("{}, but it does not tell its version", path.display())),
    });
    Finding {
        name: "xboard".to_owned(),
        found,
        purpose: "the pictures; without it they are drawn",
        package: Some("xboard"),
        wanted: true,
    }
}

fn program(name: &'static str, purpose: &'static str, package: &'static str) -> Finding {
    let found = find_program(name).map(|path| path.display().to_string());
    let found = found.ok_or_else(|| "not found on PATH or in /usr/games".to_owned());
    Finding { name: name.to_owned(), found, purpose, package: Some(package), wanted: true }
}

fn render(findings: &[Finding]) -> String {
    let mut out = String::new();
    for finding in findings {
        let (mark, text) = match &finding.found {
            Ok(text) => ("found  ", text),
            Err(text) => (if finding.wanted { "MISSING" } else { "absent " }, text),
        };
        let line = format!("{mark}  {:<10} {text}: {}", finding.name, finding.purpose);
        let _ = writeln!(out, "{}", wrapped(&visible(&line), 20));
    }
    let packages: Vec<&str> =
        findings.iter().filter(|f| f.wanted && f.found.is_err()).filter_map(|f| f.package).collect();
    if packages.is_empty() {
        out.push_str("Everything that an audit uses is there.\n");
    } else {
        let _ = writeln!(out, "To install what is missing: apt-get install {}", packages.join(" "));
    }
    out
}

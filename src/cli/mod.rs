//! Arguments, terminal rendering, progress, completions and the man page; knows nothing of engines and search.

pub mod audit;
pub mod cache;
pub mod check;
pub mod doctor;
pub mod explain;
pub mod fix;
pub mod generate;
mod guard;
mod list;
mod place;
mod progress;
mod sentence;
mod source;
mod terminal;
mod wrap;

use std::{
    ffi::OsString,
    io::{self, Write},
    process::ExitCode,
    sync::Arc,
};

use clap::{ColorChoice, Parser, Subcommand};

use crate::visible::visible;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The job was done; for `check`: nothing found.
    Clean,
    /// `check` or `--strict` found faults.
    Faults,
    /// The job could not be done.
    Failed,
    /// Ctrl-C or SIGTERM.
    Interrupted,
}

impl Status {
    /// What the system is told.
    pub fn code(self) -> u8 {
        match self {
            Status::Clean => 0,
            Status::Faults => 1,
            Status::Failed => 2,
            Status::Interrupted => 130,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.code())
    }
}

/// Finds what is wrong with a hand-transcribed chess score, repairs it and proves it.
#[derive(Debug, Parser)]
#[command(
    name = "pgn-audit",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub struct Cli {
    /// What to do, where it is not an audit.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The audit's own arguments.
    #[command(flatten)]
    pub audit: audit::AuditArgs,
    /// When to use colours.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
}

/// The commands beside the audit.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check any number of scores, without an engine.
    Check(check::CheckArgs),
    /// Write the repaired text alone.
    Fix(fix::FixArgs),
    /// Explain a rule.
    Explain(explain::ExplainArgs),
    /// Say which outside programs were found.
    Doctor(doctor::DoctorArgs),
    /// Look after the engine's stored evaluations.
    Cache(cache::CacheArgs),
    /// Print shell completions or the man page.
    Generate(generate::GenerateArgs),
}

/// Runs the program on its arguments (the program's name first).
pub fn main(args: impl IntoIterator<Item = OsString>) -> Status {
    // A signal that is listened for does not end us: a write beyond the limit then fails, and is told as any failure.
    // Without it that limit still holds.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    quiet_panics();
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(e) => {
            let status = if e.use_stderr() { Status::Failed } else { Status::Clean };
            let _ = e.print(); // nobody is left to be told
            return status;
        }
    };
    match &cli.command {
        None => audit::run(&cli.audit, cli.color),
        Some(Command::Check(a)) => check::run(a, cli.color),
        Some(Command::Fix(a)) => fix::run(a),
        Some(Command::Explain(a)) => explain::run(a),
        Some(Command::Doctor(a)) => doctor::run(a),
        Some(Command::Cache(a)) => cache::run(a),
        Some(Command::Generate(a)) => generate::run(a),
    }
}

/// Has a panic told in one line on standard error, unless a backtrace is asked for: it is a finding of its game besides.
fn quiet_panics() {
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
        return;
    }
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        say(&format!("internal error{place}"));
    }));
}

/// Writes bytes to standard output; a reader that has gone away is no failure.
pub(crate) fn print(bytes: &[u8]) -> Status {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Status::Clean,
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Status::Clean,
        Err(e) => failed(&anyhow::Error::new(e).context("cannot write to standard output")),
    }
}

/// Says on standard error, in one line, why the job could not be done.
pub(crate) fn failed(error: &anyhow::Error) -> Status {
    say(&sentence::of_error(error));
    Status::Failed
}

/// Says on standard error, in one line, what a person should know.
pub(crate) fn warn(text: &str) {
    say(&format!("warning: {text}"));
}

fn say(text: &str) {
    let _ = writeln!(io::stderr(), "pgn-audit: {}", visible(text)); // nobody is left to be told
}

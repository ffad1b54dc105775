//! The audit of one file: `pgn-audit broken.pgn --out results/`.

use clap::Args;

use super::Status;

/// The audit of one file: `pgn-audit broken.pgn --out results/`.
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// The score to audit, `-` for standard input.
    #[arg(value_name = "PGN", required = true)]
    pub input: Option<std::path::PathBuf>,
}

/// Runs it.
pub fn run(_args: &AuditArgs) -> Status {
    Status::Failed
}

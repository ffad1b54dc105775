//! The `generate` command: shell completions and the man page.

use clap::Args;

use super::Status;

/// The `generate` command: shell completions and the man page.
#[derive(Debug, Args)]
pub struct GenerateArgs {}

/// Runs it.
pub fn run(_args: &GenerateArgs) -> Status {
    Status::Failed
}

//! The `explain` command: the documentation of one rule.

use clap::Args;

use super::Status;

/// The `explain` command: the documentation of one rule.
#[derive(Debug, Args)]
pub struct ExplainArgs {}

/// Runs it.
pub fn run(_args: &ExplainArgs) -> Status {
    Status::Failed
}

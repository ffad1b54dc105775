//! The `cache` command: looks after the stored evaluations.

use clap::Args;

use super::Status;

/// The `cache` command: looks after the stored evaluations.
#[derive(Debug, Args)]
pub struct CacheArgs {}

/// Runs it.
pub fn run(_args: &CacheArgs) -> Status {
    Status::Failed
}

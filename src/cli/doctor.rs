//! The `doctor` command: which outside programs are there.

use clap::Args;

use super::Status;

/// The `doctor` command: which outside programs are there.
#[derive(Debug, Args)]
pub struct DoctorArgs {}

/// Runs it.
pub fn run(_args: &DoctorArgs) -> Status {
    Status::Failed
}

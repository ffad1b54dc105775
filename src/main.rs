//! Arguments in, exit status out.

use std::process::ExitCode;

fn main() -> ExitCode {
    pgn_audit::cli::main(std::env::args_os()).into()
}

//! The `generate` command: shell completions and the man page, from the same definitions as `--help`.

use clap::{Args, CommandFactory, ValueEnum};
use clap_complete::Shell;

use super::{Cli, Status, failed};

/// The `generate` command: shell completions and the man page.
#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// What to print.
    pub what: Page,
    /// The man page of this command instead of the program's.
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

/// What can be generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Page {
    /// The man page, in roff.
    Man,
    /// Completions for bash.
    Bash,
    /// Completions for zsh.
    Zsh,
    /// Completions for fish.
    Fish,
    /// Completions for elvish.
    Elvish,
    /// Completions for PowerShell.
    Powershell,
}

/// Runs it.
pub fn run(args: &GenerateArgs) -> Status {
    let mut bytes = Vec::new();
    let shell = match args.what {
        Page::Man => match man(args.command.as_deref()) {
            Ok(page) => return super::print(&page),
            Err(e) => return failed(&e),
        },
        Page::Bash => Shell::Bash,
        Page::Zsh => Shell::Zsh,
        Page::Fish => Shell::Fish,
        Page::Elvish => Shell::Elvish,
        Page::Powershell => Shell::PowerShell,
    };
    clap_complete::generate(shell, &mut Cli::command(), "pgn-audit", &mut bytes);
    super::print(&bytes)
}

/// The man page of the program or of one of its commands.
fn man(command: Option<&str>) -> anyhow::Result<Vec<u8>> {
    let mut program = Cli::command();
    program.build();
    let page = match command {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name);
            let found = found.ok_or_else(|| anyhow::anyhow!("there is no command {name:?}"))?.clone();
            found.bin_name(format!("pgn-audit {name}"))
        }
    };
    let mut bytes = Vec::new();
    clap_mangen::Man::new(page).render(&mut bytes)?;
    Ok(bytes)
}

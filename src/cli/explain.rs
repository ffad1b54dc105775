//! The `explain` command: the documentation of one rule, or the list of all.

use std::fmt::Write;

use clap::Args;

use super::{Status, failed};
use crate::{
    check::record::severity_word,
    rules::{self, Rule},
};

/// The `explain` command: the documentation of one rule, or the list of all.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// Code or name of the rule (`PA101`, `illegal-move`); all rules are listed where none is given.
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

/// Runs it.
pub fn run(args: &ExplainArgs) -> Status {
    let Some(wanted) = &args.code else {
        let list: String =
            rules::all().iter().map(|r| format!("{}  {:<28} {}\n", r.code, r.name, r.what)).collect();
        return super::print(list.as_bytes());
    };
    let fits =
        |rule: &&&Rule| rule.code.eq_ignore_ascii_case(wanted) || rule.name.eq_ignore_ascii_case(wanted);
    match rules::all().iter().find(fits) {
        Some(rule) => super::print(page(rule).as_bytes()),
        None => failed(&anyhow::anyhow!("there is no rule {wanted:?}; `pgn-audit explain` lists them all")),
    }
}

fn page(rule: &Rule) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{} {} ({})\n", rule.code, rule.name, severity_word(rule.severity));
    let _ = writeln!(out, "{}\n{}\n", rule.what, rule.why);
    let indented = |text: &str| text.lines().map(|l| format!("    {l}\n")).collect::<String>();
    let _ = writeln!(out, "Before:\n{}\nAfter:\n{}", indented(rule.before), indented(rule.after));
    out
}

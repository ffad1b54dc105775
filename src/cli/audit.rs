//! The audit of one file: `pgn-audit broken.pgn --out results/`.

use std::{
    io::{self, IsTerminal, Read},
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use anyhow::Context;
use clap::{Args, ValueEnum};

use super::{Status, failed, progress::Progress, source::SourceName, terminal};
use crate::{
    audit::{self, AuditError, Audited, EngineChoice, Options, Output},
    engine::{EngineError, cache, plan},
    input::{
        Input,
        open::{self, Packing},
    },
    judge::{self, ResultMode},
    report::{self, Folder, FolderError, Missing, TopReport},
};

/// The audit of one file: `pgn-audit broken.pgn --out results/`.
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// The score to audit, `-` for standard input; .gz, .zst and .bz2 are unpacked on the way.
    #[arg(value_name = "PGN", required = true)]
    pub input: Option<PathBuf>,
    /// Folder for the results; without it the audit only prints.
    #[arg(short, long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Only the game with this number, straight into the folder.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub game: Option<u32>,
    /// UCI engine by name or path, or `builtin`; GNU Chess where none is named.
    #[arg(long, value_name = "ENGINE", conflicts_with = "no_engine")]
    pub engine: Option<String>,
    /// Ask no engine.
    #[arg(long)]
    pub no_engine: bool,
    /// Depth of the first search of each position, in plies; each engine has its own default.
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=40))]
    pub depth: Option<u32>,
    /// Engines at work at once; 0 means one a core.
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    /// Do not use or keep evaluations on disk.
    #[arg(long)]
    pub no_cache: bool,
    /// Centipawns from which a side counts as winning.
    #[arg(long, value_name = "CP", default_value_t = judge::WIN, value_parser = clap::value_parser!(i32).range(1..=10_000))]
    pub win_threshold: i32,
    /// Who decides the result where the board does not.
    #[arg(long, value_name = "WHO", default_value = "tag")]
    pub result: Who,
    /// Closing moves that are searched again, deeper.
    #[arg(long, value_name = "N", default_value_t = plan::CLOSING as u32, value_parser = clap::value_parser!(u32).range(3..=1000))]
    pub closing: u32,
    /// How the score came to be.
    #[arg(long, value_name = "SOURCE", default_value = "auto")]
    pub source: SourceName,
    /// Make no pictures.
    #[arg(long)]
    pub no_pictures: bool,
    /// Exit with 1 where faults were found.
    #[arg(long)]
    pub strict: bool,
    /// What to print.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// No progress, and no report in words; warnings, errors and JSON asked for are printed.
    #[arg(short, long)]
    pub quiet: bool,
    /// Print the notes of style and the runners-up too.
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
}

/// Who decides the result where the board does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Who {
    /// A valid tag stands.
    Tag,
    /// The engine decides, even against a valid tag.
    Engine,
    /// A valid tag is never touched, not even where the board says otherwise.
    Keep,
}

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// The report as JSON.
    Json,
}

/// Runs it.
pub fn run(args: &AuditArgs, color: clap::ColorChoice) -> Status {
    match audit(args, color) {
        Ok(status) => status,
        Err(error) if interrupted(&error) => Status::Interrupted,
        Err(error) => failed(&error),
    }
}

/// Whether it was Ctrl-C or SIGTERM that ended the audit.
fn interrupted(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(AuditError::Interrupted))
        || matches!(error.downcast_ref(), Some(EngineError::Interrupted))
}

fn audit(args: &AuditArgs, color: clap::ColorChoice) -> anyhow::Result<Status> {
    let path = args.input.as_deref().unwrap_or(Path::new("-"));
    let (name, packing, bytes) = read(path)?;
    let interrupt = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, interrupt.clone()).context("cannot listen for Ctrl-C")?;
    }
    let input = Input::read(&name, packing, bytes).map_err(|e| anyhow::anyhow!("{} {e}", path.display()))?;
    let games = chosen(&input, args.game)?;
    let mut output = results(args, path, games.len())?;
    let choice = match (&args.engine, args.no_engine) {
        (_, true) => EngineChoice::None,
        (Some(name), false) => EngineChoice::Named(name.clone()),
        (None, false) => EngineChoice::Default,
    };
    let progress = Progress::new(!args.quiet && io::stderr().is_terminal());
    let cache = if args.no_cache { None } else { cache::default_folder() };
    let mut services = audit::open(&choice, args.threads, cache, interrupt)?;
    let options = Options {
        depth: args.depth,
        win_threshold: args.win_threshold,
        result: match args.result {
            Who::Tag => ResultMode::Tag,
            Who::Engine => ResultMode::Engine,
            Who::Keep => ResultMode::Keep,
        },
        closing: args.closing as usize,
        pictures: !args.no_pictures && args.out.is_some(),
        source: args.source.said(),
    };
    let audited = audit::run(&input, &games, &options, &mut services, &mut output, &|p| progress.show(p));
    progress.end();
    // Of no concern to the report, which is the same without a cache.
    if let Some(fault) = &services.cache_fault {
        super::warn(&format!("evaluations are not kept for the next run: {fault}"));
    }
    let audited = audited?;
    let top = output.finish(&audited)?;
    say(&audited);
    let printed = match args.format {
        Format::Json => super::print(&match (&top, &audited[..]) {
            (Some(top), _) => report::json(top),
            (None, [one]) => report::json(&one.report),
            (None, many) => report::json(&many.iter().map(|a| &a.report).collect::<Vec<_>>()),
        }),
        // JSON was asked for by name.
        Format::Text if args.quiet => Status::Clean,
        Format::Text => {
            terminal::print(&terminal::render(&input, &audited, output.place().as_ref(), args.verbose), color)
        }
    };
    Ok(match () {
        () if printed != Status::Clean => printed,
        () if audited.iter().any(|a| a.engine_failed) => Status::Failed,
        () if args.strict && audited.iter().any(|a| a.report.faults() > 0) => Status::Faults,
        () => Status::Clean,
    })
}

/// More than this, unpacked, is no game and no match, but may be a trap.
const LARGEST: u64 = 256 << 20;

/// The file's own name, how it is packed, and its bytes unpacked.
fn read(path: &Path) -> anyhow::Result<(String, Packing, Vec<u8>)> {
    let shown = if path == Path::new("-") { "standard input".into() } else { path.to_string_lossy() };
    let cannot = || format!("cannot read {shown}");
    let (packing, mut stream) = open::bytes(path).with_context(cannot)?;
    let mut bytes = Vec::new();
    stream.by_ref().take(LARGEST + 1).read_to_end(&mut bytes).with_context(cannot)?;
    if bytes.len() as u64 > LARGEST {
        let unpacked = if packing == Packing::Plain { "" } else { " unpacked" };
        anyhow::bail!("{shown} is larger than {} MiB{unpacked}; audit a part of it", LARGEST >> 20);
    }
    let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    Ok((name, packing, bytes))
}

/// The numbers (from 0) of the games to be audited.
fn chosen(input: &Input, game: Option<u32>) -> anyhow::Result<Vec<usize>> {
    let held = input.games.len();
    match game {
        None => Ok((0..held).collect()),
        Some(n) if n as usize <= held => Ok(vec![n as usize - 1]),
        Some(n) => anyhow::bail!(
            "there is no game {n}: {} holds {}",
            input.name,
            if held == 1 { "one game".to_owned() } else { format!("{held} games") }
        ),
    }
}

fn results(args: &AuditArgs, path: &Path, games: usize) -> anyhow::Result<Results> {
    let input = (path != Path::new("-")).then_some(path);
    let Some(root) = &args.out else { return Ok(Results::Nowhere) };
    let mut top = Folder::open(root, input)?;
    if games == 1 {
        return Ok(Results::One(root.clone(), top));
    }
    let names: Vec<String> = (1..=games).map(|n| game_folder(n, games)).collect();
    let folders = names.iter().map(|name| top.inside(name, input)).collect::<Result<Vec<_>, _>>()?;
    Ok(Results::Many { root: root.clone(), top, names, folders })
}

/// The folder of a match's game `number`, from 1: `001`.
pub fn game_folder(number: usize, games: usize) -> String {
    let digits = games.to_string().len().max(3);
    format!("{number:0digits$}")
}

/// Where the results go.
enum Results {
    /// Nothing is kept.
    Nowhere,
    /// One game straight into the folder.
    One(PathBuf, Folder),
    /// A folder for each game, and a report over them.
    Many { root: PathBuf, top: Folder, names: Vec<String>, folders: Vec<Folder> },
}

impl Output for Results {
    fn put(&mut self, game: usize, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        match self {
            Results::Nowhere => Ok(()),
            Results::One(_, folder) => folder.put(name, bytes),
            Results::Many { folders, .. } => folders[game].put(name, bytes),
        }
    }

    fn names(&self, game: usize) -> Vec<String> {
        match self {
            Results::Nowhere => Vec::new(),
            Results::One(_, folder) => folder.written().to_vec(),
            Results::Many { folders, .. } => folders[game].written().to_vec(),
        }
    }
}

impl Results {
    /// The folder that a person looks into.
    fn place(&self) -> Option<PathBuf> {
        match self {
            Results::Nowhere => None,
            Results::One(root, _) | Results::Many { root, .. } => Some(root.clone()),
        }
    }

    /// Writes the report over several games.
    fn finish(&mut self, audited: &[Audited]) -> anyhow::Result<Option<TopReport>> {
        let Results::Many { top, names, folders, .. } = self else { return Ok(None) };
        let mut report = TopReport {
            schema_version: report::SCHEMA_VERSION,
            input: report::Input { game: 0, ..audited[0].report.input.clone() },
            games: Vec::new(),
            warnings: Vec::new(),
            missing: Vec::new(),
            files: Vec::new(),
        };
        for (number, ((one, dir), folder)) in audited.iter().zip(names.iter()).zip(folders.iter()).enumerate()
        {
            report.games.push(one.row(number + 1, dir));
            for warning in &one.report.warnings {
                if !report.warnings.contains(warning) {
                    report.warnings.push(warning.clone());
                }
            }
            let inside = |m: &Missing| Missing { what: format!("{dir}/{}", m.what), ..m.clone() };
            report.missing.extend(one.report.missing.iter().map(inside));
            top.adopt(dir, folder.written());
        }
        report.files = top.written().to_vec();
        report.files.push("report.json".to_owned());
        top.put("report.json", &report::json(&report))?;
        Ok(Some(report))
    }
}

/// Warnings and what is missing, on standard error, each once.
fn say(audited: &[Audited]) {
    let mut said: Vec<String> = Vec::new();
    for one in audited {
        let news = one.report.missing.iter().filter(|m| !m.asked);
        let missing = news.map(|m| format!("{} is missing: {}", m.what, m.why));
        for line in one.report.warnings.iter().cloned().chain(missing) {
            if !said.contains(&line) {
                super::warn(&line);
                said.push(line);
            }
        }
    }
}

//! The `check` command: many scores, no engine.

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
    thread::available_parallelism,
};

use clap::{Args, ColorChoice, ValueEnum};

use super::{Status, sentence, source::SourceName};
use crate::{
    check::{
        format::{Format, Piece},
        record::SummaryRecord,
        run::Job,
        stream::{self, Feeder},
    },
    examine::Options,
    report::counted,
    visible::visible,
};

/// The `check` command: many scores, no engine.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The scores, `-` for standard input; .gz, .zst and .bz2 are unpacked on the way.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Look for the game that was really played where a score cannot be replayed.
    #[arg(long)]
    pub repair: bool,
    /// How the score came to be.
    #[arg(long, value_name = "SOURCE", default_value = "auto")]
    pub source: SourceName,
    /// How findings are written; full on a terminal, else concise.
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<FormatName>,
    /// Threads; by default one a core.
    #[arg(short = 'j', long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Exit with 1 for warnings too.
    #[arg(long)]
    pub strict: bool,
    /// No summary on standard error.
    #[arg(short, long)]
    pub quiet: bool,
}

/// The formats by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// The line of the score with a caret under the fault, the reason and the repair.
    Full,
    /// `file:line:column: error[PA101] reason`.
    Concise,
    /// One JSON object a game.
    Ndjson,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Format {
        match name {
            FormatName::Full => Format::Full,
            FormatName::Concise => Format::Concise,
            FormatName::Ndjson => Format::Ndjson,
            FormatName::Sarif => Format::Sarif,
            FormatName::Github => Format::Github,
        }
    }
}

/// More threads than this help nowhere.
pub const MOST_JOBS: usize = 256;

/// Threads to use where nobody says how many.
pub fn default_jobs() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// Runs it.
pub fn run(args: &CheckArgs, color: ColorChoice) -> Status {
    let stdout = io::stdout();
    let terminal = stdout.is_terminal();
    let format = args.format.map_or(if terminal { Format::Full } else { Format::Concise }, Format::from);
    let coloured = match color {
        ColorChoice::Auto => anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never,
        ColorChoice::Always => true,
        ColorChoice::Never => false,
    };
    let job = Job {
        options: Options { repair: args.repair, source: args.source.said(), ..Options::default() },
        format,
        coloured,
        thorough: false,
    };
    let names: Vec<String> = args.files.iter().map(|file| file.display().to_string()).collect();
    let mut report = Report::new(format, io::BufWriter::with_capacity(1 << 16, stdout));
    let jobs = args.jobs.unwrap_or_else(default_jobs).clamp(1, MOST_JOBS);
    let written = report.begin().and_then(|()| {
        let work = |batch: &stream::Batch| {
            let name = &names[batch.file];
            (job.run(name, batch), batch.last, batch.failure.as_ref().map(|e| sentence::of_io(name, e)), name)
        };
        stream::run(Feeder::new(args.files.clone()), jobs, work, |(answer, last, failure, name)| {
            report.add(&answer.piece, &answer.counts)?;
            if let Some(failure) = failure {
                report.fail(&failure);
            }
            if last {
                report.end_file(name);
            }
            Ok(())
        })
    });
    match written.and_then(|()| report.end()) {
        Ok(()) => {}
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => return Status::Clean,
        Err(e) => {
            complain(&sentence::of_io("cannot write the report", &e));
            return Status::Failed;
        }
    }
    let counts = &report.counts;
    if !args.quiet && matches!(format, Format::Full | Format::Concise) {
        complain(&summary(counts));
    }
    if counts.unread > 0 {
        Status::Failed
    } else if counts.errors > 0 || (args.strict && counts.warnings > 0) {
        Status::Faults
    } else {
        Status::Clean
    }
}

fn summary(counts: &SummaryRecord) -> String {
    if counts.games == 0 {
        return "nothing was checked".to_owned();
    }
    let found = if counts.errors + counts.warnings + counts.infos == 0 {
        "nothing wrong".to_owned()
    } else {
        let (errors, warnings) = (counted(counts.errors, "error"), counted(counts.warnings, "warning"));
        format!("{errors}, {warnings}, {}", counted(counts.infos, "remark"))
    };
    let plies = if counts.plies == 1 { "ply" } else { "plies" };
    let unread = match counts.unread {
        0 => String::new(),
        n => format!("; {} could not be checked", counted(n, "file")),
    };
    format!("{}, {} {plies}: {found}{unread}", counted(counts.games, "game"), counts.plies)
}

/// One line on standard error; where that is closed nobody is left to be told.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "pgn-audit: {}", visible(text));
}

/// Writes the pieces in their order.
struct Report<W> {
    format: Format,
    out: W,
    counts: SummaryRecord,
    games_in_file: usize,
    empty: bool,
    failed_file: bool,
}

impl<W: Write> Report<W> {
    fn new(format: Format, out: W) -> Self {
        let counts = SummaryRecord { r#type: "summary", ..SummaryRecord::default() };
        Report { format, out, counts, games_in_file: 0, empty: true, failed_file: false }
    }

    fn begin(&mut self) -> io::Result<()> {
        self.out.write_all(&self.format.head())
    }

    fn add(&mut self, piece: &Piece, counts: &SummaryRecord) -> io::Result<()> {
        if !piece.bytes.is_empty() {
            if !self.empty {
                self.out.write_all(self.format.between())?;
            }
            self.empty = false;
            let mut from = 0;
            for (i, &hole) in piece.holes.iter().enumerate() {
                self.out.write_all(&piece.bytes[from..hole])?;
                write!(self.out, "{}", self.games_in_file + i + 1)?;
                from = hole;
            }
            self.out.write_all(&piece.bytes[from..])?;
        }
        self.games_in_file += counts.games as usize;
        self.counts.add(counts);
        Ok(())
    }

    fn fail(&mut self, message: &str) {
        complain(message);
        self.counts.unread += u64::from(!self.failed_file);
        self.failed_file = true;
    }

    fn end_file(&mut self, name: &str) {
        self.counts.files += 1;
        if self.games_in_file == 0 && !self.failed_file {
            self.fail(&format!("{name}: no game in it"));
        }
        self.failed_file = false;
        self.games_in_file = 0;
    }

    fn end(&mut self) -> io::Result<()> {
        self.out.write_all(&self.format.foot(&self.counts))?;
        self.out.flush()
    }
}

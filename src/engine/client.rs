//! One UCI engine as an [`Evaluator`]: handshake, settings, a clean hash for every position, one restart.

use std::{
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use super::{
    EngineError, Evaluation, Evaluator, Identity, Request, STEPS, Step,
    process::{Fault, Process},
    uci::{self, Answer, Info, command},
};

/// How an engine is started and how long it may take.
#[derive(Clone, Debug)]
pub struct Launch {
    /// What it is called in messages until it has told its name.
    pub name: String,
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Size of the hash table, MiB; the engine's own limits win.
    pub hash: u32,
    /// Time for the handshake, from the start to `readyok`.
    pub handshake: Duration,
    /// Time for one search; by default [`patience`] of its depth.
    pub search: Option<Duration>,
    /// Raised to end every wait at once.
    pub interrupt: Arc<AtomicBool>,
}

/// MiB of hash an engine is given: enough for the searches of an audit, cheap enough to be cleared before each.
pub const HASH: u32 = 32;

impl Launch {
    /// A launch of `program` under the usual terms.
    pub fn new(name: &str, program: PathBuf, args: Vec<String>, interrupt: Arc<AtomicBool>) -> Launch {
        let handshake = Duration::from_secs(15);
        Launch { name: name.to_owned(), program, args, hash: HASH, handshake, search: None, interrupt }
    }
}

/// The time that one search of `depth` plies may take: 60 s up to depth 8, doubled for each ply more, an hour at most.
///
/// GNU Chess needs about a second for depth 8 in the worst position seen, and a little more than twice the time
/// for each ply; the rest is room for slow and busy machines.
pub fn patience(depth: u32) -> Duration {
    let doublings = depth.saturating_sub(8).min(6);
    Duration::from_secs(60 << doublings).min(Duration::from_secs(3600))
}

/// A UCI engine that is running or can be started again.
pub struct UciEngine {
    launch: Launch,
    process: Option<Process>,
    identity: Identity,
    options: String,
    restarts: u32,
    hung: bool,
}

/// Options that are read; a flood of them is not.
const OPTIONS_READ: usize = 500;

impl UciEngine {
    /// Starts the engine and asks who it is.
    ///
    /// # Errors
    /// Where it does not start, does not speak UCI or does not answer in time; there is no second try.
    pub fn start(launch: Launch) -> Result<UciEngine, EngineError> {
        let identity = Identity { name: launch.name.clone(), version: "unknown".to_owned() };
        let mut engine =
            UciEngine { launch, process: None, identity, options: String::new(), restarts: 0, hung: false };
        engine.handshake()?;
        Ok(engine)
    }

    fn handshake(&mut self) -> Result<(), EngineError> {
        let deadline = Instant::now() + self.launch.handshake;
        let process = Process::start(
            &self.launch.program,
            &self.launch.args,
            uci::LONGEST_LINE + 1,
            Arc::clone(&self.launch.interrupt),
        )
        .map_err(|source| EngineError::Start { name: self.launch.name.clone(), source })?;
        self.process = Some(process);
        let allowed = self.launch.handshake;
        self.send("uci", allowed)?;
        let (mut name, mut offered) = (None, Vec::new());
        loop {
            match self.answer(deadline, "uci", allowed)? {
                Answer::Name(n) => name = Some(n),
                Answer::Option(setting) if offered.len() < OPTIONS_READ => offered.push(setting),
                Answer::UciOk => break,
                _ => {}
            }
        }
        if let Some(name) = name {
            self.identity = uci::identity(&name);
        }
        let mut set = Vec::new();
        for (option, value) in self.wanted() {
            // An engine that does not offer an option need not be told.
            if let Some(setting) = offered.iter().find(|s| s.name.eq_ignore_ascii_case(option)) {
                let value = match (value.parse::<i64>(), setting.range) {
                    (Ok(n), Some((low, high))) => n.clamp(low, high).to_string(),
                    _ => value,
                };
                self.send(&command::set(&setting.name, &value), allowed)?;
                set.push(format!("{option}={value}"));
            }
        }
        self.options = set.join(" ");
        self.ready(deadline, allowed)
    }

    /// What every engine is asked to be: alone, without a book, with a fixed hash.
    fn wanted(&self) -> [(&'static str, String); 5] {
        [
            ("Hash", self.launch.hash.to_string()),
            ("MultiPV", "1".to_owned()),
            ("OwnBook", "false".to_owned()),
            ("Ponder", "false".to_owned()),
            ("Threads", "1".to_owned()),
        ]
    }

    fn ready(&mut self, deadline: Instant, allowed: Duration) -> Result<(), EngineError> {
        self.send("isready", allowed)?;
        while self.answer(deadline, "isready", allowed)? != Answer::ReadyOk {}
        Ok(())
    }

    fn send(&mut self, line: &str, allowed: Duration) -> Result<(), EngineError> {
        let sent = match &mut self.process {
            Some(process) => process.send(line),
            None => Err(Fault::Gone),
        };
        sent.map_err(|fault| self.fault(fault, line, allowed))
    }

    fn answer(&mut self, deadline: Instant, request: &str, allowed: Duration) -> Result<Answer, EngineError> {
        let line = match &self.process {
            Some(process) => process.line(deadline),
            None => Err(Fault::Gone),
        };
        match line {
            Ok(line) => Ok(uci::read(&line)),
            Err(fault) => Err(self.fault(fault, request, allowed)),
        }
    }

    /// Ends the process and turns its fault into an error.
    fn fault(&mut self, fault: Fault, request: &str, allowed: Duration) -> EngineError {
        let name = self.launch.name.clone();
        let process = self.process.take();
        let request = request.split(' ').next().unwrap_or_default().to_owned();
        match fault {
            Fault::Late => EngineError::Silent { name, request, seconds: allowed.as_secs() },
            Fault::Deaf => EngineError::Nonsense { name, what: "it does not read its input".to_owned() },
            Fault::Interrupted => EngineError::Interrupted,
            Fault::Gone => EngineError::Died {
                name,
                how: process.map_or_else(|| "it had ended".to_owned(), Process::post_mortem),
            },
        }
    }

    fn nonsense(&mut self, what: String) -> EngineError {
        self.process = None;
        EngineError::Nonsense { name: self.launch.name.clone(), what }
    }

    fn search(&mut self, request: &Request) -> Result<Evaluation, EngineError> {
        if self.process.is_none() {
            let before = self.identity.clone();
            self.handshake()?;
            if self.identity != before {
                return Err(self.nonsense("it came back as another engine".to_owned()));
            }
        }
        let allowed = self.launch.search.unwrap_or_else(|| patience(request.depth));
        let deadline = Instant::now() + allowed;
        self.send("ucinewgame", allowed)?;
        self.ready(deadline, allowed)?;
        self.send(&command::position(&uci::canonical_fen(&request.position)), allowed)?;
        self.send(&command::search(request.depth), allowed)?;
        let mut said: Vec<Info> = Vec::new();
        loop {
            match self.answer(deadline, "go", allowed)? {
                Answer::Info(info) if !info.bound => {
                    said.retain(|earlier| earlier.depth < info.depth);
                    said.push(info);
                }
                Answer::BestMove(best) => {
                    return self.conclude(request, &best, &said);
                }
                _ => {}
            }
        }
    }

    /// The evaluation out of the last exact scores, one a depth, and the best move.
    fn conclude(&mut self, request: &Request, best: &str, said: &[Info]) -> Result<Evaluation, EngineError> {
        let position = &request.position;
        let Ok(best) = uci::legal_move(best, position) else {
            return Err(self.nonsense(format!("illegal move {:?}", shortened(best))));
        };
        let Some((last, earlier)) = said.split_last() else {
            return Err(self.nonsense("a move without a score".to_owned()));
        };
        let turn = shakmaty::Position::turn(position);
        let line = uci::legal_line(&last.pv, position);
        let pv = if line.first() == Some(&best) { line } else { vec![best] };
        let steps = earlier
            .iter()
            .filter_map(|info| {
                let best = *uci::legal_line(&info.pv[..info.pv.len().min(1)], position).first()?;
                Some(Step { depth: info.depth, score: info.score.to_white(turn), best })
            })
            .collect::<Vec<_>>();
        let steps = steps[steps.len().saturating_sub(STEPS)..].to_vec();
        Ok(Evaluation { score: last.score.to_white(turn), best: Some(best), depth: last.depth, pv, steps })
    }
}

impl Evaluator for UciEngine {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The options that were set, as `Hash=32 OwnBook=false`, sorted by name.
    fn options(&self) -> String {
        self.options.clone()
    }

    fn restarts(&self) -> u32 {
        self.restarts
    }

    /// A dead or talking-nonsense engine is killed and started again once for each request, a hung one once for all:
    /// the one costs a moment, the other the whole time allowed.
    fn evaluate(&mut self, request: &Request) -> Result<Evaluation, EngineError> {
        let failure = match self.search(request) {
            Err(failure) => failure,
            answered => return answered,
        };
        let hung = matches!(failure, EngineError::Silent { .. });
        if matches!(failure, EngineError::Interrupted) || (hung && self.hung) {
            return Err(failure);
        }
        self.hung |= hung;
        self.restarts += 1;
        self.search(request)
    }
}

/// The first characters of an engine's word, for messages.
fn shortened(text: &str) -> String {
    text.chars().take(20).collect()
}

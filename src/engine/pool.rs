//! Many positions over few engines; knows nothing of reports.
//!
//! The answers do not depend on how many engines there are and which one is asked: every search starts clean, and
//! what is the same position is searched once.

use std::{
    collections::{BTreeMap, HashMap},
    io,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    EngineError, Evaluation, Evaluator, Identity, Request,
    cache::{Author, Cache},
    finished, uci,
};

/// Starts one more engine of the kind that a pool is made of.
pub type Starter = Box<dyn Fn() -> Result<Box<dyn Evaluator>, EngineError> + Send + Sync>;

/// How far a pool has come with a list of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Answered.
    pub done: usize,
    /// Asked.
    pub total: usize,
    /// The request whose search has been running longest, by index; `None` once nothing is searched.
    pub searching: Option<usize>,
}

/// What a pool has done since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Positions searched by an engine.
    pub searched: usize,
    /// Positions whose evaluation was on disk.
    pub recalled: usize,
    /// Requests for a position that was asked for in the same list already.
    pub repeated: usize,
    /// The searches' wall times added up, the clearing of the hash included.
    pub busy: Duration,
    /// Engines that had to be started again.
    pub restarts: u32,
}

/// Engines of one kind, started when they are needed, ended when the pool is dropped.
pub struct Pool {
    start: Starter,
    size: usize,
    idle: Vec<Box<dyn Evaluator>>,
    identity: Identity,
    options: String,
    cache: Option<Cache>,
    cache_fault: Option<io::Error>,
    interrupt: Arc<AtomicBool>,
    work: Work,
}

impl Pool {
    /// A pool of at most `size` engines (0: one a core); one is started at once, to know whose opinion it will be.
    ///
    /// # Errors
    /// Where that engine does not start.
    pub fn new(start: Starter, size: usize, interrupt: Arc<AtomicBool>) -> Result<Pool, EngineError> {
        let first = start()?;
        let size = match size {
            0 => thread::available_parallelism().map_or(1, usize::from),
            n => n,
        };
        let (identity, options) = (first.identity().clone(), first.options());
        let work = Work::default();
        let idle = vec![first];
        Ok(Pool { start, size, idle, identity, options, cache: None, cache_fault: None, interrupt, work })
    }

    /// Keeps evaluations in `folder`; `program` is the mark of the engine's program file.
    ///
    /// Where the cache cannot be used the pool works without, and [`Pool::cache_fault`] says why.
    pub fn with_cache(mut self, folder: &Path, program: &str) -> Pool {
        match Cache::open(folder, Author::new(&self.identity, &self.options, program)) {
            Ok(cache) => self.cache = Some(cache),
            Err(e) => self.cache_fault = Some(e),
        }
        self
    }

    /// Whose opinion the evaluations are.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The engine's settings that the evaluations depend on.
    pub fn options(&self) -> &str {
        &self.options
    }

    /// What was done so far.
    pub fn work(&self) -> Work {
        self.work
    }

    /// Why evaluations were not kept on disk, if they were not.
    pub fn cache_fault(&self) -> Option<&io::Error> {
        self.cache_fault.as_ref()
    }

    /// Evaluates the requests, answers in the same order; finished games are decided by the rules.
    ///
    /// # Errors
    /// The error of the first request that failed; [`EngineError::Interrupted`] once the interrupt flag is up.
    /// What was searched until then is in the cache.
    pub fn evaluate(
        &mut self,
        requests: &[Request],
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Vec<Evaluation>, EngineError> {
        let mut answers: Vec<Option<Evaluation>> = requests.iter().map(|r| finished(&r.position)).collect();
        let mut jobs: Vec<usize> = Vec::new();
        let mut same_as: Vec<Option<usize>> = vec![None; requests.len()];
        let mut first: HashMap<(String, u32), usize> = HashMap::new();
        for (i, request) in requests.iter().enumerate() {
            if answers[i].is_some() {
                continue;
            }
            let earlier = *first.entry((uci::canonical_fen(&request.position), request.depth)).or_insert(i);
            if earlier != i {
                same_as[i] = Some(earlier);
                self.work.repeated += 1;
            } else if let Some(known) =
                self.cache.as_ref().and_then(|c| c.get(&request.position, request.depth))
            {
                answers[i] = Some(known);
                self.work.recalled += 1;
            } else {
                jobs.push(i);
            }
        }
        for (i, answer) in self.search(requests, &jobs, progress)? {
            answers[i] = Some(answer);
        }
        for (i, earlier) in same_as.iter().enumerate() {
            if let Some(earlier) = earlier {
                answers[i] = answers[*earlier].clone();
            }
        }
        let total = requests.len();
        progress(Progress { done: total, total, searching: None });
        Ok(answers
            .into_iter()
            .map(|a| a.expect("every request is finished, known, a job or a repetition"))
            .collect())
    }

    /// Has the engines search `jobs`, which are indices of `requests`.
    fn search(
        &mut self,
        requests: &[Request],
        jobs: &[usize],
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Vec<(usize, Evaluation)>, EngineError> {
        let round = Round {
            requests,
            jobs,
            next: AtomicUsize::new(0),
            failed: AtomicBool::new(false),
            done: Mutex::new(Vec::new()),
            running: Mutex::new(BTreeMap::new()),
            failures: Mutex::new(Vec::new()),
            busy: Mutex::new(Duration::ZERO),
            cache: self.cache.as_ref(),
            cache_fault: Mutex::new(None),
            interrupt: &self.interrupt,
            progress,
        };
        let hands = self.size.min(jobs.len());
        let mut engines: Vec<Option<Box<dyn Evaluator>>> = self.idle.drain(..).map(Some).collect();
        engines.resize_with(engines.len().max(hands), || None);
        let start = &self.start;
        let idle: Vec<Box<dyn Evaluator>> = thread::scope(|scope| {
            let workers: Vec<_> = engines
                .into_iter()
                .enumerate()
                .map(|(hand, engine)| {
                    let round = &round;
                    scope.spawn(move || if hand < hands { round.work(engine, start, hand) } else { engine })
                })
                .collect();
            workers
                .into_iter()
                .filter_map(|w| w.join().expect("a worker passes every failure on as a value"))
                .collect()
        });
        self.idle = idle;
        let done = round.done.into_inner().unwrap_or_default();
        self.work.searched += done.len();
        self.work.busy += round.busy.into_inner().unwrap_or_default();
        self.work.restarts = self.idle.iter().map(|e| e.restarts()).sum();
        if let Some(fault) = round.cache_fault.into_inner().unwrap_or_default() {
            self.cache_fault.get_or_insert(fault);
        }
        let mut failures = round.failures.into_inner().unwrap_or_default();
        failures.sort_by_key(|(i, _)| *i);
        match failures.into_iter().next() {
            Some((_, failure)) => Err(failure),
            None => Ok(done),
        }
    }
}

/// One list of searches, shared by the workers.
struct Round<'a> {
    requests: &'a [Request],
    jobs: &'a [usize],
    next: AtomicUsize,
    failed: AtomicBool,
    done: Mutex<Vec<(usize, Evaluation)>>,
    /// The jobs being searched, by the order in which they were begun.
    running: Mutex<BTreeMap<usize, usize>>,
    failures: Mutex<Vec<(usize, EngineError)>>,
    busy: Mutex<Duration>,
    cache: Option<&'a Cache>,
    cache_fault: Mutex<Option<io::Error>>,
    interrupt: &'a AtomicBool,
    progress: &'a (dyn Fn(Progress) + Sync),
}

impl Round<'_> {
    /// Takes one job after the other until there are none left or one has failed; gives the engine back.
    ///
    /// Only the first hand's engine has to start; where another one's does not, there are fewer hands.
    fn work(
        &self,
        engine: Option<Box<dyn Evaluator>>,
        start: &Starter,
        hand: usize,
    ) -> Option<Box<dyn Evaluator>> {
        let mut engine = match engine.map_or_else(start, Ok) {
            Ok(engine) => engine,
            Err(failure) => {
                if hand == 0 {
                    self.fail(0, failure);
                }
                return None;
            }
        };
        while !self.failed.load(Ordering::Relaxed) {
            let turn = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&job) = self.jobs.get(turn) else { break };
            if self.interrupt.load(Ordering::Relaxed) {
                self.fail(job, EngineError::Interrupted);
                break;
            }
            let request = &self.requests[job];
            self.tell(|running| running.insert(turn, job));
            let started = Instant::now();
            let answer = engine.evaluate(request);
            let took = started.elapsed();
            match answer {
                Ok(evaluation) => self.keep(job, request, evaluation, took),
                Err(failure) => self.fail(job, failure),
            }
            self.tell(|running| running.remove(&turn));
        }
        Some(engine)
    }

    fn keep(&self, job: usize, request: &Request, evaluation: Evaluation, took: Duration) {
        if let Some(Err(fault)) = self.cache.map(|c| c.put(&request.position, request.depth, &evaluation))
            && let Ok(mut first) = self.cache_fault.lock()
        {
            first.get_or_insert(fault);
        }
        if let Ok(mut busy) = self.busy.lock() {
            *busy += took;
        }
        if let Ok(mut done) = self.done.lock() {
            done.push((job, evaluation));
        }
    }

    /// Notes that a search begins or ends, and tells how far all of them are.
    fn tell(&self, change: impl FnOnce(&mut BTreeMap<usize, usize>) -> Option<usize>) {
        if let (Ok(mut running), Ok(done)) = (self.running.lock(), self.done.lock()) {
            change(&mut running);
            let total = self.requests.len();
            let searching = running.first_key_value().map(|(_, job)| *job);
            (self.progress)(Progress { done: total - self.jobs.len() + done.len(), total, searching });
        }
    }

    fn fail(&self, job: usize, failure: EngineError) {
        self.failed.store(true, Ordering::Relaxed);
        if let Ok(mut failures) = self.failures.lock() {
            failures.push((job, failure));
        }
    }
}

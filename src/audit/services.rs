//! The outside programs of an audit: the engine, opened once for all games.

use std::{
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

use shakmaty::{Chess, Position};

use crate::{
    engine::{
        EngineError, Evaluation, Evaluator, Identity, Request,
        cache::program_mark,
        client::UciEngine,
        locate,
        plan::{self, Plan},
        pool::{Pool, Starter},
    },
    judge,
    search::builtin,
};

/// Which engine is to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineChoice {
    /// GNU Chess, or the built-in one where it is not installed.
    Default,
    /// The one with this name or path; `builtin` is our own.
    Named(String),
    /// None.
    None,
}

/// The name that our own engine is asked for by.
const BUILTIN: &str = "builtin";

/// What the stages of an audit may call on.
pub struct Services {
    /// The engines; `None` where there are none.
    pub pool: Option<Pool>,
    /// Our own engine, whose opinion says where the first one should look deeper; `None` where it is the first one.
    pub guide: Option<Pool>,
    /// The engine that gives a second opinion on blunders: Stockfish where it starts, else our own; never the first.
    pub second: Option<Second>,
    /// Who they are.
    pub identity: Option<Identity>,
    /// How deep this engine searches by default.
    pub plan: Plan,
    /// Why there is no engine, in one sentence.
    pub no_engine: String,
    /// Whether that is what was asked for.
    pub asked_for_none: bool,
    /// Whether an engine was there and did not do its work.
    pub engine_failed: bool,
    /// Why evaluations were not kept on disk, if they were to be; known once the audit has run.
    pub cache_fault: Option<String>,
    /// What a person should know about the choice of programs.
    pub warnings: Vec<String>,
    /// Raised when the run is to end at once.
    pub interrupt: Arc<AtomicBool>,
}

/// An engine for second opinions.
pub struct Second {
    pool: Pool,
    depth: u32,
}

/// Depth at which our own engine says where the first should look deeper, and gives second opinions, plies: its first
/// pass's, a tenth of a second a position.
const GUIDE_DEPTH: u32 = builtin::DEFAULT_DEPTH;

/// Depth at which Stockfish gives second opinions, plies: that of the judge in `examples/swings.rs`, a seventh of a second
/// a position.
const SECOND_DEPTH: u32 = 14;

/// The name that Stockfish is found and known by.
const STOCKFISH: &str = "stockfish";

/// Our own engine, started the same way whatever it is asked for.
fn builtin_pool(threads: usize, interrupt: &Arc<AtomicBool>) -> Result<Pool, EngineError> {
    let flag = interrupt.clone();
    let start: Starter = Box::new(move || Ok(Box::new(builtin::Builtin::new(flag.clone()))));
    Pool::new(start, threads, interrupt.clone())
}

/// The engine for second opinions on `first`'s blunders; one that does not start is passed over.
fn second(first: &Identity, threads: usize, interrupt: &Arc<AtomicBool>) -> Option<Second> {
    let stockfish = || {
        let launch = locate::locate(STOCKFISH).ok()?.launch(interrupt.clone());
        let start: Starter = Box::new(move || Ok(Box::new(UciEngine::start(launch.clone())?)));
        let pool = Pool::new(start, 1, interrupt.clone()).ok()?;
        Some(Second { pool, depth: SECOND_DEPTH })
    };
    let own = || Some(Second { pool: builtin_pool(threads, interrupt).ok()?, depth: GUIDE_DEPTH });
    let found = if first.name == STOCKFISH { None } else { stockfish() };
    found.or_else(|| if first.name == BUILTIN { None } else { own() })
}

impl Services {
    /// The first engine's word on every position of the games, as deep as the plan and what is undecided ask for.
    ///
    /// # Errors
    /// Where the first engine fails, and on an interrupt. That our own engine does not guide it changes depths only.
    pub fn search(
        &mut self,
        games: &[Vec<Chess>],
        plan: Plan,
        progress: &(dyn Fn(plan::Stage) + Sync),
    ) -> Result<Vec<Vec<Evaluation>>, EngineError> {
        let Some(pool) = &mut self.pool else { return Ok(Vec::new()) };
        let mut known = plan::evaluate(pool, games, plan, &judge::doubtful, progress)?;
        let guide = Plan::uniform(GUIDE_DEPTH);
        let said = self
            .guide
            .as_mut()
            .map(|guiding| plan::evaluate(guiding, games, guide, &judge::doubtful, progress))
            .transpose()?;
        let second = |game: usize| said.as_ref().map(|said| said[game].as_slice());
        let undecided = |game: usize, positions: &[Chess], known: &[Evaluation]| {
            judge::undecided(positions, known, second(game), plan.deep)
        };
        plan::settle(pool, games, &mut known, plan.limit(), &undecided, progress)?;
        Ok(known)
    }

    /// What the second engine makes of these moves, given by the positions before and after them: centipawns lost.
    ///
    /// Where it fails it is not asked again, and a warning says so; nothing else is lost.
    ///
    /// # Errors
    /// [`EngineError::Interrupted`] alone.
    pub fn second_opinions(&mut self, moves: &[[Chess; 2]]) -> Result<Option<Opinions>, EngineError> {
        let Some(Second { pool, depth }) = &mut self.second else { return Ok(None) };
        let requests: Vec<Request> =
            moves.iter().flatten().map(|p| Request { position: p.clone(), depth: *depth }).collect();
        match pool.evaluate(&requests, &|_| {}) {
            Ok(said) => {
                let swing = |(pair, said): (&[Chess; 2], &[Evaluation])| {
                    judge::swing(pair[0].turn(), said[0].score, said[1].score)
                };
                let swings = moves.iter().zip(said.chunks(2)).map(swing).collect();
                Ok(Some(Opinions { engine: pool.identity().name.clone(), swings }))
            }
            Err(EngineError::Interrupted) => Err(EngineError::Interrupted),
            Err(error) => {
                self.warnings.push(format!("no second opinion on blunders: {error}"));
                self.second = None;
                Ok(None)
            }
        }
    }
}

/// Another engine's word on some moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinions {
    /// Its short name.
    pub engine: String,
    /// Centipawns that each move lost by its scores, capped as in [`judge::swing`].
    pub swings: Vec<i32>,
}

/// Opens the engine; `threads` is how many run at once (0: one a core), `cache` the folder for evaluations.
///
/// # Errors
/// Where the engine that was named cannot be started.
pub fn open(
    choice: &EngineChoice,
    threads: usize,
    cache: Option<PathBuf>,
    interrupt: Arc<AtomicBool>,
) -> Result<Services, EngineError> {
    let mut services = Services {
        pool: None,
        guide: None,
        second: None,
        identity: None,
        plan: Plan::two_passes(plan::DEPTH, plan::FURTHER),
        no_engine: "no engine was asked (--no-engine)".to_owned(),
        asked_for_none: *choice == EngineChoice::None,
        engine_failed: false,
        cache_fault: None,
        warnings: Vec::new(),
        interrupt: interrupt.clone(),
    };
    let name = match choice {
        EngineChoice::None => return Ok(services),
        EngineChoice::Named(name) => name.as_str(),
        EngineChoice::Default => locate::DEFAULT,
    };
    let located = if name == BUILTIN { None } else { Some(locate::locate(name)) };
    let located = match (located, choice) {
        (Some(Err(EngineError::NotFound { .. })), EngineChoice::Default) => {
            let why = "GNU Chess was not found (apt-get install gnuchess); the built-in engine does its work";
            services.warnings.push(why.to_owned());
            None
        }
        (located, _) => located.transpose()?,
    };
    let (start, mark): (Starter, String) = match located {
        None => {
            services.plan = Plan::two_passes(builtin::DEFAULT_DEPTH, builtin::FURTHER);
            (Box::new(move || Ok(Box::new(builtin::Builtin::new(interrupt.clone())))), String::new())
        }
        Some(located) => {
            let mark = program_mark(&located.program);
            let start = move || -> Result<Box<dyn Evaluator>, EngineError> {
                Ok(Box::new(UciEngine::start(located.launch(interrupt.clone()))?))
            };
            (Box::new(start), mark)
        }
    };
    let mut pool = Pool::new(start, threads, services.interrupt.clone())?;
    if let Some(folder) = cache {
        pool = pool.with_cache(&folder, &mark);
    }
    if pool.identity().name != BUILTIN {
        services.guide = Some(builtin_pool(threads, &services.interrupt)?);
    }
    services.second = second(pool.identity(), threads, &services.interrupt);
    services.identity = Some(pool.identity().clone());
    services.pool = Some(pool);
    Ok(services)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails at every search.
    struct Mute(Identity);

    impl Evaluator for Mute {
        fn identity(&self) -> &Identity {
            &self.0
        }

        fn evaluate(&mut self, _: &Request) -> Result<Evaluation, EngineError> {
            Err(EngineError::Nonsense { name: self.0.name.clone(), what: "nothing".to_owned() })
        }
    }

    fn services() -> Services {
        open(&EngineChoice::Named(BUILTIN.to_owned()), 1, None, Arc::default()).unwrap()
    }

    fn moves() -> [[Chess; 2]; 1] {
        let start = Chess::default();
        let next = start.clone().play(start.legal_moves()[0]).unwrap();
        [[start, next]]
    }

    #[test]
    fn a_second_engine_that_fails_costs_nothing_but_its_word() {
        let mut services = services();
        let start: Starter =
            Box::new(|| Ok(Box::new(Mute(Identity { name: "mute".to_owned(), version: "1".to_owned() }))));
        let pool = Pool::new(start, 1, Arc::default()).unwrap();
        services.second = Some(Second { pool, depth: 3 });
        assert_eq!(services.second_opinions(&moves()).unwrap(), None);
        assert_eq!(services.warnings.len(), 1);
        assert_eq!(services.second_opinions(&moves()).unwrap(), None);
        assert_eq!(services.warnings.len(), 1, "asked again");
    }

    #[test]
    fn the_second_opinion_names_its_engine_and_what_the_move_lost() {
        let mut services = services();
        services.second = Some(Second { pool: builtin_pool(1, &Arc::default()).unwrap(), depth: 4 });
        let said = services.second_opinions(&moves()).unwrap().unwrap();
        let score = |position: &Chess| crate::search::best(position, 4).score;
        let [[before, after]] = moves();
        let swing = judge::swing(before.turn(), score(&before), score(&after));
        assert_eq!(said, Opinions { engine: BUILTIN.to_owned(), swings: vec![swing] });
    }

    #[test]
    fn nobody_is_a_second_opinion_of_himself() {
        let own = Identity { name: BUILTIN.to_owned(), version: "1".to_owned() };
        let named = second(&own, 1, &Arc::default()).map(|s| s.pool.identity().name.clone());
        assert_ne!(named.as_deref(), Some(BUILTIN));
        let fish = Identity { name: STOCKFISH.to_owned(), version: "1".to_owned() };
        let named = second(&fish, 1, &Arc::default()).map(|s| s.pool.identity().name.clone());
        assert_eq!(named.as_deref(), Some(BUILTIN));
    }
}

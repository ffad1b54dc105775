//! The outside programs of an audit: the engine, opened once for all games.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

use shakmaty::{Chess, Position};

use crate::{
    engine::{
        EngineError, Evaluation, Evaluator, Identity, Request, WhiteScore,
        cache::program_mark,
        client::UciEngine,
        locate,
        plan::{self, Plan},
        pool::{Pool, Starter},
        uci::canonical_fen,
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
    guide: Option<Pool>,
    /// What it said, by position.
    guided: HashMap<String, WhiteScore>,
    /// Who gives a second opinion on blunders.
    second: Second,
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

/// Who gives second opinions: Stockfish where it starts, else what our own engine said as the guide; never the first
/// engine.
enum Second {
    /// Not yet known, as there was nothing to ask.
    Unasked,
    /// A program of its own.
    Program(Box<Pool>),
    /// Our own engine, which has said it already.
    Guide,
    /// Nobody.
    Nobody,
}

/// What an audit knows of one game from its first engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Searched {
    /// Its word on every position, from the start to the last one.
    pub evaluations: Vec<Evaluation>,
    /// The moves, by index, that no search settled; see [`judge::undecided`].
    pub undecided: Vec<usize>,
}

/// Depth at which our own engine says where the first should look deeper, plies. A choice: that of its own first pass,
/// so that what it says costs no more than an audit by it alone.
const GUIDE_DEPTH: u32 = builtin::DEFAULT_DEPTH;

/// Depth at which Stockfish gives second opinions, plies. A choice: that of the judge in `examples/swings.rs`, so that an
/// opinion is what our lists are measured by.
const SECOND_DEPTH: u32 = 14;

/// The name that Stockfish is found and known by.
const STOCKFISH: &str = "stockfish";

/// Our own engine, started the same way whatever it is asked for.
fn builtin_pool(threads: usize, interrupt: &Arc<AtomicBool>) -> Result<Pool, EngineError> {
    let flag = interrupt.clone();
    let start: Starter = Box::new(move || Ok(Box::new(builtin::Builtin::new(flag.clone()))));
    Pool::new(start, threads, interrupt.clone())
}

/// Who gives second opinions on the blunders of `first`; a program that does not start is passed over.
fn second(first: Option<&Identity>, interrupt: &Arc<AtomicBool>) -> Second {
    let Some(first) = first else { return Second::Nobody };
    let stockfish = || {
        let launch = locate::locate(STOCKFISH).ok()?.launch(interrupt.clone());
        let start: Starter = Box::new(move || Ok(Box::new(UciEngine::start(launch.clone())?)));
        Pool::new(start, 1, interrupt.clone()).ok()
    };
    let found = if first.name == STOCKFISH { None } else { stockfish() };
    match found {
        Some(pool) => Second::Program(Box::new(pool)),
        None if first.name == BUILTIN => Second::Nobody,
        None => Second::Guide,
    }
}

impl Services {
    /// The first engine's word on every position of the games, as deep as the plan and what is undecided ask for.
    ///
    /// # Errors
    /// Where the first engine fails, and on an interrupt. Where our own engine fails to guide it only depths change, and a
    /// warning says so.
    pub fn search(
        &mut self,
        games: &[Vec<Chess>],
        plan: Plan,
        progress: &(dyn Fn(plan::Stage) + Sync),
    ) -> Result<Vec<Searched>, EngineError> {
        let Some(pool) = &mut self.pool else { return Ok(Vec::new()) };
        let mut known = plan::evaluate(pool, games, plan, &judge::doubtful, progress)?;
        let said = self.guide(games, progress)?;
        let Some(pool) = &mut self.pool else { return Ok(Vec::new()) };
        let undecided = |game: usize, positions: &[Chess], known: &[Evaluation]| {
            judge::undecided(positions, known, said.as_ref().map(|said| said[game].as_slice()), plan.deep)
        };
        plan::settle(pool, games, &mut known, plan.limit(), &undecided, progress)?;
        let searched = |(game, (positions, evaluations)): (usize, (&Vec<Chess>, Vec<Evaluation>))| Searched {
            undecided: undecided(game, positions, &evaluations),
            evaluations,
        };
        Ok(games.iter().zip(known).enumerate().map(searched).collect())
    }

    /// Our own engine's word on every position, where it guides another one.
    fn guide(
        &mut self,
        games: &[Vec<Chess>],
        progress: &(dyn Fn(plan::Stage) + Sync),
    ) -> Result<Option<Vec<Vec<Evaluation>>>, EngineError> {
        let Some(guide) = &mut self.guide else { return Ok(None) };
        match plan::evaluate(guide, games, Plan::uniform(GUIDE_DEPTH), &judge::doubtful, progress) {
            Ok(said) => {
                let one = |(position, said): (&Chess, &Evaluation)| (canonical_fen(position), said.score);
                self.guided.extend(games.iter().flatten().zip(said.iter().flatten()).map(one));
                Ok(Some(said))
            }
            Err(EngineError::Interrupted) => Err(EngineError::Interrupted),
            Err(error) => {
                self.warnings
                    .push(format!("undecided moves are followed without the built-in engine: {error}"));
                self.guide = None;
                Ok(None)
            }
        }
    }

    /// What the second engine makes of these moves, given by the positions before and after them: centipawns lost.
    ///
    /// It is started with the first move to ask about. Where it fails it is not asked again, and a warning says so; nothing
    /// else is lost.
    ///
    /// # Errors
    /// [`EngineError::Interrupted`] alone.
    pub fn second_opinions(&mut self, moves: &[[Chess; 2]]) -> Result<Option<Opinions>, EngineError> {
        if moves.is_empty() {
            return Ok(None);
        }
        if matches!(self.second, Second::Unasked) {
            self.second = second(self.identity.as_ref(), &self.interrupt);
        }
        let swing = |pair: &[Chess; 2], before, after| judge::swing(pair[0].turn(), before, after);
        let pool = match &mut self.second {
            Second::Program(pool) => pool,
            Second::Guide => {
                let said = |position: &Chess| self.guided.get(&canonical_fen(position)).copied();
                let one = |pair: &[Chess; 2]| Some(swing(pair, said(&pair[0])?, said(&pair[1])?));
                let swings: Option<Vec<i32>> = moves.iter().map(one).collect();
                return Ok(swings.map(|swings| Opinions { engine: BUILTIN.to_owned(), swings }));
            }
            Second::Unasked | Second::Nobody => return Ok(None),
        };
        let ask = |position: &Chess| Request { position: position.clone(), depth: SECOND_DEPTH };
        let requests: Vec<Request> = moves.iter().flatten().map(ask).collect();
        match pool.evaluate(&requests, &|_| {}) {
            Ok(said) => {
                let scores = said.chunks(2).map(|pair| (pair[0].score, pair[1].score));
                let swings =
                    moves.iter().zip(scores).map(|(pair, (before, after))| swing(pair, before, after));
                Ok(Some(Opinions { engine: pool.identity().name.clone(), swings: swings.collect() }))
            }
            Err(EngineError::Interrupted) => Err(EngineError::Interrupted),
            Err(error) => {
                self.warnings.push(format!("no second opinion on blunders: {error}"));
                self.second = Second::Nobody;
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
        guided: HashMap::new(),
        second: Second::Unasked,
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
        services.guide = builtin_pool(threads, &services.interrupt).ok();
    }
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

    fn mute() -> Pool {
        let start: Starter =
            Box::new(|| Ok(Box::new(Mute(Identity { name: "mute".to_owned(), version: "1".to_owned() }))));
        Pool::new(start, 1, Arc::default()).unwrap()
    }

    fn named(second: &Second) -> &str {
        match second {
            Second::Unasked => "unasked",
            Second::Program(pool) => &pool.identity().name,
            Second::Guide => "guide",
            Second::Nobody => "nobody",
        }
    }

    fn moves() -> [[Chess; 2]; 1] {
        let start = Chess::default();
        let next = start.clone().play(start.legal_moves()[0]).unwrap();
        [[start, next]]
    }

    #[test]
    fn a_second_engine_that_fails_costs_nothing_but_its_word() {
        let mut services = services();
        services.second = Second::Program(Box::new(mute()));
        assert_eq!(services.second_opinions(&moves()).unwrap(), None);
        assert_eq!(services.warnings.len(), 1);
        assert_eq!(services.second_opinions(&moves()).unwrap(), None);
        assert_eq!(services.warnings.len(), 1, "asked again");
    }

    #[test]
    fn a_guide_that_fails_costs_nothing_but_depth() {
        let (mut alone, mut guided) = (services(), services());
        guided.guide = Some(mute());
        let games = [moves()[0].to_vec()];
        let expected = alone.search(&games, Plan::uniform(3), &|_| {}).unwrap();
        assert_eq!(guided.search(&games, Plan::uniform(3), &|_| {}).unwrap(), expected);
        assert_eq!((alone.warnings.len(), guided.warnings.len()), (0, 1));
    }

    #[test]
    fn the_guide_has_given_its_second_opinion_already() {
        let mut services = services();
        services.guide = Some(builtin_pool(1, &Arc::default()).unwrap());
        services.second = Second::Guide;
        assert_eq!(services.second_opinions(&moves()).unwrap(), None, "it has said nothing yet");
        services.search(&[moves()[0].to_vec()], Plan::uniform(3), &|_| {}).unwrap();
        let searched = services.guide.as_ref().unwrap().work().searched;
        let said = services.second_opinions(&moves()).unwrap().unwrap();
        let score = |position: &Chess| crate::search::best(position, GUIDE_DEPTH).score;
        let [[before, after]] = moves();
        let swing = judge::swing(before.turn(), score(&before), score(&after));
        assert_eq!(said, Opinions { engine: BUILTIN.to_owned(), swings: vec![swing] });
        assert_eq!(services.guide.unwrap().work().searched, searched);
    }

    #[test]
    fn nobody_is_asked_before_there_is_a_blunder() {
        let mut services = services();
        assert_eq!(services.second_opinions(&[]).unwrap(), None);
        assert_eq!(named(&services.second), "unasked");
    }

    #[test]
    fn nobody_is_a_second_opinion_of_himself() {
        let own = Identity { name: BUILTIN.to_owned(), version: "1".to_owned() };
        assert!(["nobody", STOCKFISH].contains(&named(&second(Some(&own), &Arc::default()))));
        let fish = Identity { name: STOCKFISH.to_owned(), version: "1".to_owned() };
        assert_eq!(named(&second(Some(&fish), &Arc::default())), "guide");
    }
}

//! The outside programs of an audit: the engine, opened once for all games.

use std::{
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

use crate::{
    engine::{
        EngineError, Evaluator, Identity,
        cache::program_mark,
        client::UciEngine,
        locate,
        plan::{self, Plan},
        pool::{Pool, Starter},
    },
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
    services.identity = Some(pool.identity().clone());
    services.pool = Some(pool);
    Ok(services)
}

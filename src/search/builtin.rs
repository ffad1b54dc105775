//! The built-in engine as one of the engines: named truthfully, never absent, never late.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use super::Engine;
use crate::engine::{EngineError, Evaluation, Evaluator, Identity, Request};

/// Depth of the first pass in plies, at which both passes over a game of eighty plies take about fifteen seconds of one
/// core, less than GNU Chess's.
pub const DEFAULT_DEPTH: u32 = 12;

/// Plies that the second pass looks further.
///
/// Four, as a ply more takes only 1.65 times as long: so the first pass costs a seventh of what the second would cost
/// everywhere. Two plies further it would cost two fifths, and two passes would hardly save anything.
pub const FURTHER: u32 = 4;

/// Names what the search answers; raised with every change of the answers, so that no cache passes an older search's
/// word for this one's.
pub const REVISION: u32 = 2;

/// The built-in engine behind the trait of all engines.
pub struct Builtin {
    engine: Engine,
    identity: Identity,
    interrupt: Arc<AtomicBool>,
}

impl Builtin {
    /// The engine with its searches ended once `interrupt` is up.
    pub fn new(interrupt: Arc<AtomicBool>) -> Builtin {
        let mut engine = Engine::default();
        engine.heed(Arc::clone(&interrupt));
        let identity = Identity { name: "builtin".into(), version: env!("CARGO_PKG_VERSION").into() };
        Builtin { engine, identity, interrupt }
    }
}

impl Evaluator for Builtin {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn options(&self) -> String {
        format!("revision {REVISION}")
    }

    /// # Errors
    /// [`EngineError::Interrupted`] once the flag is up; else every position has an answer.
    fn evaluate(&mut self, request: &Request) -> Result<Evaluation, EngineError> {
        let evaluation = self.engine.best(&request.position, request.depth);
        if self.interrupt.load(Ordering::Relaxed) { Err(EngineError::Interrupted) } else { Ok(evaluation) }
    }
}

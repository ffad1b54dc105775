//! Which positions of a game are searched how deep: all of them once, then those deeper that can change the judgement.

use std::collections::{BTreeSet, HashMap};

use shakmaty::Chess;

use super::{EngineError, Evaluation, Request, pool::Pool, uci::canonical_fen};

/// Depths and what is searched again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Depth of the first pass over every position, plies.
    pub shallow: u32,
    /// Depth of the second pass, plies; not less than `shallow`.
    pub deep: u32,
    /// Closing moves whose positions are all searched at `deep`.
    pub closing: usize,
}

/// Depth of the first pass where none is asked for.
pub const DEPTH: u32 = 8;

/// Plies that the second pass looks further. Two, so that both see the same side move last: scores swing between odd
/// and even depths.
pub const FURTHER: u32 = 2;

/// Closing moves where no number is asked for.
pub const CLOSING: usize = 10;

impl Plan {
    /// The usual plan for a first pass of `depth` plies.
    pub fn of_depth(depth: u32) -> Plan {
        Plan { shallow: depth, deep: depth + FURTHER, closing: CLOSING }
    }

    /// Every position at the same depth.
    pub fn uniform(depth: u32) -> Plan {
        Plan { shallow: depth, deep: depth, closing: 0 }
    }
}

/// Tells which positions of one game deserve a deeper look, by index: given the positions, what is known of them,
/// and which were searched deep already. It is asked again with what that brought, until it wants nothing more.
pub type Doubt<'a> = &'a dyn Fn(&[Chess], &[Evaluation], &BTreeSet<usize>) -> BTreeSet<usize>;

/// How far an audit's searches have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Depth of the pass under way, plies.
    pub depth: u32,
    /// Positions answered in it.
    pub done: usize,
    /// Positions in it.
    pub total: usize,
}

/// Evaluates games, each given by its positions from the start to the last one; the deepest search of each stands.
///
/// # Errors
/// See [`Pool::evaluate`].
pub fn evaluate(
    pool: &mut Pool,
    games: &[Vec<Chess>],
    plan: Plan,
    doubt: Doubt,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Vec<Vec<Evaluation>>, EngineError> {
    let everything: Vec<(usize, usize)> =
        games.iter().enumerate().flat_map(|(g, game)| (0..game.len()).map(move |i| (g, i))).collect();
    let mut known: Vec<Vec<Evaluation>> = games.iter().map(|_| Vec::new()).collect();
    for (g, _, evaluation) in ask(pool, games, &everything, plan.shallow, progress)? {
        known[g].push(evaluation);
    }
    let mut deep: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); games.len()];
    let mut same: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
    for &(g, i) in &everything {
        same.entry(canonical_fen(&games[g][i])).or_default().push((g, i));
    }
    while plan.deep > plan.shallow {
        let mut wanted = Vec::new();
        for (g, game) in games.iter().enumerate() {
            let closing = game.len().saturating_sub(plan.closing + 1)..game.len();
            let mut deeper = doubt(game, &known[g], &deep[g]);
            deeper.extend(closing.filter(|_| plan.closing > 0));
            deeper.retain(|i| known[g].get(*i).is_some_and(|e| e.depth > 0) && !deep[g].contains(i));
            for i in deeper {
                for &(g, i) in &same[&canonical_fen(&game[i])] {
                    if deep[g].insert(i) {
                        wanted.push((g, i));
                    }
                }
            }
        }
        if wanted.is_empty() {
            break;
        }
        for (g, i, evaluation) in ask(pool, games, &wanted, plan.deep, progress)? {
            known[g][i] = evaluation;
        }
    }
    Ok(known)
}

fn ask(
    pool: &mut Pool,
    games: &[Vec<Chess>],
    wanted: &[(usize, usize)],
    depth: u32,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Vec<(usize, usize, Evaluation)>, EngineError> {
    let requests: Vec<Request> =
        wanted.iter().map(|&(g, i)| Request { position: games[g][i].clone(), depth }).collect();
    let answers = pool.evaluate(&requests, &|p| progress(Stage { depth, done: p.done, total: p.total }))?;
    Ok(wanted.iter().zip(answers).map(|(&(g, i), evaluation)| (g, i, evaluation)).collect())
}

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

/// Depth of the first pass where none is asked for, plies.
///
/// With it GNU Chess needs about 20 s of one core for both passes over a game of 36 moves (0.1 s a position at depth 7,
/// 0.75 s at depth 9). A ply more takes nearly three times that, and two busy cores do not finish it in a minute.
pub const DEPTH: u32 = 7;

/// Plies that the second pass of an outside engine looks further. An even number, so that both see the same side move
/// last: scores swing between odd and even depths. Two, as GNU Chess needs nearly three times as long for each ply more:
/// the first pass costs a seventh of what the second would cost everywhere.
pub const FURTHER: u32 = 2;

/// Closing moves where no number is asked for.
pub const CLOSING: usize = 10;

impl Plan {
    /// A first pass of `depth` plies and a second one `further` plies deeper, with the usual closing moves.
    pub fn two_passes(depth: u32, further: u32) -> Plan {
        Plan { shallow: depth, deep: depth + further, closing: CLOSING }
    }

    /// The same plan with a first pass of `depth` plies and a second one as many plies deeper as before.
    pub fn from_depth(self, depth: u32) -> Plan {
        Plan { shallow: depth, deep: depth + (self.deep - self.shallow), ..self }
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
    let two_passes = plan.deep > plan.shallow;
    loop {
        let mut wanted = Vec::new();
        for (g, game) in games.iter().enumerate().filter(|_| two_passes) {
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

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use shakmaty::Position;

    use super::*;
    use crate::engine::{Evaluator, Identity, MoverScore, pool::Starter, uci};

    /// Says the depth as the score, from the mover's view, and remembers what it was asked.
    struct Plumb {
        identity: Identity,
        asked: Asked,
    }

    impl Evaluator for Plumb {
        fn identity(&self) -> &Identity {
            &self.identity
        }

        fn evaluate(&mut self, request: &Request) -> Result<Evaluation, EngineError> {
            self.asked.lock().unwrap().push((canonical_fen(&request.position), request.depth));
            let best = request.position.legal_moves()[0];
            let score = MoverScore::Cp(request.depth as i32).to_white(request.position.turn());
            Ok(Evaluation { score, best: Some(best), depth: request.depth, pv: vec![best], steps: vec![] })
        }
    }

    type Asked = Arc<Mutex<Vec<(String, u32)>>>;

    fn pool(size: usize) -> (Pool, Asked) {
        let asked = Asked::default();
        let log = Arc::clone(&asked);
        let start: Starter = Box::new(move || {
            let identity = Identity { name: "plumb".to_owned(), version: "1".to_owned() };
            Ok(Box::new(Plumb { identity, asked: Arc::clone(&log) }))
        });
        (Pool::new(start, size, Arc::default()).unwrap(), asked)
    }

    fn game(moves: &[&str]) -> Vec<Chess> {
        let mut position = Chess::default();
        let mut positions = vec![position.clone()];
        for text in moves {
            let mv = uci::legal_move(text, &position).unwrap();
            position.play_unchecked(mv);
            positions.push(position.clone());
        }
        positions
    }

    fn depths(evaluations: &[Evaluation]) -> Vec<u32> {
        evaluations.iter().map(|e| e.depth).collect()
    }

    const QUIET: Doubt<'static> = &|_, _, _| BTreeSet::new();

    #[test]
    fn the_closing_moves_and_what_is_in_doubt_are_searched_deep_once() {
        let games = [game(&["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]), game(&["e2e4", "c7c5"])];
        let doubt: Doubt =
            &|game, _, deep| if deep.contains(&1) || game.len() < 4 { [].into() } else { [1].into() };
        let (mut pool, asked) = pool(2);
        let plan = Plan { shallow: 3, deep: 5, closing: 2 };
        let found = evaluate(&mut pool, &games, plan, doubt, &|_| {}).unwrap();
        assert_eq!(depths(&found[0]), [5, 5, 3, 3, 5, 5, 5]);
        assert_eq!(depths(&found[1]), [5, 5, 5]);
        let mut asked = asked.lock().unwrap().clone();
        let count = asked.len();
        asked.sort();
        asked.dedup();
        assert_eq!(asked.len(), count, "the same search twice");
    }

    #[test]
    fn another_first_pass_keeps_the_distance_of_the_second() {
        let plan = Plan { closing: 3, ..Plan::two_passes(10, 4) };
        assert_eq!(plan.from_depth(6), Plan { shallow: 6, deep: 10, closing: 3 });
        assert_eq!(Plan::uniform(8).from_depth(9), Plan::uniform(9));
    }

    #[test]
    fn a_position_that_comes_back_has_one_evaluation() {
        let back = game(&["g1f3", "g8f6", "f3g1", "f6g8", "e2e4"]);
        let doubt: Doubt = &|_, _, _| [0].into();
        let (mut pool, _) = pool(1);
        let plan = Plan { shallow: 3, deep: 5, closing: 0 };
        let found = evaluate(&mut pool, &[back], plan, doubt, &|_| {}).unwrap();
        assert_eq!(depths(&found[0]), [5, 3, 3, 3, 5, 3]);
    }

    #[test]
    fn the_rules_decide_finished_games() {
        let mated = game(&["f2f3", "e7e5", "g2g4", "d8h4"]);
        let (mut pool, asked) = pool(3);
        let found = evaluate(&mut pool, &[mated], Plan::two_passes(4, FURTHER), QUIET, &|_| {}).unwrap();
        assert_eq!(found[0][4].score.cp, -10_000);
        assert_eq!(found[0][4].best, None);
        assert_eq!(asked.lock().unwrap().len(), 8);
    }

    #[test]
    fn progress_ends_with_everything_done() {
        let (mut pool, _) = pool(2);
        let seen = Mutex::new(Vec::new());
        let game = game(&["e2e4", "e7e5"]);
        evaluate(&mut pool, &[game], Plan::uniform(2), QUIET, &|s| seen.lock().unwrap().push(s)).unwrap();
        let last = *seen.lock().unwrap().last().unwrap();
        assert_eq!(last, Stage { depth: 2, done: 3, total: 3 });
    }
}

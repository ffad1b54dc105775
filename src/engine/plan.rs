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
    /// The position whose search has been running longest.
    pub searching: Option<Place>,
}

/// A position among those of several games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The game, from 0.
    pub game: usize,
    /// The move that follows the position, as a ply of its game, from 1.
    pub ply: usize,
}

/// Where the third look ends: what is undecided after [`evaluate`] is searched a ply deeper at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The first depth of it, plies.
    pub from: u32,
    /// The last one.
    pub to: u32,
    /// Searches that one game is allowed in all of it.
    pub searches: usize,
}

/// Plies beyond the second pass that a move in doubt is followed. A choice: an odd and an even one, as scores swing
/// between the two, and no more, as each costs GNU Chess nearly three times the one before (1.1 s of one core a position
/// at depth 10, measured on 19 positions of tuning games that lie before or after a swing).
pub const BEYOND: u32 = 2;

/// Searches of the third look that a game is allowed. A choice: four moves once or two moves twice, so that a game full
/// of doubts costs no more than about as much again as both passes before.
pub const SEARCHES: usize = 8;

impl Plan {
    /// The usual third look after this plan.
    pub fn limit(self) -> Limit {
        Limit { from: self.deep + 1, to: self.deep + BEYOND, searches: SEARCHES }
    }
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

/// Tells which moves of one game are undecided, by index, the most pressing first, given the game's number, its positions
/// and what is known of them.
pub type Undecided<'a> = &'a dyn Fn(usize, &[Chess], &[Evaluation]) -> Vec<usize>;

/// Searches both sides of undecided moves deeper, a ply at a time, until none is undecided or `limit` is reached.
///
/// The budget is counted in searches, so that the same games have the same answers on any machine. A move is only begun
/// where both its positions are still paid for: one alone would compare two depths.
///
/// # Errors
/// See [`Pool::evaluate`].
pub fn settle(
    pool: &mut Pool,
    games: &[Vec<Chess>],
    known: &mut [Vec<Evaluation>],
    limit: Limit,
    undecided: Undecided,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<(), EngineError> {
    let mut left = vec![limit.searches; games.len()];
    for depth in limit.from..=limit.to {
        let mut wanted = Vec::new();
        for (g, game) in games.iter().enumerate() {
            let mut chosen: BTreeSet<usize> = BTreeSet::new();
            for mv in undecided(g, game, &known[g]) {
                let needed = |i: &usize| {
                    known[g].get(*i).is_some_and(|e| e.depth > 0 && e.depth < depth) && !chosen.contains(i)
                };
                let both: Vec<usize> = [mv, mv + 1].into_iter().filter(needed).collect();
                if both.len() <= left[g] {
                    left[g] -= both.len();
                    chosen.extend(both);
                }
            }
            let same: BTreeSet<String> = chosen.iter().map(|i| canonical_fen(&game[*i])).collect();
            let again = |i: &usize| same.contains(&canonical_fen(&game[*i]));
            wanted.extend((0..game.len()).filter(again).map(|i| (g, i)));
        }
        if wanted.is_empty() {
            continue;
        }
        for (g, i, evaluation) in ask(pool, games, &wanted, depth, progress)? {
            known[g][i] = evaluation;
        }
    }
    Ok(())
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
    let place = |i: usize| wanted.get(i).map(|&(game, i)| Place { game, ply: i + 1 });
    let answers = pool.evaluate(&requests, &|p| {
        let searching = p.searching.and_then(place);
        progress(Stage { depth, done: p.done, total: p.total, searching });
    })?;
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
        assert_eq!(last, Stage { depth: 2, done: 3, total: 3, searching: None });
        assert!(seen.lock().unwrap().iter().any(|s| s.searching == Some(Place { game: 0, ply: 2 })));
    }

    const LIMIT: Limit = Limit { from: 6, to: 8, searches: 100 };

    #[test]
    fn an_undecided_move_is_followed_until_it_is_decided() {
        let games = [game(&["e2e4", "e7e5", "g1f3", "b8c6"])];
        let (mut pool, asked) = pool(1);
        let mut known = evaluate(&mut pool, &games, Plan::uniform(5), QUIET, &|_| {}).unwrap();
        asked.lock().unwrap().clear();
        let until_seven: Undecided = &|_, _, known| if known[2].depth < 7 { vec![2] } else { vec![] };
        settle(&mut pool, &games, &mut known, LIMIT, until_seven, &|_| {}).unwrap();
        assert_eq!(depths(&known[0]), [5, 5, 7, 7, 5]);
        assert_eq!(asked.lock().unwrap().len(), 4);
    }

    #[test]
    fn the_budget_ends_what_would_never_be_decided() {
        let games = [game(&["e2e4", "e7e5", "g1f3", "b8c6"]), game(&["d2d4"])];
        let (mut pool, asked) = pool(1);
        let mut known = evaluate(&mut pool, &games, Plan::uniform(5), QUIET, &|_| {}).unwrap();
        asked.lock().unwrap().clear();
        let never: Undecided = &|g, _, _| if g == 0 { vec![3, 0, 1] } else { vec![] };
        settle(&mut pool, &games, &mut known, Limit { searches: 3, ..LIMIT }, never, &|_| {}).unwrap();
        // Two searches for the first move; the third one alone would compare two depths.
        assert_eq!(depths(&known[0]), [5, 5, 5, 6, 6]);
        assert_eq!(depths(&known[1]), [5, 5]);
        assert_eq!(asked.lock().unwrap().len(), 2);
        settle(&mut pool, &games, &mut known, LIMIT, never, &|_| {}).unwrap();
        assert_eq!(depths(&known[0]), [8; 5]);
    }
}

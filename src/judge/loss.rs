//! What each move lost: centipawns, winning chance, mates.

use shakmaty::{Color, Position, san::SanPlus};

use super::{BLUNDER, CAP, LISTED};
use crate::{
    engine::{Evaluation, WhiteScore},
    replay::Replay,
};

/// A move that cost its player [`BLUNDER`] centipawns or more.
#[derive(Clone, Debug, PartialEq)]
pub struct Blunder {
    /// Ply of the repaired game, from 1.
    pub ply: u32,
    /// Who moved.
    pub side: Color,
    /// The move.
    pub san: String,
    /// The engine's choice instead.
    pub best_san: String,
    /// The opponent's centipawns before the move, capped at ±[`CAP`].
    pub cp_before: i32,
    /// The opponent's centipawns after the move, capped at ±[`CAP`].
    pub cp_after: i32,
    /// `cp_after - cp_before`.
    pub swing: i32,
    /// What the move cost its player in winning chance, 0 to 1.
    pub win_loss: f64,
    /// Whether its place on the list was not settled; see [`Loss::borderline`].
    pub borderline: bool,
    /// What the move did to a forced mate.
    pub mate: Option<MateChange>,
}

/// How bad a move is, by the winning chance it lost.
///
/// The steps are those of lichess: 0.1, 0.2, 0.3 on a scale from -1 to 1, so half of that here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// At least 0.05.
    Inaccuracy,
    /// At least 0.10.
    Mistake,
    /// At least 0.15.
    Blunder,
}

/// What a move did to a forced mate, as far as the engine saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MateChange {
    /// The mover had a forced mate in so many moves and has none any more.
    Lost(u32),
    /// The mover let the opponent have a forced mate in so many moves.
    Allowed(u32),
}

/// What one move lost.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// Ply of the repaired game, from 1.
    pub ply: u32,
    /// Who moved.
    pub side: Color,
    /// Centipawns that the opponent gained, both scores capped at ±[`CAP`]; below 0 where the engine liked the
    /// position better after the move.
    pub swing: i32,
    /// Winning chance that the mover lost, 0 to 1, never negative.
    pub win_loss: f64,
    /// How bad that is.
    pub grade: Option<Grade>,
    /// What the move did to a forced mate.
    pub mate: Option<MateChange>,
    /// Whether the searches ended before it was settled on which side of the [`BLUNDER`] line the move is; see
    /// [`undecided`](super::undecided).
    pub borderline: bool,
}

/// Centipawns around [`BLUNDER`] within which a ply more or less may well change the list: half of GNU Chess's swings
/// above 90 move by about as much from one depth to the next (14 to 34, depths 6 to 9).
pub const BAND: i32 = 25;

/// The moves of one game judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The blunders to be listed, worst first: at most [`LISTED`], those that cost most winning chance.
    pub blunders: Vec<Blunder>,
    /// Every blunder, in the order of the game.
    pub all_blunders: Vec<Blunder>,
    /// Every move, in the order of the game.
    pub losses: Vec<Loss>,
}

impl Judgement {
    /// The ply to be shown where something must be shown: the first blunder of the list, else the worst loss there
    /// was; `None` in a game without moves.
    pub fn worst_ply(&self) -> Option<u32> {
        let worst_loss = || self.losses.iter().min_by_key(|l| (-l.swing, l.ply)).map(|l| l.ply);
        self.blunders.first().map(|b| b.ply).or_else(worst_loss)
    }
}

/// The chance to win, 0 to 1, with so many centipawns from the own view: `1 / (1 + exp(-0.00368208 cp))`.
///
/// The scale is lichess's, fitted on its rated games (`scalachess`, `WinPercent`).
pub fn win_chance(cp: i32) -> f64 {
    1.0 / (1.0 + (-0.003_682_08 * f64::from(cp)).exp())
}

/// Judges a game by the evaluations of its positions, from the start to the one after the last move.
///
/// Moves without an evaluation before and after them are not judged. `undecided` are the moves, by index, that no search
/// settled ([`undecided`](super::undecided)).
pub fn judge(game: &Replay, evaluations: &[Evaluation], undecided: &[usize]) -> Judgement {
    let mut position = game.start.clone();
    let mut losses = Vec::new();
    let mut all_blunders = Vec::new();
    for ((played, pair), ply) in game.plies.iter().zip(evaluations.windows(2)).zip(1..) {
        let side = position.turn();
        let (before, after) = (&pair[0], &pair[1]);
        let open = undecided.contains(&(ply as usize - 1));
        let loss = Loss { borderline: open, ..loss(ply, side, before, after) };
        if loss.swing >= BLUNDER {
            let best_san = before
                .best
                .map(|mv| SanPlus::from_move(position.clone(), mv).to_string())
                .unwrap_or_default();
            all_blunders.push(Blunder {
                ply,
                side,
                san: played.san.clone(),
                best_san,
                cp_before: capped(before.score, side.other()),
                cp_after: capped(after.score, side.other()),
                swing: loss.swing,
                win_loss: loss.win_loss,
                borderline: loss.borderline,
                mate: loss.mate,
            });
        }
        losses.push(loss);
        position.play_unchecked(played.mv);
    }
    Judgement { blunders: listed(&all_blunders), all_blunders, losses }
}

/// The ones that cost most winning chance, by swing, then ply.
fn listed(all: &[Blunder]) -> Vec<Blunder> {
    let mut listed = all.to_vec();
    // Rounded, so that the same loss on either side of the curve is the same.
    listed.sort_by_key(|b| (-(b.win_loss * 1e9).round() as i64, b.ply));
    listed.truncate(LISTED);
    listed.sort_by_key(|b| (-b.swing, b.ply));
    listed
}

fn loss(ply: u32, side: Color, before: &Evaluation, after: &Evaluation) -> Loss {
    let swing = swing(side, before.score, after.score);
    let win_loss = (win_chance(capped(before.score, side)) - win_chance(capped(after.score, side))).max(0.0);
    let grade = match win_loss {
        w if w >= 0.15 => Some(Grade::Blunder),
        w if w >= 0.10 => Some(Grade::Mistake),
        w if w >= 0.05 => Some(Grade::Inaccuracy),
        _ => None,
    };
    let mate = match (mate_for(side, before.score), mate_for(side.other(), after.score)) {
        (Some(n), _) if mate_for(side, after.score).is_none() => Some(MateChange::Lost(n)),
        (_, Some(n)) if mate_for(side.other(), before.score).is_none() => Some(MateChange::Allowed(n)),
        _ => None,
    };
    Loss { ply, side, swing, win_loss, grade, mate, borderline: false }
}

/// Centipawns that the opponent of `side` gained between two positions, capped.
pub fn swing(side: Color, before: WhiteScore, after: WhiteScore) -> i32 {
    capped(before, side) - capped(after, side)
}

/// The score as `view` sees it, capped.
fn capped(score: WhiteScore, view: Color) -> i32 {
    view.fold_wb(score.cp, -score.cp).clamp(-CAP, CAP)
}

/// In how many moves `side` mates, if the score says so.
fn mate_for(side: Color, score: WhiteScore) -> Option<u32> {
    let own = side.fold_wb(score.cp, -score.cp);
    u32::try_from(10_000 - own).ok().filter(|n| *n < 1000)
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, san::San};

    use super::*;
    use crate::{engine::MoverScore, replay::Played};

    fn game(sans: &[&str]) -> Replay {
        let mut position = Chess::default();
        let mut plies = Vec::new();
        for (slot, san) in sans.iter().enumerate() {
            let mv = san.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(mv);
            plies.push(Played { slot, mv, san: (*san).to_owned() });
        }
        Replay {
            start: Chess::default(),
            first_number: 1,
            plies,
            end: position,
            refusal: None,
            letters: &crate::sheet::letters::ENGLISH,
            variant: None,
            side_to_move: None,
            findings: Vec::new(),
        }
    }

    /// Evaluations of the positions of `game` with these scores and the first legal move as the best.
    fn scored(game: &Replay, scores: &[i32]) -> Vec<Evaluation> {
        let mut position = game.start.clone();
        let mut evaluations = Vec::new();
        for (i, cp) in scores.iter().enumerate() {
            let best = position.legal_moves()[0];
            let score = WhiteScore { cp: *cp };
            evaluations.push(Evaluation { score, best: Some(best), depth: 8, pv: vec![best], steps: vec![] });
            if let Some(played) = game.plies.get(i) {
                position.play_unchecked(played.mv);
            }
        }
        evaluations
    }

    /// The judgement of a game in which every move is settled.
    fn judge(game: &Replay, evaluations: &[Evaluation]) -> Judgement {
        super::judge(game, evaluations, &[])
    }

    const OPENING: [&str; 8] = ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "c3", "Nf6"];

    #[test]
    fn a_swing_is_what_the_opponent_gained_for_both_players() {
        let game = game(&OPENING[..4]);
        let judged = judge(&game, &scored(&game, &[30, -170, 40, 20, 199]));
        let found: Vec<_> =
            judged.all_blunders.iter().map(|b| (b.ply, b.cp_before, b.cp_after, b.swing)).collect();
        assert_eq!(found, [(1, -30, 170, 200), (2, -170, 40, 210)]);
        assert_eq!(judged.losses.iter().map(|l| l.swing).collect::<Vec<_>>(), [200, 210, 20, 179]);
        assert_eq!(judged.worst_ply(), Some(2));
    }

    #[test]
    fn won_is_won_however_high_the_score() {
        let game = game(&OPENING[..2]);
        let judged = judge(&game, &scored(&game, &[1200, 9995, 900]));
        assert_eq!(judged.all_blunders, []);
        assert_eq!(judged.losses[0].swing, 0);
        assert_eq!(judged.losses[1].swing, -100);
        let judged = judge(&game, &scored(&game, &[9995, 820, 9990]));
        let found: Vec<_> =
            judged.blunders.iter().map(|b| (b.ply, b.cp_before, b.cp_after, b.swing)).collect();
        assert_eq!(found, [(1, -1000, -820, 180), (2, 820, 1000, 180)]);
    }

    #[test]
    fn four_are_listed_by_winning_chance_and_shown_by_swing() {
        let game = game(&OPENING);
        // Ply 1 loses most centipawns where it costs least: from winning to still winning.
        let judged = judge(&game, &scored(&game, &[1000, 600, 900, 100, 300, 100, 300, 90, 320]));
        assert_eq!(judged.all_blunders.len(), 8);
        let listed: Vec<_> = judged.blunders.iter().map(|b| (b.ply, b.swing)).collect();
        assert_eq!(listed, [(3, 800), (8, 230), (7, 210), (4, 200)]);
        assert!(judged.all_blunders.iter().any(|b| b.ply == 1 && b.swing == 400));
    }

    #[test]
    fn no_blunder_is_invented() {
        let game = game(&OPENING[..3]);
        let judged = judge(&game, &scored(&game, &[30, -149, 20, -100]));
        assert_eq!((judged.blunders.len(), judged.all_blunders.len()), (0, 0));
        assert_eq!(judged.worst_ply(), Some(1));
        assert_eq!(judged.losses[0].grade, Some(Grade::Blunder));
        assert_eq!(judge(&Replay { plies: vec![], ..game }, &[]).worst_ply(), None);
    }

    #[test]
    fn the_other_colour_is_judged_alike() {
        let game = game(&OPENING[..2]);
        for (before, after) in [(30, -200), (-500, -9996), (9990, 400), (0, 0), (1400, -1400)] {
            let white = judge(&game, &scored(&game, &[before, after, 0])).losses[0].clone();
            let black = judge(&game, &scored(&game, &[0, -before, -after])).losses[1].clone();
            assert_eq!(Loss { ply: 1, side: Color::White, ..black }, white);
        }
    }

    #[test]
    fn mates_lost_and_allowed_are_told_apart() {
        let game = game(&OPENING[..2]);
        let change = |scores: [i32; 3], ply: usize| judge(&game, &scored(&game, &scores)).losses[ply].mate;
        let mates = |n| MoverScore::Mates(n).to_white(Color::White).cp;
        assert_eq!(change([mates(3), 300, 0], 0), Some(MateChange::Lost(3)));
        assert_eq!(change([20, -mates(2), 0], 0), Some(MateChange::Allowed(2)));
        assert_eq!(change([mates(3), mates(2), 0], 0), None);
        assert_eq!(change([-mates(3), -mates(2), 0], 0), None);
        assert_eq!(change([0, 20, mates(1)], 1), Some(MateChange::Allowed(1)));
        assert_eq!(change([20, mates(0), 0], 0), None);
    }

    #[test]
    fn what_no_search_settled_is_borderline_and_nothing_else() {
        let game = game(&OPENING[..2]);
        let judged = super::judge(&game, &scored(&game, &[0, -200, 0]), &[0]);
        assert!(judged.losses[0].borderline && judged.all_blunders[0].borderline);
        assert!(!judged.losses[1].borderline && !judged.all_blunders[1].borderline);
    }

    #[test]
    fn winning_chance_is_the_logistic_curve() {
        assert_eq!(win_chance(0), 0.5);
        assert!((win_chance(100) - 0.591_0).abs() < 1e-4, "{}", win_chance(100));
        for cp in [1, 77, 1000] {
            assert!((win_chance(cp) + win_chance(-cp) - 1.0).abs() < 1e-12);
        }
    }
}

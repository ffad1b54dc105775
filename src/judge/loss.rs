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
    /// Whether one ply of depth more or less could take it off the list; see [`Loss::borderline`].
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
    /// Whether the move would change sides of the [`BLUNDER`] line with one ply of depth less in the engine's own
    /// iterations, or is within [`BAND`] of it.
    pub borderline: bool,
}

/// Centipawns around [`BLUNDER`] within which one more ply of depth changes the list as often as not.
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
/// Moves without an evaluation before and after them are not judged.
pub fn judge(game: &Replay, evaluations: &[Evaluation]) -> Judgement {
    let mut position = game.start.clone();
    let mut losses = Vec::new();
    let mut all_blunders = Vec::new();
    for ((played, pair), ply) in game.plies.iter().zip(evaluations.windows(2)).zip(1..) {
        let side = position.turn();
        let (before, after) = (&pair[0], &pair[1]);
        let loss = loss(ply, side, before, after);
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
    listed.sort_by(|a, b| b.win_loss.total_cmp(&a.win_loss).then(a.ply.cmp(&b.ply)));
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
    // A ply less on one side at a time, as a swing compares two searches.
    let earlier = |e: &Evaluation| e.steps.last().map_or(e.score, |s| s.score);
    let others =
        [self::swing(side, earlier(before), after.score), self::swing(side, before.score, earlier(after))];
    let is_blunder = swing >= BLUNDER;
    let borderline = (swing - BLUNDER).abs() <= BAND || others.iter().any(|s| (*s >= BLUNDER) != is_blunder);
    Loss { ply, side, swing, win_loss, grade, mate, borderline }
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

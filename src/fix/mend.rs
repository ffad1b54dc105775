//! The repaired text: edits spliced into the input until what comes out reads clean.

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::{Chess, Move, Position, Role};

use crate::{
    finding::{Finding, TextEdit},
    fix::{self, AgainstRules, Purpose},
    repair::{Op, Repair},
    replay::{self, Replay},
    rules,
    sheet::{
        Game, Source, Span, game, letters,
        notation::{self, Form},
    },
};

/// Rounds of repairs of the text at most; one is usual, a second where the first lays something bare.
const ROUNDS: usize = 6;

/// A repaired score and the edits that make it out of the input.
#[derive(Clone, Debug)]
pub struct Mended {
    /// The repaired text.
    pub source: Source,
    /// The repaired game.
    pub game: Game,
    /// It played.
    pub replay: Replay,
    /// The changes of which move is played, as first laid on the input's text.
    pub moves: Vec<(Purpose, TextEdit)>,
    /// The findings whose cure changed the text; spans count in the input's text.
    pub cured: Vec<Finding>,
    /// All edits on the input's text, by place.
    pub edits: Vec<TextEdit>,
}

/// Carries out a repair and the cures of the findings.
///
/// Whatever a round lays bare (a foreign letter behind the first illegal move, say) is cured in the next one.
///
/// `against` says what becomes of moves that were played against the rules.
pub fn mend(
    source: &Source,
    game: &Game,
    replay: &Replay,
    repair: Option<&Repair>,
    against: AgainstRules,
) -> Mended {
    if let Some(mended) = relaid(source, game, repair, against) {
        return mended;
    }
    let moves = repair.map_or_else(Vec::new, |r| fix::moves(&source.text, game, &replay.start, r, against));
    let mut edits: Vec<TextEdit> = moves.iter().map(|(_, edit)| edit.clone()).collect();
    let mut cured = Vec::new();
    let english = std::ptr::eq(replay.letters, &letters::ENGLISH);
    let respelled = match repair {
        Some(repair) if !english => translate(game, replay, repair),
        _ => spelled_out(game, replay, repair),
    };
    edits.extend(respelled.iter().flat_map(|f| f.fix.iter().cloned()));
    cured.extend(respelled);
    let mut now = State { source: source.clone(), game: game.clone(), replay: replay.clone() };
    for round in 0..ROUNDS {
        let mut fresh = if round == 0 { edits.clone() } else { Vec::new() };
        let mut taken = Taken::default();
        fresh.iter().for_each(|e| taken.add(e.span));
        // What a finding puts before an entry (its number, say) waits for the move that the repair puts there.
        let put_in = taken.inserted.clone();
        let waits = |e: &TextEdit| {
            e.span.is_empty() && put_in.contains(&e.span.start) && !e.text.trim_ascii().is_empty()
        };
        let origins = fix::Origins::new(if round == 0 { &[] } else { &edits });
        for finding in now.game.findings.iter().chain(&now.replay.findings) {
            if finding.fix.is_empty() || finding.fix.iter().any(|f| taken.clashes(f.span) || waits(f)) {
                continue;
            }
            finding.fix.iter().for_each(|e| taken.add(e.span));
            fresh.extend(finding.fix.iter().cloned());
            let mut finding = finding.clone();
            finding.span = origins.span(finding.span);
            cured.push(finding);
        }
        if fresh.is_empty() {
            break;
        }
        let all = if round == 0 { fresh } else { fix::compose(source.text.len(), &edits, &fresh) };
        // Edits that take the game away, in a text that is hardly one, are not carried out.
        let Some(next) = State::read(source, &all) else { break };
        (now, edits) = (next, all);
    }
    let misnumbered =
        |replay: &Replay| replay.findings.iter().any(|f| f.rule.code == rules::WRONG_MOVE_NUMBER.code);
    let shifts = repair.is_some_and(|r| r.best.edits.iter().any(|e| matches!(e.op, Op::Insert | Op::Delete)));
    if shifts && now.replay.refusal.is_none() && !misnumbered(replay) {
        let fresh = renumbered(game, &now, &edits);
        let changes: Vec<TextEdit> = fresh.iter().flat_map(|f| f.fix.iter().cloned()).collect();
        let all = fix::compose(source.text.len(), &edits, &changes);
        // A number in an unusual place is left alone rather than guessed at.
        let next = State::read(source, &all).filter(|next| !changes.is_empty() && !misnumbered(&next.replay));
        if let Some(next) = next.filter(|next| same_moves(&next.replay, &now.replay)) {
            (now, edits) = (next, all);
            cured.extend(fresh);
        }
    }
    Mended { source: now.source, game: now.game, replay: now.replay, moves, cured, edits }
}

/// A score in two lists: laid out as one movetext first, in which a repair can put moves in and leave moves out.
fn relaid(source: &Source, game: &Game, repair: Option<&Repair>, against: AgainstRules) -> Option<Mended> {
    let lists = game.findings.iter().find(|f| f.rule.code == rules::TWO_LISTS.code && !f.fix.is_empty())?;
    let laid = State::read(source, &lists.fix).filter(|laid| laid.game.slots.len() == game.slots.len())?;
    let mut mended = mend(&laid.source, &laid.game, &laid.replay, repair, against);
    let origins = fix::Origins::new(&lists.fix);
    mended.moves.iter_mut().for_each(|(_, edit)| edit.span = origins.span(edit.span));
    mended.cured.iter_mut().for_each(|finding| finding.span = origins.span(finding.span));
    mended.cured.insert(0, lists.clone());
    mended.edits = fix::compose(source.text.len(), &lists.fix, &mended.edits);
    Some(mended)
}

fn same_moves(one: &Replay, other: &Replay) -> bool {
    one.plies.iter().map(|p| p.mv).eq(other.plies.iter().map(|p| p.mv))
}

/// The numbers that moves put in or left out have shifted, as findings about the input: the fixes count in the
/// text of `now`.
fn renumbered(input: &Game, now: &State, edits: &[TextEdit]) -> Vec<Finding> {
    let origins = fix::Origins::new(edits);
    let numbers = fix::numbers(&now.source.text, &now.game, &now.replay.start);
    let found = numbers.into_iter().map(|(slot, change)| {
        let span = origins.span(change.span);
        let entry = input.slots.partition_point(|s| s.span.start < span.end);
        let (was, due) =
            (now.game.slots[slot].number.unwrap_or(0), String::from_utf8_lossy(&change.text).into_owned());
        let message = format!("with the moves put in or left out, number {was} is number {due}");
        Finding {
            ply: u32::try_from(entry + 1).ok().filter(|_| entry < input.slots.len()),
            fix: vec![change],
            ..Finding::new(&rules::WRONG_MOVE_NUMBER, span, message)
        }
    });
    found.collect()
}

/// Every entry that is played as it is written and has to be spelled out all the same: one that on its own says something
/// else there, as `e2e4` that stands for a pawn's move from e5 to e4; and the bare pairs of squares of a game in which
/// pieces are written so too, since what is left of them among SAN could be taken for two moves glued together.
fn spelled_out(game: &Game, replay: &Replay, repair: Option<&Repair>) -> Vec<Finding> {
    let played: Vec<(usize, Move, &str)> = match repair {
        Some(repair) => fix::align(game.slots.len(), repair)
            .into_iter()
            .filter_map(|step| step.slot.zip(step.ply).filter(|_| step.edit.is_none()))
            .map(|(slot, ply)| (slot, repair.best.moves[ply], repair.best.sans[ply].as_str()))
            .collect(),
        None => replay.plies.iter().map(|played| (played.slot, played.mv, played.san.as_str())).collect(),
    };
    let form = |slot: usize| {
        let written = &game.slots[slot];
        if written.blank { Form::Blank } else { notation::parse(&written.written, replay.letters) }
    };
    let pair = |slot: usize| matches!(form(slot), Form::Move(m) if m.role.is_none());
    let pieces = played.iter().any(|(slot, mv, _)| mv.role() != Role::Pawn && pair(*slot));
    let elsewhere = repair.map_or_else(Vec::new, |repair| misleading(game, replay, repair));
    let found = played.into_iter().filter(|(slot, ..)| pieces && pair(*slot) || elsewhere.contains(slot));
    found
        .map(|(slot, _, san)| {
            let written = &game.slots[slot];
            Finding {
                ply: u32::try_from(slot + 1).ok(),
                fix: vec![TextEdit { span: written.span, text: san.as_bytes().to_vec() }],
                ..Finding::new(
                    &rules::LONG_ALGEBRAIC,
                    written.span,
                    format!("{} is read as {san}", written.written),
                )
            }
        })
        .collect()
}

/// The entries that the repair plays as they are written though on their own they say something else there.
fn misleading(game: &Game, replay: &Replay, repair: &Repair) -> Vec<usize> {
    let mut position = replay.start.clone();
    let mut found = Vec::new();
    for step in fix::align(game.slots.len(), repair) {
        let Some(ply) = step.ply else { continue };
        let mv = repair.best.moves[ply];
        if let (Some(slot), None) = (step.slot, step.edit) {
            let written = &game.slots[slot];
            let form =
                if written.blank { Form::Blank } else { notation::parse(&written.written, replay.letters) };
            if replay::resolve(&position, &form, &written.written) != Ok(mv) {
                found.push(slot);
            }
        }
        position.play_unchecked(mv);
    }
    found
}

/// Every move that is played as written but in foreign letters, in English ones: once some moves are repaired, the
/// language of the others cannot be told any more.
fn translate(game: &Game, replay: &Replay, repair: &Repair) -> Vec<Finding> {
    let steps = fix::align(game.slots.len(), repair);
    let plain = steps.iter().filter(|step| step.edit.is_none());
    let foreign = plain.filter_map(|step| {
        let (slot, ply) = (step.slot?, step.ply?);
        let (written, san) = (&game.slots[slot], &repair.best.sans[ply]);
        let bare = |text: &str| text.trim_end_matches(['+', '#']).to_owned();
        let foreign = bare(&written.written) != bare(san) && !san.starts_with('O');
        let message = format!("{} is in the letters of {}", written.written, replay.letters.languages);
        foreign.then(|| Finding {
            ply: u32::try_from(slot + 1).ok(),
            fix: vec![TextEdit { span: written.span, text: san.as_bytes().to_vec() }],
            ..Finding::new(&rules::FOREIGN_LETTERS, written.span, message)
        })
    });
    foreign.collect()
}

impl Mended {
    /// A score that is left as it is.
    pub fn unchanged(source: &Source, game: &Game, replay: &Replay) -> Mended {
        Mended {
            source: source.clone(),
            game: game.clone(),
            replay: replay.clone(),
            moves: Vec::new(),
            cured: Vec::new(),
            edits: Vec::new(),
        }
    }

    /// Sets the result in tag and terminator; returns whether that changed anything.
    pub fn set_result(&mut self, input: &Source, value: &str) -> bool {
        let fresh = fix::result(&self.source.text, &self.game, value);
        if fresh.is_empty() {
            return false;
        }
        let edits = fix::compose(input.text.len(), &self.edits, &fresh);
        let Some(State { source, game, replay }) = State::read(input, &edits) else { return false };
        (self.edits, self.source, self.game, self.replay) = (edits, source, game, replay);
        true
    }

    /// The positions from the start to the one after the last move.
    pub fn positions(&self) -> Vec<Chess> {
        let mut position = self.replay.start.clone();
        let mut positions = vec![position.clone()];
        for played in &self.replay.plies {
            position.play_unchecked(played.mv);
            positions.push(position.clone());
        }
        positions
    }
}

struct State {
    source: Source,
    game: Game,
    replay: Replay,
}

impl State {
    /// The edited text, read and played again; `None` where it holds no game any more.
    fn read(input: &Source, edits: &[TextEdit]) -> Option<State> {
        let source = Source::part(fix::splice(&input.text, edits), input.encoding, input.origin);
        let source = source.followed(input.followed);
        let mut games = game::games(&source).into_iter();
        let game = games.find(|g| !g.is_empty())?;
        let replay = replay::replay(&source, &game);
        Some(State { source, game, replay })
    }
}

/// The spans of the edits chosen so far.
#[derive(Default)]
struct Taken {
    /// Start to end of those that replace text.
    replaced: BTreeMap<usize, usize>,
    inserted: BTreeSet<usize>,
}

impl Taken {
    fn add(&mut self, span: Span) {
        if span.is_empty() {
            self.inserted.insert(span.start);
        } else {
            self.replaced.insert(span.start, span.end);
        }
    }

    /// Whether an edit of this span cannot be carried out beside the others; spans that only touch can.
    fn clashes(&self, span: Span) -> bool {
        let last = self.replaced.range(..span.end).next_back();
        last.is_some_and(|(_, end)| *end > span.start)
            || (!span.is_empty() && self.inserted.range(span.start + 1..span.end).next().is_some())
    }
}

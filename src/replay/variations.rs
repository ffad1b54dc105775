//! Variations: read in the language of the game, so that readers that play them do not stumble either.

use shakmaty::{Chess, Position};

use super::{Replay, deviations, parse_slot, resolve};
use crate::{
    finding::{Finding, TextEdit},
    rules,
    sheet::{Game, Source, Span, notation},
};

/// Findings inside variations: spellings with their fix, and moves that cannot be played.
pub(super) fn check(source: &Source, game: &Game, replay: &Replay, findings: &mut Vec<Finding>) {
    if game.variations.is_empty() {
        return;
    }
    let mut main = vec![replay.start.clone()];
    for played in &replay.plies {
        let mut pos = main[main.len() - 1].clone();
        pos.play_unchecked(played.mv);
        main.push(pos);
    }
    // Positions of each variation, as far as it could be played.
    let mut lines: Vec<Vec<Chess>> = Vec::with_capacity(game.variations.len());
    let mut skipped: Option<Span> = None;
    for variation in &game.variations {
        let parent = match variation.parent {
            None => &main,
            Some(index) => &lines[index],
        };
        let from = variation.after.checked_sub(1).and_then(|i| parent.get(i)).cloned();
        let inside_skipped = skipped.is_some_and(|s| variation.span.end <= s.end);
        let mut positions = Vec::new();
        if variation.after == 0 && !inside_skipped && !variation.slots.is_empty() {
            // python-chess takes its moves for those of the game.
            let message = "a variation before any move that it could replace";
            let fix = as_comment(source, variation.span);
            let span = Span::new(variation.span.start, variation.span.start + 1);
            findings.push(Finding { fix, ..Finding::new(&rules::ILLEGAL_VARIATION, span, message) });
            skipped = Some(variation.span);
        }
        if let Some(mut pos) = from.filter(|_| !inside_skipped) {
            positions.push(pos.clone());
            for slot in &variation.slots {
                let form = parse_slot(slot.blank, &slot.written, replay.letters);
                match resolve(&pos, &form, &slot.written) {
                    Ok(mv) => {
                        let san = deviations::canonical(&pos, mv);
                        if let Some((rule, message, fix)) =
                            deviations::spelling(source, slot, &form, &pos, mv, &san, replay.letters)
                            && !fix.is_empty()
                        {
                            let message = format!("in a variation, {message}");
                            findings.push(Finding { fix, ..Finding::new(rule, slot.span, message) });
                        }
                        pos.play_unchecked(mv);
                        positions.push(pos.clone());
                    }
                    Err(_)
                        if notation::is_null_move(&slot.written)
                            && let Ok(passed) = pos.clone().swap_turn() =>
                    {
                        // A null move: the turn passes, which only a side in check cannot do.
                        if slot.written != "--" {
                            let message = format!("in a variation, {} is the null move --", slot.written);
                            let fix = vec![TextEdit::replace(slot.span, "--")];
                            findings.push(Finding {
                                fix,
                                ..Finding::new(&rules::NULL_MOVE_SPELLING, slot.span, message)
                            });
                        }
                        pos = passed;
                        positions.push(pos.clone());
                    }
                    Err(refused) => {
                        let message = format!("in a variation, {}: {}", slot.written, refused.reason);
                        let fix = as_comment(source, variation.span);
                        findings.push(Finding {
                            fix,
                            ..Finding::new(&rules::ILLEGAL_VARIATION, slot.span, message)
                        });
                        skipped = Some(variation.span);
                        break;
                    }
                }
            }
        }
        lines.push(positions);
    }
    // An edit inside a variation that becomes a comment would be lost in it. Variations that become comments
    // do not lie inside each other.
    let mut comments: Vec<Span> = findings
        .iter()
        .filter(|f| f.rule.code == rules::ILLEGAL_VARIATION.code)
        .flat_map(|f| f.fix.iter().map(|e| e.span))
        .collect();
    comments.sort_unstable();
    let inside = |span: Span| {
        let after = comments.partition_point(|c| c.start <= span.start);
        after.checked_sub(1).is_some_and(|i| span.end <= comments[i].end)
    };
    for finding in findings.iter_mut().filter(|f| f.rule.code != rules::ILLEGAL_VARIATION.code) {
        finding.fix.retain(|e| !inside(e.span));
    }
}

/// The variation as a comment; comments in it, which cannot be nested, get round brackets.
fn as_comment(source: &Source, span: Span) -> Vec<TextEdit> {
    let bytes = source.bytes(span);
    if bytes.len() < 2 || bytes[0] != b'(' || bytes[bytes.len() - 1] != b')' {
        return Vec::new();
    }
    let round = |b: &u8| match b {
        b'{' => b'(',
        b'}' => b')',
        other => *other,
    };
    let mut text: Vec<u8> = bytes.iter().map(round).collect();
    text[0] = b'{';
    let last = text.len() - 1;
    text[last] = b'}';
    vec![TextEdit { span, text }]
}

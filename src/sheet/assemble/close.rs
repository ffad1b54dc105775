//! The end of a game: what was gathered becomes a game, and is told.

use super::{Builder, line::Line};
use crate::{
    finding::{Finding, TextEdit},
    rules,
    sheet::{Game, Span, outcome, tags},
};

impl Builder<'_> {
    pub(super) fn close_game(&mut self, end: usize) {
        let at = self.items.partition_point(|i| i.span.start < end);
        if self.lines.len() > 1 {
            self.close_lines(at, 1);
        }
        let main = std::mem::replace(&mut self.lines[0], Line::new(None, false));
        let mut game = std::mem::replace(&mut self.game, Game::empty(Span::new(end, end)));
        game.slots = main.slots;
        game.span.end = end;
        self.tell(&mut game);
        self.check_numbers(&mut game);
        tags::check(self.source, &game.tags, &mut game.findings);
        missing_terminator(&self.source.text, &mut game);
        (self.ended, self.numbers, self.bare_numbers) = (false, 0, 0);
        self.done.push(game);
    }

    /// Adds what is told together.
    fn tell(&mut self, game: &mut Game) {
        // What stands inside a remark that becomes a comment is not changed on its own.
        let remarks = std::mem::take(&mut self.remarks);
        let within = |s: Span| {
            let after = remarks.partition_point(|r| r.start <= s.start);
            after.checked_sub(1).is_some_and(|i| s.end <= remarks[i].end && remarks[i] != s)
        };
        let mut told = std::mem::take(&mut self.told);
        let inner = |r: &Span| Span::new(r.start + 1, r.end - 1);
        told.times.fix.extend(remarks.iter().map(|r| TextEdit { span: *r, ..self.braces(inner(r)) }));
        let mut told = told.findings();
        for finding in told.iter_mut().chain(&mut game.findings) {
            finding.fix.retain(|e| !within(e.span));
        }
        game.findings.retain(|f| f.rule.code != rules::TEXT_IN_MOVETEXT.code || !within(f.span));
        let chatter = std::mem::take(&mut self.chatter);
        chatter.tell(&rules::TEXT_OUTSIDE_GAMES, "text outside the game", &mut told);
        game.findings.extend(told);
    }

    fn check_numbers(&self, game: &mut Game) {
        let Some(first) = game.slots.first() else { return };
        let message = if self.numbers == 0 && game.slots.len() > 1 {
            "the moves have no numbers"
        } else if self.bare_numbers > 0 && self.bare_numbers == self.numbers {
            "the move numbers have no periods"
        } else {
            return;
        };
        game.findings.push(Finding::new(&rules::MOVE_NUMBER_STYLE, first.span, message));
    }
}

fn missing_terminator(text: &[u8], game: &mut Game) {
    if game.terminator.is_some() || game.is_empty() {
        return;
    }
    let tag = game.tag("Result").and_then(outcome::parse).filter(|v| *v != "0-0");
    let end = if game.movetext_end > game.span.start {
        game.movetext_end
    } else {
        game.tags.last().map_or(game.span.start, |t| t.span.end)
    };
    game.movetext_end = end;
    let at = Span::new(end, end);
    let result = outcome::at_the_end(text, game, tag.unwrap_or("*"));
    let message = match tag {
        Some(tag) => format!("the movetext does not end with a result; the tag says {tag}"),
        None => "the movetext does not end with a result".to_string(),
    };
    game.findings.push(Finding::new(&rules::MISSING_TERMINATOR, at, message).cured_by(result));
}

//! Items gathered into games: which is a move of which line, which a blank box, which prose.

mod ahead;
mod between;
mod close;
mod entries;
mod line;
mod outside;
mod promotion;
mod result;
mod told;
mod unreadable;
mod variations;

use super::{
    Game, Source, Span, cut,
    items::{Item, ItemKind, items},
    lexer::slice_tokens,
    lists, spacing, tags,
    word::PieceKind,
};
use crate::{
    finding::{Finding, TextEdit},
    rules,
};
use ahead::Ahead;
use line::Line;
use told::{Gathered, Told};

/// The games of one slice: one, or several without tags; none if it holds none.
pub(super) fn games(source: &Source, slice: Span) -> Vec<Game> {
    let tokens = slice_tokens(&source.text, slice);
    let (items, lists) = lists::interleaved(source, items(&source.text, &tokens));
    let mut builder = Builder::new(source, &items, slice);
    builder.run();
    let mut games = builder.finish(slice.end);
    if let (Some(finding), Some(game)) = (lists, games.iter_mut().find(|g| !g.slots.is_empty())) {
        game.findings.push(finding);
    }
    for game in &mut games {
        spacing::check(source, &tokens, game);
        game.findings.sort_by_key(|f| (f.span.start, f.rule.code));
    }
    games.retain(|g| !g.is_empty());
    games
}

struct Builder<'a> {
    source: &'a Source,
    items: &'a [Item],
    ahead: Ahead,
    /// Where braces stand in the slice.
    brace_marks: Vec<usize>,
    done: Vec<Game>,
    game: Game,
    /// The main line and the variations open in it, the innermost last.
    lines: Vec<Line>,
    /// The result was read.
    ended: bool,
    numbers: usize,
    /// Those of them without dots.
    bare_numbers: usize,
    told: Told,
    /// Remarks in parentheses, which become comments whole; none lies inside another.
    remarks: Vec<Span>,
    /// Prose outside the movetext, by line start.
    chatter: Gathered,
    /// The start of the last line with litter behind a tag.
    litter_line: Option<usize>,
}

impl<'a> Builder<'a> {
    fn new(source: &'a Source, items: &'a [Item], slice: Span) -> Builder<'a> {
        Builder {
            source,
            items,
            ahead: Ahead::of(items),
            brace_marks: memchr::memchr2_iter(b'{', b'}', source.bytes(slice))
                .map(|i| slice.start + i)
                .collect(),
            done: Vec::new(),
            game: Game::empty(slice),
            lines: vec![Line::new(None, false)],
            ended: false,
            numbers: 0,
            bare_numbers: 0,
            told: Told::default(),
            remarks: Vec::new(),
            chatter: Gathered::default(),
            litter_line: None,
        }
    }

    fn run(&mut self) {
        let first_tag = self.items.iter().position(|i| i.kind == ItemKind::Tag).unwrap_or(0);
        // A tag that stands behind moves, where a comment that nothing closes hid it from the cutting into games, makes
        // no preface of them.
        let preface = Span::new(self.game.span.start, self.items.get(first_tag).map_or(0, |i| i.span.start));
        let first_tag =
            if first_tag > 0 && cut::holds_moves(self.source.bytes(preface)) { 0 } else { first_tag };
        let mut at = 0;
        while at < self.items.len() {
            if at < first_tag {
                self.outside(at);
                at += 1;
                continue;
            }
            if self.ended && self.begins_game(at) {
                let start = self.items[at].span.start;
                self.close_game(start);
            }
            at = if self.ended {
                self.after_end(at)
            } else if self.ahead.before_tag[at] && !self.in_movetext() && self.items[at].kind != ItemKind::Tag
            {
                // Litter in the midst of the tags.
                self.outside(at);
                at + 1
            } else {
                self.item(at)
            };
        }
    }

    fn line(&mut self) -> &mut Line {
        // The main line is never popped.
        self.lines.last_mut().expect("the main line")
    }

    fn in_movetext(&self) -> bool {
        self.lines.len() > 1 || !self.lines[0].slots.is_empty() || self.lines[0].pending.is_some()
    }

    fn item(&mut self, at: usize) -> usize {
        let item = &self.items[at];
        let was = self.line().last_item.take();
        match item.kind {
            ItemKind::Tag => self.tag(item),
            ItemKind::Open => match self.enclosed_promotion(at, was) {
                Some(used) => return at + used,
                None if self.enclosed_result(at) => return at + 3,
                None => self.open(at),
            },
            ItemKind::Close => self.close(at),
            ItemKind::Comment(closing) => self.comment(item, closing),
            ItemKind::Nag => {}
            ItemKind::Markup => self.unmark(at),
            ItemKind::Bracket if !self.in_movetext() => self.outside(at),
            ItemKind::Bracket => self.prose(item.span, &self.source.decode(item.span)),
            ItemKind::Stray => self.stray(item),
            ItemKind::Piece(kind) => return self.piece(at, kind, was),
        }
        if !matches!(item.kind, ItemKind::Tag) && self.in_movetext() {
            self.game.movetext_end = item.span.end;
        }
        at + 1
    }

    fn piece(&mut self, at: usize, kind: PieceKind, was: Option<usize>) -> usize {
        let item = &self.items[at];
        let mut next = at + 1;
        match kind {
            PieceKind::Number(n, dots) => self.number(at, n, dots),
            PieceKind::Dots => self.dots(at),
            PieceKind::Move if self.is_double_forfeit(at) => self.terminator(item, "0-0"),
            PieceKind::Move => {
                self.unglue(at);
                self.entry(at);
                self.line().last_item = Some(at);
            }
            PieceKind::Blank => self.blank(at),
            PieceKind::Suffix => self.suffix(at, was),
            PieceKind::Glyph(_) if self.spaced_promotion(at, was) => next = at + 2,
            PieceKind::Glyph(nag) => self.glyph(at, nag),
            PieceKind::Result(value) => self.result(at, value),
            PieceKind::Time => {
                let fix = (self.lines.len() == 1).then(|| self.braces(item.span));
                self.told.times.add(item.span, fix);
            }
            PieceKind::Punctuation => self.punctuation(at),
            PieceKind::Other if self.bare_promotion(at, was) => {}
            PieceKind::Other if self.is_unreadable_move(at) => self.entry(at),
            PieceKind::Other => next = self.prose_run(at),
        }
        if self.lines.len() > 1 && !matches!(kind, PieceKind::Move | PieceKind::Number(..)) {
            self.line().remarks += 1;
        }
        if !self.ended {
            self.game.movetext_end = self.items[next - 1].span.end;
        }
        next
    }

    fn tag(&mut self, item: &Item) {
        let Some((tag, finding)) = tags::read(self.source, item.span) else {
            let finding = Finding::new(&rules::BROKEN_TAG, item.span, "a tag that cannot be read");
            self.note(finding.cured_by(TextEdit::insert(item.span.start, "%")));
            return;
        };
        if self.in_movetext() || self.ended {
            let message = format!("tag {} stands below the moves", tag.name);
            let below = Finding::new(&rules::TAG_AFTER_MOVES, item.span, message);
            // Put in order here it would begin another game.
            self.note(if self.holds_braces(item.span) {
                below
            } else {
                below.cured_by(self.braces(item.span))
            });
        } else {
            self.game.findings.extend(finding);
        }
        self.game.tags.push(tag);
    }

    /// The piece of a word that comes next behind an item, comments and brackets left out.
    fn piece_after(&self, at: usize) -> Option<PieceKind> {
        self.items[at + 1..].iter().find_map(Item::piece)
    }

    fn note(&mut self, finding: Finding) {
        self.game.findings.push(finding);
    }

    fn finish(mut self, end: usize) -> Vec<Game> {
        self.close_game(end);
        self.done
    }
}

//! Items gathered into games: which is a move of which line, which a blank box, which prose.

use shakmaty::Color;

use super::{
    Game, Slot, Source, Span, Terminator, Variation,
    items::{Item, ItemKind, items},
    lexer::{Closing, slice_tokens},
    outcome, spacing, tags,
    word::PieceKind,
};
use crate::{
    finding::{Finding, Severity, TextEdit},
    rules::{self, Rule},
};

/// The games of one slice: one, or several without tags; none if it holds none.
pub(super) fn games(source: &Source, slice: Span) -> Vec<Game> {
    let tokens = slice_tokens(&source.text, slice);
    let items = items(&source.text, &tokens);
    let mut builder = Builder::new(source, &items, slice);
    builder.run();
    let mut games = builder.finish(slice.end);
    for game in &mut games {
        spacing::check(source, &tokens, game);
        game.findings.sort_by_key(|f| (f.span.start, f.rule.code));
    }
    games.retain(|g| !g.is_empty());
    games
}

/// A line of moves being gathered: the main line, or a variation.
struct Line {
    slots: Vec<Slot>,
    /// Its place among the variations; `None` for the main line.
    variation: Option<usize>,
    /// A number read and no move behind it yet.
    pending: Option<(u32, Option<Color>)>,
    /// Moves since the last number.
    since: usize,
    /// Number and side of the next move, by what is written.
    next: Option<(u32, Color)>,
    /// No parenthesis closes it.
    unclosed: bool,
    /// Items in it that are neither moves nor comments.
    remarks: usize,
    /// The item that was read last went into this slot.
    last_item: Option<usize>,
}

impl Line {
    fn new(variation: Option<usize>, unclosed: bool) -> Line {
        Line {
            slots: Vec::new(),
            variation,
            pending: None,
            since: 0,
            next: None,
            unclosed,
            remarks: 0,
            last_item: None,
        }
    }

    fn push(&mut self, slot: Slot) {
        self.slots.push(slot);
        self.pending = None;
        self.since += 1;
        self.next = match self.next {
            Some((n, Color::White)) => Some((n, Color::Black)),
            Some((n, Color::Black)) => Some((n.saturating_add(1), Color::White)),
            None => None,
        };
    }
}

/// Findings of one kind that are told once a game.
#[derive(Default)]
struct Gathered {
    first: Option<Span>,
    count: usize,
    fix: Vec<TextEdit>,
}

impl Gathered {
    fn add(&mut self, span: Span, fix: Option<TextEdit>) {
        self.first.get_or_insert(span);
        self.count += 1;
        self.fix.extend(fix);
    }

    fn tell(self, rule: &'static Rule, what: &str, out: &mut Vec<Finding>) {
        if let Some(span) = self.first {
            let message = if self.count == 1 {
                what.to_string()
            } else {
                format!("{what} ({} times in this game)", self.count)
            };
            out.push(Finding { fix: self.fix, ..Finding::new(rule, span, message) });
        }
    }
}

/// Findings of one kind, the first few of a game told one by one and the others together.
#[derive(Default)]
struct Many {
    alone: usize,
    others: Gathered,
}

/// So many findings of one kind are told one by one.
const ALONE: usize = 50;

impl Many {
    fn add(&mut self, finding: Finding, out: &mut Vec<Finding>) {
        if self.alone < ALONE {
            self.alone += 1;
            out.push(finding);
        } else {
            self.others.add(finding.span, None);
            self.others.fix.extend(finding.fix);
        }
    }
}

struct Builder<'a> {
    source: &'a Source,
    items: &'a [Item],
    /// For each item that opens a parenthesis, whether another closes it.
    closed: Vec<bool>,
    /// For each item the next one that is a number, an entry or a word.
    next_entry: Vec<usize>,
    /// For each item whether a tag comes before the next entry or result.
    before_tag: Vec<bool>,
    /// Where braces stand in the slice.
    brace_marks: Vec<usize>,
    done: Vec<Game>,
    game: Game,
    lines: Vec<Line>,
    ended: bool,
    dotted: bool,
    /// Minutes stand between the moves of this text, as bare numbers.
    minutes: bool,
    bare_numbers: usize,
    numbers: usize,
    times: Gathered,
    markup: Gathered,
    punctuation: Gathered,
    glued: Gathered,
    glyphs: Gathered,
    styled: Gathered,
    strays: Many,
    unclosed: Many,
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
            closed: matched(items),
            next_entry: next_entries(items),
            before_tag: before_tags(items),
            brace_marks: memchr::memchr2_iter(b'{', b'}', source.bytes(slice))
                .map(|i| slice.start + i)
                .collect(),
            done: Vec::new(),
            game: empty(slice),
            lines: vec![Line::new(None, false)],
            ended: false,
            dotted: false,
            minutes: has_minutes(items),
            bare_numbers: 0,
            numbers: 0,
            times: Gathered::default(),
            markup: Gathered::default(),
            punctuation: Gathered::default(),
            glued: Gathered::default(),
            glyphs: Gathered::default(),
            styled: Gathered::default(),
            strays: Many::default(),
            unclosed: Many::default(),
            remarks: Vec::new(),
            chatter: Gathered::default(),
            litter_line: None,
        }
    }

    fn run(&mut self) {
        let first_tag = self.items.iter().position(|i| i.kind == ItemKind::Tag).unwrap_or(0);
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
            } else if self.before_tag[at] && !self.in_movetext() && self.items[at].kind != ItemKind::Tag {
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
            ItemKind::Bracket => self.prose(item.span, item.span, self.source.decode(item.span).into_owned()),
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
            PieceKind::Number(n, dots) => {
                self.close_unclosed(at, n, dots);
                if dots == 0 && self.dotted && self.is_out_of_place(at, n) {
                    if self.minutes {
                        self.times.add(item.span, Some(self.braces(item.span)));
                    } else {
                        // What is left of a move: `6` for `b6`.
                        self.unglue(at);
                        let slot = self.slot(item, false);
                        self.line().push(slot);
                    }
                } else {
                    self.number(at, n, dots);
                }
            }
            PieceKind::Dots => self.dots(at),
            PieceKind::Move if self.is_double_forfeit(at) => self.terminator(item, "0-0"),
            PieceKind::Move => {
                self.unglue(at);
                let slot = self.slot(item, false);
                self.line().push(slot);
                self.line().last_item = Some(at);
            }
            PieceKind::Blank => {
                let slot = self.slot(item, true);
                self.line().push(slot);
            }
            PieceKind::Suffix => match was {
                Some(_) if self.line().slots.last().is_some_and(|s| s.written.len() < 32) => {
                    let line = self.line();
                    if let Some(slot) = line.slots.last_mut() {
                        slot.span.end = item.span.end;
                        slot.written = format!("{} {}", slot.written, item.text);
                    }
                    line.last_item = was;
                }
                _ => self.remark(at),
            },
            PieceKind::Glyph(_) if self.spaced_promotion(at, was) => next = at + 2,
            PieceKind::Glyph(nag) => self.glyph(at, nag),
            PieceKind::Result(value) => self.result(at, value),
            PieceKind::Time => {
                self.times.add(item.span, (self.lines.len() == 1).then(|| self.braces(item.span)))
            }
            PieceKind::Punctuation => {
                if item.text.chars().all(|c| super::word::plain(c) == '-') && self.box_is_empty(at) {
                    let slot = self.slot(item, true);
                    self.line().push(slot);
                } else {
                    self.punctuation
                        .add(item.span, Some(TextEdit { span: item.span, text: self.space_for(at) }));
                }
            }
            PieceKind::Other if self.bare_promotion(at, was) => {}
            PieceKind::Other => {
                if self.is_unreadable_move(at) {
                    let slot = self.slot(item, false);
                    self.line().push(slot);
                } else {
                    next = self.prose_run(at);
                }
            }
        }
        if self.lines.len() > 1 && !matches!(kind, PieceKind::Move | PieceKind::Number(..)) {
            self.line().remarks += 1;
        }
        if !self.ended {
            self.game.movetext_end = self.items[next - 1].span.end;
        }
        next
    }

    fn number(&mut self, at: usize, n: u32, dots: u8) {
        let item = &self.items[at];
        self.unglue(at);
        self.numbers += 1;
        if dots == 0 {
            self.bare_numbers += 1;
        } else {
            self.dotted = true;
        }
        let followed_by_paren =
            self.items.get(at + 1).is_some_and(|i| i.kind == ItemKind::Close && item.glued);
        let styled = item.text.bytes().any(|b| !b.is_ascii_digit() && b != b'.');
        let sticks = dots == 0 && item.glued && !followed_by_paren;
        if styled || sticks {
            let text =
                format!("{n}{}{}", if dots >= 2 { "..." } else { "." }, if item.glued { " " } else { "" });
            self.styled.add(item.span, Some(TextEdit { span: item.span, text: text.into_bytes() }));
        } else if followed_by_paren {
            let span = self.items[at + 1].span;
            self.styled.add(span, Some(TextEdit { span, text: b".".to_vec() }));
        }
        let side = match dots {
            0 if !followed_by_paren => None,
            0 | 1 => Some(Color::White),
            _ => Some(Color::Black),
        };
        let line = self.line();
        line.pending = Some((n, side));
        line.since = 0;
        let column = side.unwrap_or(match line.next {
            Some((m, color)) if m == n => color,
            _ => Color::White,
        });
        line.next = Some((n, column));
    }

    fn dots(&mut self, at: usize) {
        let item = &self.items[at];
        let many = item.text.chars().count() > 1 || item.text.contains('…');
        let next_is_move =
            self.items[at + 1..].iter().find(|i| i.piece().is_some()).is_some_and(|i| match i.piece() {
                Some(PieceKind::Move | PieceKind::Blank) => true,
                Some(PieceKind::Other) => i.text.len() <= 7,
                _ => false,
            });
        let line = self.line();
        match line.pending {
            Some((n, _)) if next_is_move || !many => {
                let color = if many { Color::Black } else { Color::White };
                line.pending = Some((n, Some(color)));
                line.next = Some((n, color));
            }
            _ if !many => {}
            _ if next_is_move && line.since == 1 => {
                // `12. e4 ... Nf6`: dots that say where Black's column begins.
                if let Some((n, _)) = line.next {
                    line.next = Some((n, Color::Black));
                }
            }
            _ if !next_is_move && (line.pending.is_some() || line.since == 1) => {
                let slot = self.slot(item, true);
                self.line().push(slot);
            }
            _ => {
                self.punctuation.add(item.span, Some(TextEdit { span: item.span, text: self.space_for(at) }))
            }
        }
    }

    fn slot(&mut self, item: &Item, blank: bool) -> Slot {
        let (number, side) = match self.line().pending {
            Some((n, side)) => (Some(n), side),
            None => (None, None),
        };
        if item.joined {
            self.torn(item.span, &item.text);
        }
        Slot { span: item.span, written: item.text.clone(), number, side, blank }
    }

    fn torn(&mut self, span: Span, text: &str) {
        let fix = vec![TextEdit { span, text: self.source.encode(text) }];
        let message = format!("{text:?} is torn apart: read as one");
        self.game.findings.push(Finding { fix, ..Finding::new(&rules::SPLIT_MOVE, span, message) });
    }

    /// Whether a number or the count says that a move is due here and none is written.
    fn box_is_empty(&mut self, at: usize) -> bool {
        let next_number = self.items.get(self.next_entry[at]).map(|i| match i.piece() {
            Some(PieceKind::Number(n, _)) => n,
            _ => 0,
        });
        let glued_before = at > 0 && self.items[at - 1].glued;
        let line = self.line();
        if line.pending.is_some() {
            return true;
        }
        !glued_before
            && line.since == 1
            && matches!((line.next, next_number), (Some((m, Color::Black)), Some(n)) if n == m + 1)
    }

    /// `a8 = Q` in three words.
    fn spaced_promotion(&mut self, at: usize, was: Option<usize>) -> bool {
        let [sign, piece] = &self.items[at..self.items.len().min(at + 2)] else { return false };
        let one = piece.text.chars().count() == 1 && piece.text.chars().all(super::word::is_piece);
        let last_rank = was.is_some_and(|w| self.items[w].text.ends_with(['1', '8']));
        if sign.text != "=" || !one || !last_rank {
            return false;
        }
        let (end, text) = (piece.span.end, format!("={}", piece.text));
        self.promote(end, &text);
        true
    }

    /// `a8 Q` in two words.
    fn bare_promotion(&mut self, at: usize, was: Option<usize>) -> bool {
        let promotes = self.wants_promotion(was) && is_promotion_letter(&self.items[at].text);
        if promotes {
            let (end, text) = (self.items[at].span.end, format!("={}", self.items[at].text));
            self.promote(end, &text);
        }
        promotes
    }

    /// `a8 (Q)` or `a8 (=Q)` in two words: how many items that takes.
    fn enclosed_promotion(&mut self, at: usize, was: Option<usize>) -> Option<usize> {
        let signed = usize::from(self.items.get(at + 1)?.text == "=");
        let (piece, close) = (self.items.get(at + 1 + signed)?, self.items.get(at + 2 + signed)?);
        let fits =
            close.kind == ItemKind::Close && is_promotion_letter(&piece.text) && self.wants_promotion(was);
        fits.then(|| {
            self.promote(close.span.end, &format!("={}", piece.text));
            self.game.movetext_end = close.span.end;
            3 + signed
        })
    }

    /// Whether the item that was read last is a pawn on the last rank that has not become anything yet.
    fn wants_promotion(&self, was: Option<usize>) -> bool {
        was.is_some_and(|w| {
            let text = &self.items[w].text;
            text.ends_with(['1', '8']) && text.starts_with(|c: char| ('a'..='h').contains(&c))
        })
    }

    /// Adds the piece that stands up to byte `end` to the move before it.
    fn promote(&mut self, end: usize, text: &str) {
        let mut torn = None;
        if let Some(slot) = self.line().slots.last_mut() {
            slot.span.end = end;
            slot.written.push_str(text);
            torn = Some((slot.span, slot.written.clone()));
        }
        if let Some((span, written)) = torn {
            self.torn(span, &written);
        }
    }

    /// `(1-0)` at the end of the game.
    fn enclosed_result(&mut self, at: usize) -> bool {
        let [open, result, close, ..] = &self.items[at..] else { return false };
        let Some(PieceKind::Result(value)) = result.piece() else { return false };
        let ends = self.items.get(at + 3).is_none_or(|i| i.kind == ItemKind::Tag);
        if close.kind != ItemKind::Close || !ends || self.lines.len() > 1 {
            return false;
        }
        let span = Span::new(open.span.start, close.span.end);
        let whole = Item { span, text: format!("({})", result.text), glued: close.glued, ..result.clone() };
        self.terminator(&whole, value);
        true
    }

    fn glyph(&mut self, at: usize, nag: Option<u8>) {
        let item = &self.items[at];
        if item.text.starts_with('?') && item.text.chars().all(|c| c == '?') && self.box_is_empty(at) {
            let slot = self.slot(item, true);
            self.line().push(slot);
            return;
        }
        if matches!(item.text.as_str(), "!" | "?" | "!!" | "??" | "!?" | "?!") {
            return;
        }
        match nag {
            Some(nag) => {
                let before = at > 0 && self.items[at - 1].glued;
                let text =
                    format!("{}${nag}{}", if before { " " } else { "" }, if item.glued { " " } else { "" });
                self.glyphs.add(item.span, Some(TextEdit { span: item.span, text: text.into_bytes() }));
            }
            None => self.remark(at),
        }
    }

    fn remark(&mut self, at: usize) {
        let item = &self.items[at];
        self.prose(item.span, item.span, item.text.clone());
    }

    fn prose(&mut self, span: Span, whole: Span, text: String) {
        let fix = vec![self.braces(whole)];
        let shown: String = text.chars().take(40).collect();
        self.game.findings.push(Finding {
            fix,
            ..Finding::new(&rules::TEXT_IN_MOVETEXT, span, format!("text between the moves: {shown:?}"))
        });
    }

    fn prose_run(&mut self, at: usize) -> usize {
        if !self.in_movetext() {
            self.outside(at);
            return at + 1;
        }
        let mut end = at + 1;
        while end < self.items.len() {
            let more = match self.items[end].piece() {
                Some(PieceKind::Other) => !self.is_unreadable_move(end),
                Some(PieceKind::Punctuation | PieceKind::Suffix) => true,
                _ => false,
            };
            if !more {
                break;
            }
            end += 1;
        }
        let span = Span::new(self.items[at].span.start, self.items[end - 1].span.end);
        self.prose(span, span, self.source.decode(span).into_owned());
        end
    }

    fn holds_braces(&self, span: Span) -> bool {
        let from = self.brace_marks.partition_point(|b| *b < span.start);
        self.brace_marks.get(from).is_some_and(|b| *b < span.end)
    }

    fn braces(&self, span: Span) -> TextEdit {
        let mut text = b"{".to_vec();
        text.extend_from_slice(self.source.bytes(span));
        text.push(b'}');
        TextEdit { span, text }
    }

    /// A space where taking the item away would glue its neighbours, nothing where a space stands there already.
    fn space_for(&self, at: usize) -> Vec<u8> {
        let before = at > 0 && self.items[at - 1].glued;
        if before && self.items[at].glued { b" ".to_vec() } else { Vec::new() }
    }

    fn unmark(&mut self, at: usize) {
        let span = self.items[at].span;
        let text = self.space_for(at);
        self.markup.add(span, Some(TextEdit { span, text }));
    }

    /// Notes a move that sticks to the move or number before it.
    fn unglue(&mut self, at: usize) {
        let Some(before) = at.checked_sub(1).map(|i| &self.items[i]) else { return };
        let sticks = before.glued
            && matches!(before.piece(), Some(PieceKind::Move | PieceKind::Other | PieceKind::Blank));
        if sticks {
            let at = Span::new(self.items[at].span.start, self.items[at].span.start);
            self.glued.add(at, Some(TextEdit { span: at, text: b" ".to_vec() }));
        }
    }

    fn is_out_of_place(&self, at: usize, n: u32) -> bool {
        let line = &self.lines[self.lines.len() - 1];
        let dotted_next = self.items.get(at + 1).is_some_and(|i| i.piece() == Some(PieceKind::Dots));
        !dotted_next && line.next != Some((n, Color::White))
    }

    fn is_double_forfeit(&mut self, at: usize) -> bool {
        let plain: String = self.items[at].text.chars().map(super::word::plain).collect();
        if plain != "0-0" || self.lines.len() > 1 {
            return false;
        }
        let last = !self.items[at + 1..].iter().any(|i| {
            matches!(i.piece(), Some(PieceKind::Move | PieceKind::Result(_) | PieceKind::Number(..)))
        });
        let line = self.line();
        if line.pending.is_some() {
            return false;
        }
        let empty = line.slots.is_empty();
        let tagged = self.game.tag("Result").and_then(outcome::parse) == Some("0-0");
        last && (empty || tagged)
    }

    fn result(&mut self, at: usize, value: &'static str) {
        let item = &self.items[at];
        if self.lines.len() > 1 {
            let last = !self.items[at + 1..]
                .iter()
                .any(|i| matches!(i.piece(), Some(PieceKind::Result(_))) || i.kind == ItemKind::Close);
            if !last || !self.lines.iter().any(|l| l.unclosed) {
                return;
            }
            self.close_lines(at, 1);
        }
        let next = self.lines[0].next;
        let goes_on = self.items[at + 1..].iter().find(|i| i.piece().is_some()).is_some_and(|i| {
            match (i.piece(), next) {
                (Some(PieceKind::Number(n, dots)), Some((m, _))) => {
                    dots > 0 && n > 1 && (n == m || n == m + 1)
                }
                _ => false,
            }
        });
        if goes_on {
            self.remark(at);
            return;
        }
        // `1` `-` `0` as three words.
        self.terminator(item, value);
    }

    fn terminator(&mut self, item: &Item, value: &str) {
        self.glue_before_terminator(item);
        if item.joined || !outcome::is_standard(&item.text) {
            let rule = if value == "0-0" { &rules::DOUBLE_FORFEIT } else { &rules::RESULT_SPELLING };
            let text = if value == "0-0" { "*" } else { value };
            let fix = vec![TextEdit { span: item.span, text: text.as_bytes().to_vec() }];
            let message = if value == "0-0" {
                format!("{:?} is a loss for both, which the standard cannot write", item.text)
            } else {
                format!("{:?} is read as {value}", item.text)
            };
            self.game.findings.push(Finding { fix, ..Finding::new(rule, item.span, message) });
        }
        self.game.terminator =
            Some(Terminator { span: item.span, written: item.text.clone(), value: value.to_string() });
        self.game.movetext_end = item.span.end;
        self.ended = true;
    }

    fn glue_before_terminator(&mut self, item: &Item) {
        let start = item.span.start;
        let before =
            self.items.partition_point(|i| i.span.start < start).checked_sub(1).map(|i| &self.items[i]);
        let sticks = before.is_some_and(|i| {
            i.span.end == start
                && i.glued
                && matches!(i.piece(), Some(PieceKind::Move | PieceKind::Other | PieceKind::Suffix))
        });
        if sticks {
            let at = Span::new(start, start);
            self.glued.add(at, Some(TextEdit { span: at, text: b" ".to_vec() }));
        }
    }

    fn tag(&mut self, item: &Item) {
        match tags::read(self.source, item.span) {
            Some((tag, finding)) => {
                if self.in_movetext() || self.ended {
                    // Put in order here it would begin another game.
                    let fix =
                        if self.holds_braces(item.span) { Vec::new() } else { vec![self.braces(item.span)] };
                    let message = format!("tag {} stands below the moves", tag.name);
                    let below = Finding::new(&rules::TAG_AFTER_MOVES, item.span, message);
                    self.game.findings.push(Finding { fix, ..below });
                } else {
                    self.game.findings.extend(finding);
                }
                self.game.tags.push(tag);
            }
            None => {
                let at = Span::new(item.span.start, item.span.start);
                let fix = vec![TextEdit { span: at, text: b"%".to_vec() }];
                let finding = Finding::new(&rules::BROKEN_TAG, item.span, "a tag that cannot be read");
                self.game.findings.push(Finding { fix, ..finding });
            }
        }
    }

    fn comment(&mut self, item: &Item, closing: Option<Closing>) {
        match closing {
            Some(Closing::Paren) => {
                let at = Span::new(item.span.end - 1, item.span.end);
                let fix = vec![TextEdit { span: at, text: b"}".to_vec() }];
                let message = "a comment that opens with { is closed with )";
                self.game
                    .findings
                    .push(Finding { fix, ..Finding::new(&rules::BRACE_CLOSED_BY_PARENTHESIS, at, message) });
            }
            Some(Closing::Missing) => {
                let at = Span::new(item.span.end, item.span.end);
                let fix = vec![TextEdit { span: at, text: b"}".to_vec() }];
                let open = Span::new(item.span.start, item.span.start + 1);
                let message = "this comment is never closed: it is taken to end where the move numbers go on";
                let finding = Finding::new(&rules::UNCLOSED_COMMENT, open, message);
                self.game.findings.push(Finding { fix, severity: Severity::Warning, ..finding });
            }
            Some(Closing::Never) => {
                let bytes = self.source.bytes(item.span);
                let end = item.span.start + bytes.len()
                    - bytes.iter().rev().take_while(|b| b.is_ascii_whitespace()).count();
                let at = Span::new(end, end);
                let fix = vec![TextEdit { span: at, text: b"}".to_vec() }];
                let open = Span::new(item.span.start, item.span.start + 1);
                let message = "this comment is never closed: what stands behind it in this game is lost";
                self.game
                    .findings
                    .push(Finding { fix, ..Finding::new(&rules::UNCLOSED_COMMENT, open, message) });
            }
            None if self.source.bytes(item.span).starts_with(b";") => self.line_comment(item),
            _ => {}
        }
    }

    fn line_comment(&mut self, item: &Item) {
        let bytes = self.source.bytes(item.span);
        let mut fix = Vec::new();
        if !bytes.iter().any(|b| matches!(b, b'{' | b'}')) {
            let mut text = b"{".to_vec();
            text.extend_from_slice(&bytes[1..]);
            text.push(b'}');
            fix.push(TextEdit { span: item.span, text });
        }
        let message = "a ; comment, which pgn-extract does not know";
        self.game.findings.push(Finding { fix, ..Finding::new(&rules::LINE_COMMENT, item.span, message) });
    }

    fn open(&mut self, at: usize) {
        let span = Span::new(self.items[at].span.start, self.items[at].span.end);
        let parent = self.line();
        let (after, parent_variation, next) = (parent.slots.len(), parent.variation, parent.next);
        let index = self.game.variations.len();
        self.game.variations.push(Variation { span, parent: parent_variation, after, slots: Vec::new() });
        let mut line = Line::new(Some(index), !self.closed[at]);
        // A variation replaces the last move of its parent.
        line.next = match next {
            Some((n, Color::Black)) => Some((n, Color::White)),
            Some((n, Color::White)) => Some((n.saturating_sub(1), Color::Black)),
            None => None,
        };
        self.lines.push(line);
    }

    fn close(&mut self, at: usize) {
        let item = &self.items[at];
        if self.lines.len() > 1 {
            self.pop(item.span.end, item.glued.then_some(at));
            return;
        }
        let numbered = at > 0
            && matches!(self.items[at - 1].piece(), Some(PieceKind::Number(..)))
            && self.items[at - 1].glued;
        if !numbered {
            self.strike(item.span, "a ) that closes nothing");
        }
    }

    fn stray(&mut self, item: &Item) {
        if self.lines.len() > 1 && self.source.bytes(item.span) == b"}" {
            let fix = vec![TextEdit { span: item.span, text: b")".to_vec() }];
            let message = "a variation that opens with ( is closed with }";
            self.game
                .findings
                .push(Finding { fix, ..Finding::new(&rules::STRAY_BRACKET, item.span, message) });
            self.pop(item.span.end, None);
            return;
        }
        let what = format!("a {} that belongs to nothing", self.source.decode(item.span));
        self.strike(item.span, &what);
    }

    fn strike(&mut self, span: Span, what: &str) {
        let fix = vec![TextEdit { span, text: Vec::new() }];
        let finding = Finding { fix, ..Finding::new(&rules::STRAY_BRACKET, span, what) };
        self.strays.add(finding, &mut self.game.findings);
    }

    /// Ends the innermost variation at byte `end`.
    fn pop(&mut self, end: usize, _glued: Option<usize>) {
        let Some(line) = self.lines.pop() else { return };
        let Some(index) = line.variation else { return };
        let last = index + 1 == self.game.variations.len();
        let variation = &mut self.game.variations[index];
        variation.span.end = end;
        let span = variation.span;
        if line.slots.is_empty() && line.remarks > 0 && !line.unclosed && last {
            // A remark or a clock time in parentheses is no variation.
            self.game.variations.pop();
            if self.holds_braces(span) {
                return;
            }
            while self.remarks.pop_if(|r| r.start >= span.start).is_some() {}
            self.times.add(span, None);
            self.remarks.push(span);
            return;
        }
        variation.slots = line.slots;
    }

    /// Where a variation that nothing closes must have ended: a number that goes on with the line outside it.
    fn close_unclosed(&mut self, at: usize, n: u32, dots: u8) {
        let color = if dots >= 2 { Color::Black } else { Color::White };
        let Some(own) = self.lines.last().filter(|l| l.unclosed).and_then(|l| l.next) else { return };
        if own == (n, color) || self.line().slots.is_empty() {
            return;
        }
        // Deep stacks of unclosed variations are looked through a little way only.
        let lowest = self.lines.len().saturating_sub(16);
        for depth in (lowest..self.lines.len() - 1).rev() {
            if self.lines[depth].next == Some((n, color)) && self.lines[depth + 1].unclosed {
                self.close_lines(at, depth + 1);
                return;
            }
        }
    }

    /// Closes all lines down to `depth` before the item `at`.
    fn close_lines(&mut self, at: usize, depth: usize) {
        let end = if at > 0 { self.items[at - 1].span.end } else { self.items[at].span.start };
        while self.lines.len() > depth {
            let unclosed = self.lines.last().is_some_and(|l| l.unclosed);
            let open =
                self.lines.last().and_then(|l| l.variation).map(|v| self.game.variations[v].span.start);
            if unclosed && let Some(open) = open {
                let here = Span::new(end, end);
                let fix = vec![TextEdit { span: here, text: b")".to_vec() }];
                let span = Span::new(open, open + 1);
                let message = "this variation is never closed";
                let finding = Finding { fix, ..Finding::new(&rules::UNCLOSED_VARIATION, span, message) };
                self.unclosed.add(finding, &mut self.game.findings);
            }
            self.pop(end, None);
        }
    }

    /// Whether an entry that is no move stands where one is due, or looks like one with a slip in it.
    fn is_unreadable_move(&mut self, at: usize) -> bool {
        let text = &self.items[at].text;
        let len = text.chars().count();
        if len > 9 {
            return false;
        }
        if shaped_like_a_move(text) {
            return true;
        }
        if len > 7 || is_common_word(text) {
            return false;
        }
        let next = self.items[at + 1..].iter().find(|i| i.piece().is_some()).and_then(|i| i.piece());
        let line = self.line();
        if line.pending.is_some() {
            return !matches!(next, Some(PieceKind::Other))
                && (len <= 5 || matches!(next, Some(PieceKind::Move)));
        }
        line.since == 1
            && !line.slots.is_empty()
            && len <= 5
            && matches!((line.next, next), (Some((m, Color::Black)), Some(PieceKind::Number(n, _))) if n == m + 1)
    }

    /// Text outside the movetext: before the first tag, or behind the end.
    fn outside(&mut self, at: usize) {
        let item = &self.items[at];
        if matches!(item.kind, ItemKind::Comment(_)) {
            return;
        }
        let line = self.source.line_at(item.span.start);
        if self.chatter.fix.last().is_some_and(|f| f.span.start >= line.start || f.span.end > item.span.start)
        {
            return;
        }
        let beside_tag = self.game.tags.last().is_some_and(|t| t.span.end > line.start);
        if beside_tag && self.before_tag[at] && !self.ended {
            // The rule on tag lines gives it a line of its own.
            if self.litter_line.replace(line.start) != Some(line.start) {
                self.chatter.add(Span::new(item.span.start, line.end.max(item.span.end)), None);
            }
            return;
        }
        let own_line = self.game.terminator.as_ref().is_none_or(|t| t.span.end <= line.start)
            && self.game.tags.last().is_none_or(|t| t.span.end <= line.start);
        let mut on_line = self.items[at..].iter().take_while(|i| i.span.start < line.end);
        let begins = |i: &Item| {
            let kinds = matches!(
                i.piece(),
                Some(PieceKind::Number(..) | PieceKind::Move | PieceKind::Blank | PieceKind::Result(_))
            );
            kinds && !self.ended && !self.before_tag[at]
        };
        // Where the moves begin on this line, if they do.
        let moves = on_line.clone().skip(1).position(begins).map(|i| self.items[at + i].span.end);
        let fix = if own_line && moves.is_none() {
            let start = if line.start == 0 && self.source.text.starts_with(super::source::BOM) {
                3
            } else {
                line.start
            };
            TextEdit { span: Span::new(start, start), text: b"%".to_vec() }
        } else {
            let reach = |reach: usize, i: &Item| reach.max(i.span.end);
            let end = moves.unwrap_or_else(|| on_line.by_ref().fold(line.end, reach));
            let mut comment = self.braces(Span::new(item.span.start, end));
            let last = comment.text.len() - 1;
            comment.text[1..last].iter_mut().for_each(|b| match *b {
                b'{' => *b = b'(',
                b'}' => *b = b')',
                _ => {}
            });
            comment
        };
        self.chatter.add(Span::new(item.span.start, line.end.max(item.span.end)), Some(fix));
    }

    /// Whether a game without tags begins behind the end of the one before.
    fn begins_game(&self, at: usize) -> bool {
        let start = self.items[at].span.start;
        let line = self.source.line_at(start).start;
        let one = matches!(self.items[at].piece(), Some(PieceKind::Number(1, dots)) if dots <= 1);
        let first = || self.source.text[line..start].iter().all(|b| matches!(b, b' ' | b'\t' | b'>'));
        one && first() && self.items[at + 1..].iter().take(2).any(|i| i.piece() == Some(PieceKind::Move))
    }

    fn after_end(&mut self, at: usize) -> usize {
        let item = &self.items[at];
        match item.kind {
            ItemKind::Tag => self.tag(item),
            ItemKind::Comment(closing) => self.comment(item, closing),
            ItemKind::Nag => {}
            ItemKind::Piece(PieceKind::Result(value))
                if self.game.terminator.as_ref().is_some_and(|t| t.value == value) => {}
            _ => self.outside(at),
        }
        at + 1
    }

    fn close_game(&mut self, end: usize) {
        let at = self.items.partition_point(|i| i.span.start < end);
        if self.lines.len() > 1 {
            self.close_lines(at, 1);
        }
        let main = std::mem::replace(&mut self.lines[0], Line::new(None, false));
        let mut game = std::mem::replace(&mut self.game, empty(Span::new(end, end)));
        game.slots = main.slots;
        game.span.end = end;
        let mut told = Vec::new();
        // What stands inside a remark that becomes a comment is not changed on its own.
        let remarks = std::mem::take(&mut self.remarks);
        let within = |s: Span| {
            let after = remarks.partition_point(|r| r.start <= s.start);
            after.checked_sub(1).is_some_and(|i| s.end <= remarks[i].end && remarks[i] != s)
        };
        let inner = |r: &Span| Span::new(r.start + 1, r.end - 1);
        let comments: Vec<TextEdit> =
            remarks.iter().map(|r| TextEdit { span: *r, ..self.braces(inner(r)) }).collect();
        self.times.fix.extend(comments);
        std::mem::take(&mut self.times).tell(
            &rules::CLOCK_TIME,
            "a clock time or remark between the moves",
            &mut told,
        );
        std::mem::take(&mut self.markup).tell(&rules::MARKUP, "markup between the moves", &mut told);
        std::mem::take(&mut self.punctuation).tell(
            &rules::PUNCTUATION,
            "punctuation between the moves",
            &mut told,
        );
        std::mem::take(&mut self.glued).tell(&rules::GLUED_TOKENS, "no space between two entries", &mut told);
        std::mem::take(&mut self.glyphs).tell(
            &rules::GLYPH,
            "an evaluation sign outside the standard",
            &mut told,
        );
        std::mem::take(&mut self.styled).tell(
            &rules::MOVE_NUMBER_STYLE,
            "a move number in an unusual style",
            &mut told,
        );
        let strays = std::mem::take(&mut self.strays).others;
        strays.tell(&rules::STRAY_BRACKET, "more brackets that belong to nothing", &mut told);
        let unclosed = std::mem::take(&mut self.unclosed).others;
        unclosed.tell(&rules::UNCLOSED_VARIATION, "more variations that are never closed", &mut told);
        for finding in told.iter_mut().chain(&mut game.findings) {
            finding.fix.retain(|e| !within(e.span));
        }
        game.findings.retain(|f| f.rule.code != rules::TEXT_IN_MOVETEXT.code || !within(f.span));
        std::mem::take(&mut self.chatter).tell(
            &rules::TEXT_OUTSIDE_GAMES,
            "text outside the game",
            &mut told,
        );
        game.findings.extend(told);
        self.check_numbers(&mut game);
        tags::check(self.source, &game.tags, &mut game.findings);
        missing_terminator(&mut game);
        (self.ended, self.dotted, self.numbers, self.bare_numbers) = (false, false, 0, 0);
        self.done.push(game);
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

    fn finish(mut self, end: usize) -> Vec<Game> {
        self.close_game(end);
        self.done
    }
}

/// Whether a word is one letter or figurine that a pawn can become.
fn is_promotion_letter(text: &str) -> bool {
    let mut chars = text.chars();
    let piece =
        |c: char| matches!(c, 'Q' | 'R' | 'B' | 'N' | 'D' | 'T' | 'L' | 'S') || ('♔'..='♟').contains(&c);
    chars.next().is_some_and(piece) && chars.next().is_none()
}

fn missing_terminator(game: &mut Game) {
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
    let lead = if game.slots.is_empty() { "\n\n" } else { " " };
    let fix = vec![TextEdit { span: at, text: format!("{lead}{}", tag.unwrap_or("*")).into_bytes() }];
    let message = match tag {
        Some(tag) => format!("the movetext does not end with a result; the tag says {tag}"),
        None => "the movetext does not end with a result".to_string(),
    };
    game.findings.push(Finding { fix, ..Finding::new(&rules::MISSING_TERMINATOR, at, message) });
}

fn empty(span: Span) -> Game {
    Game {
        span,
        tags: Vec::new(),
        slots: Vec::new(),
        variations: Vec::new(),
        terminator: None,
        movetext_end: span.start,
        findings: Vec::new(),
    }
}

/// Whether bare numbers between dotted ones are too many for slips: one for every fourth move or more.
fn has_minutes(items: &[Item]) -> bool {
    let count = |f: fn(&PieceKind) -> bool| items.iter().filter_map(Item::piece).filter(f).count();
    let bare = count(|k| matches!(k, PieceKind::Number(_, 0)));
    let dotted = count(|k| matches!(k, PieceKind::Number(_, dots) if *dots > 0));
    let moves = count(|k| matches!(k, PieceKind::Move));
    dotted > 0 && bare >= 3 && bare * 4 >= moves
}

/// For each item the next one that is a number, an entry or a word; the number of items where none follows.
fn next_entries(items: &[Item]) -> Vec<usize> {
    let mut next = vec![items.len(); items.len()];
    for at in (1..items.len()).rev() {
        let stops = matches!(
            items[at].piece(),
            Some(PieceKind::Number(..) | PieceKind::Move | PieceKind::Other | PieceKind::Blank)
        );
        next[at - 1] = if stops { at } else { next[at] };
    }
    next
}

/// For each item whether a tag comes before the next entry or result.
fn before_tags(items: &[Item]) -> Vec<bool> {
    let mut before = vec![false; items.len()];
    let mut tag = false;
    for (at, item) in items.iter().enumerate().rev() {
        tag = match item.kind {
            ItemKind::Tag => true,
            // A result in quotes is the value of a broken tag.
            ItemKind::Piece(PieceKind::Result(_)) if item.text.contains('"') => tag,
            ItemKind::Piece(PieceKind::Move | PieceKind::Blank | PieceKind::Result(_)) => false,
            _ => tag,
        };
        before[at] = tag;
    }
    before
}

/// Which parentheses find their partner.
fn matched(items: &[Item]) -> Vec<bool> {
    let mut closed = vec![false; items.len()];
    let mut open = Vec::new();
    for (i, item) in items.iter().enumerate() {
        match item.kind {
            ItemKind::Open => open.push(i),
            ItemKind::Close => {
                if let Some(o) = open.pop() {
                    closed[o] = true;
                    closed[i] = true;
                }
            }
            _ => {}
        }
    }
    closed
}

/// A move with a slip in it: short, a letter and a digit or square-like, as `Nf9`, `eS`, `BbS`, `Bx`.
fn shaped_like_a_move(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let digit = chars.iter().any(|c| c.is_ascii_digit());
    let file = chars.iter().any(|c| ('a'..='h').contains(c));
    let letters = chars.iter().filter(|c| c.is_alphabetic()).count();
    let signs = chars
        .iter()
        .filter(|c| {
            !c.is_alphanumeric()
                && !matches!(c, '-' | '=' | '+' | '#' | ':' | '(' | ')' | '/' | '@' | '?' | '*')
        })
        .count();
    if signs > 0 || chars.is_empty() {
        return false;
    }
    if digit && letters > 0 {
        return chars.len() <= 8 && !is_ordinal(text);
    }
    let capital = chars.iter().any(|c| matches!(c, 'K' | 'Q' | 'R' | 'B' | 'N' | 'S' | 'Z' | 'O'));
    // Descriptive notation: `P-K4` has its digit; `PxP` has not.
    let descriptive = chars.len() == 3
        && matches!(chars[1], 'x' | '-')
        && chars[0].is_uppercase()
        && chars[2].is_uppercase();
    descriptive
        || (letters == chars.len()
            && (2..=4).contains(&chars.len())
            && capital
            && (file || chars[1..].contains(&'x'))
            && !is_common_word(text))
}

fn is_ordinal(text: &str) -> bool {
    let tail = text.trim_start_matches(|c: char| c.is_ascii_digit());
    matches!(tail, "st" | "nd" | "rd" | "th" | "min" | "s" | "h" | "m" | "sec")
}

fn is_common_word(text: &str) -> bool {
    const WORDS: [&str; 44] = [
        "a", "and", "the", "with", "for", "not", "but", "is", "of", "to", "in", "on", "at", "by", "if", "it",
        "or", "now", "here", "white", "black", "better", "only", "move", "idea", "wins", "draw", "time",
        "but", "so", "no", "yes", "also", "then", "this", "that", "was", "novelty", "best", "bad", "good",
        "rb", "both", "be",
    ];
    WORDS.contains(&text.to_lowercase().as_str())
}

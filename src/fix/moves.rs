//! Which move is played: the edits of a repair as changes of text.

use shakmaty::{Chess, Color, EnPassantMode, Position, fen::Fen};

use super::align::{Aligned, align};
use crate::{
    finding::TextEdit,
    repair::{Op, Repair, king_can_be_taken},
    replay::play_unproven,
    sheet::{Game, Span},
};

/// What becomes of a move that was played against the rules: no reader of PGN can play it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AgainstRules {
    /// It stands, and so does what follows.
    #[default]
    Kept,
    /// The game ends before it; it stands in a comment with what follows.
    Cut,
    /// The game ends before it; what follows is a game of its own, from a FEN.
    Split,
}

/// What a change of text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The edit of the best reading with this index.
    Edit(usize),
    /// Moves that nothing plausible was found for, put into a comment.
    Unexplained,
}

/// How the moves of a game are counted.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    first_number: u32,
    black_first: bool,
}

impl Count {
    /// Counting from the position that the game starts from.
    pub fn from(start: &Chess) -> Count {
        Count { first_number: start.fullmoves().get(), black_first: start.turn().is_black() }
    }

    /// The move number of the ply with this index (from 0).
    pub fn number(self, ply: usize) -> u32 {
        self.first_number + ((ply + usize::from(self.black_first)) / 2) as u32
    }

    /// Who makes the move of the ply with this index (from 0).
    pub fn side(self, ply: usize) -> Color {
        Color::from_white((ply + usize::from(self.black_first)).is_multiple_of(2))
    }
}

/// The changes of text that make the score say what `repair` found, by place.
///
/// `text` is what the game's spans count in. A move stands where its written form stood; an inserted one before
/// the entry that it precedes, with its own number where the sheet has numbers; a dropped one goes with its
/// number and glyphs, comments stay (many behind the end of the game go into one comment); no two changes overlap; what is not explained is put into one comment, braces inside made round.
///
/// From the first move on that was played against the rules `against` says what is done.
pub fn moves(
    text: &[u8],
    game: &Game,
    start: &Chess,
    repair: &Repair,
    against: AgainstRules,
) -> Vec<(Purpose, TextEdit)> {
    let sheet = Sheet { text, game, count: Count::from(start) };
    let steps = align(game.slots.len(), repair);
    let mut changes = Vec::new();
    for (i, step) in steps.iter().enumerate() {
        let Some(edit) = step.edit else { continue };
        if let (Op::Played, Some(slot)) = (repair.best.edits[edit].op, step.slot) {
            let change = match against {
                AgainstRules::Kept => continue,
                AgainstRules::Cut => Some(sheet.comment(slot)),
                AgainstRules::Split => {
                    sheet.split(start, &steps[i..], repair).or_else(|| Some(sheet.comment(slot)))
                }
            };
            changes.extend(change.map(|change| (Purpose::Edit(edit), change)));
            return changes;
        }
        let change = match (step.slot, step.ply) {
            (Some(slot), Some(ply)) => {
                let span = game.slots[slot].span;
                Some(TextEdit { span, text: repair.best.sans[ply].as_bytes().to_vec() })
            }
            (None, Some(ply)) => {
                let next = steps[i + 1..].iter().find(|s| s.slot.is_some());
                Some(sheet.insertion(ply, &repair.best.sans[ply], next))
            }
            // Entries in a row are taken out together, at the first of them.
            (Some(_), None) if repair.best.edits[edit].op == Op::Delete => {
                if i == 0 || !is_dropped(&steps[i - 1], repair) {
                    let free = changes.last().map_or(0, |(_, change): &(_, TextEdit)| change.span.end);
                    changes.extend(sheet.deletions(&steps[i..], repair, free));
                }
                None
            }
            _ => None,
        };
        changes.extend(change.map(|change| (Purpose::Edit(edit), change)));
    }
    if let Some(from) = repair.unexplained_from {
        let slot = (from as usize).saturating_sub(1);
        if slot < game.slots.len() {
            changes.push((Purpose::Unexplained, sheet.comment(slot)));
        }
    }
    changes
}

/// Most numbers that are written anew.
const RENUMBERED: usize = 30;

/// The move numbers of a game that its count contradicts, each as the entry's index and the change that rights it.
///
/// None where there are too many of them, or where the columns contradict the count too.
pub fn numbers(text: &[u8], game: &Game, start: &Chess) -> Vec<(usize, TextEdit)> {
    let sheet = Sheet { text, game, count: Count::from(start) };
    let mut changes = Vec::new();
    for (i, slot) in game.slots.iter().enumerate() {
        let Some(number) = slot.number else { continue };
        let due = sheet.count.number(i);
        if slot.side.is_some_and(|side| side != sheet.count.side(i)) {
            return Vec::new();
        }
        if number == due {
            continue;
        }
        let digits = number.to_string();
        let place = sheet.number_before(i).filter(|s| text[s.start..s.end].starts_with(digits.as_bytes()));
        let Some(place) = place.filter(|_| changes.len() < RENUMBERED) else { return Vec::new() };
        let span = Span::new(place.start, place.start + digits.len());
        changes.push((i, TextEdit { span, text: due.to_string().into_bytes() }));
    }
    changes
}

/// So many entries that stand behind the end of the game are dropped; more of them are kept in a comment: they are
/// rather another game than slips.
const LEFT_OVER: usize = 4;

/// Whether the step is an entry that the repair drops.
fn is_dropped(step: &Aligned, repair: &Repair) -> bool {
    step.slot.is_some()
        && step.ply.is_none()
        && step.edit.is_some_and(|e| repair.best.edits[e].op == Op::Delete)
}

struct Sheet<'a> {
    text: &'a [u8],
    game: &'a Game,
    count: Count,
}

impl Sheet<'_> {
    /// The move `ply` written before the entry of the step `next`, or behind the last entry.
    fn insertion(&self, ply: usize, san: &str, next: Option<&Aligned>) -> TextEdit {
        let slots = &self.game.slots;
        let white = self.count.side(ply).is_white();
        let numbered = slots.iter().any(|s| s.number.is_some());
        let number = self.count.number(ply);
        let own = if white && numbered { format!("{number}. ") } else { String::new() };
        let Some(slot) = next.and_then(|step| step.slot) else {
            let last = slots.last().map_or(self.game.span.start, |s| self.past_glyphs(s.span.end));
            return insert(last, format!(" {own}{san}"));
        };
        let place = slots[slot].span.start;
        match self.number_before(slot) {
            // The number written for the missing move stands before its neighbour.
            Some(_)
                if white
                    && slots[slot].number == Some(number)
                    && next.and_then(|s| s.ply) == Some(ply + 1) =>
            {
                if slots[slot].side == Some(Color::Black) {
                    insert(self.number_before(slot).map_or(place, |s| s.start), format!("{own}{san} "))
                } else {
                    insert(place, format!("{san} "))
                }
            }
            Some(span) => insert(span.start, format!("{own}{san} ")),
            None => insert(place, format!("{own}{san} ")),
        }
    }

    /// The dropped entries that `steps` begin with taken out, or put into one comment where they are many and the game
    /// has ended; no change begins before byte `free`.
    fn deletions(&self, steps: &[Aligned], repair: &Repair, free: usize) -> Vec<(Purpose, TextEdit)> {
        let run = steps.iter().take_while(|step| is_dropped(step, repair)).count();
        let next = steps[run..].iter().find(|s| s.slot.is_some() && s.ply.is_some());
        let dropped: Vec<(usize, usize)> =
            steps[..run].iter().filter_map(|step| Some((step.edit?, step.slot?))).collect();
        let Some((&(edit, first), &(_, last))) = dropped.first().zip(dropped.last()) else {
            return Vec::new();
        };
        if next.is_none() && run == steps.len() && run > LEFT_OVER {
            let start = self.number_before(first).map_or(self.game.slots[first].span.start, |s| s.start);
            let end = self.past_glyphs(self.game.slots[last].span.end);
            return vec![(Purpose::Edit(edit), self.commented(start, end))];
        }
        let spans = dropped.iter().map(|&(_, slot)| self.dropped(slot, next)).collect();
        let gone = self.closed_up(spans, free);
        let change = |(&(edit, _), span): (&(usize, usize), Span)| {
            (Purpose::Edit(edit), TextEdit { span, text: Vec::new() })
        };
        dropped.iter().zip(gone).map(change).collect()
    }

    /// An entry with its glyphs; its number too, unless the next kept entry has none of its own and is that move.
    fn dropped(&self, slot: usize, next: Option<&Aligned>) -> Span {
        let slots = &self.game.slots;
        let inherited = next.is_some_and(|step| {
            let (Some(next), Some(ply)) = (step.slot, step.ply) else { return false };
            next == slot + 1
                && slots[next].number.is_none()
                && slots[slot].number == Some(self.count.number(ply))
                && slots[slot].side.is_none_or(|side| side == self.count.side(ply))
        });
        let number = self.number_before(slot).filter(|_| !inherited);
        let start = number.map_or(slots[slot].span.start, |number| number.start);
        Span::new(start, self.past_glyphs(slots[slot].span.end))
    }

    /// `spans`, which go, with the blank between those that stand side by side, and with one blank beside them: the one
    /// behind, else the one before, else the end of a line that has nothing left. None begins before byte `free`.
    fn closed_up(&self, mut spans: Vec<Span>, free: usize) -> Vec<Span> {
        let mut begin = 0;
        for i in 0..spans.len() {
            let end = spans[i].end;
            let beside = spans
                .get(i + 1)
                .map(|s| s.start)
                .filter(|&start| start >= end && self.text[end..start].iter().all(u8::is_ascii_whitespace));
            if let Some(start) = beside {
                spans[i].end = start;
                continue;
            }
            let start = spans[begin].start;
            let before = start.checked_sub(1).map(|at| self.text[at]);
            let free = if begin == 0 { free } else { spans[begin - 1].end };
            match self.text.get(end) {
                Some(b' ') => spans[i].end += 1,
                _ if before == Some(b' ') && start > free => spans[begin].start -= 1,
                Some(b'\n' | b'\r')
                    if matches!(before, Some(b'\n' | b'\r')) && end + 2 < self.game.movetext_end =>
                {
                    spans[i].end += if self.text[end..].starts_with(b"\r\n") { 2 } else { 1 };
                }
                _ => {}
            }
            begin = i + 1;
        }
        spans
    }

    /// Everything from the entry `slot` to the terminator in one comment.
    fn comment(&self, slot: usize) -> TextEdit {
        let slots = &self.game.slots;
        let start = self.number_before(slot).map_or(slots[slot].span.start, |s| s.start);
        let limit = self.game.terminator.as_ref().map_or(self.game.span.end, |t| t.span.start).max(start);
        self.commented(start, limit)
    }

    /// The text from `start` to `end` in one comment, braces inside made round.
    fn commented(&self, start: usize, end: usize) -> TextEdit {
        let rest = self.text[start..end].trim_ascii_end();
        let mut text = vec![b'{'];
        text.extend(rest.iter().map(|b| match b {
            b'{' => b'(',
            b'}' => b')',
            other => *other,
        }));
        text.push(b'}');
        TextEdit { span: Span::new(start, start + rest.len()), text }
    }

    /// The end of the game before the first of `steps`, and the head of a game that goes on from the next position that a
    /// FEN may hold; what lies between stands in a comment. `None` where nothing is left to go on with.
    fn split(&self, start: &Chess, steps: &[Aligned], repair: &Repair) -> Option<TextEdit> {
        let first = steps.first()?.slot?;
        let mut position = start.clone();
        let mut going_on = None;
        for (ply, &mv) in repair.best.moves.iter().enumerate() {
            let step = steps.iter().find(|step| step.ply == Some(ply));
            let sound = !king_can_be_taken(&position);
            if let Some(step) =
                step.filter(|s| sound && s.edit.is_none() && s.slot.is_some_and(|s| s > first))
            {
                going_on = step.slot;
                break;
            }
            position = play_unproven(&position, mv)?;
        }
        let next = going_on?;
        let from = self.number_before(first).map_or(self.game.slots[first].span.start, |s| s.start);
        let to = self.number_before(next).map_or(self.game.slots[next].span.start, |s| s.start);
        let between = String::from_utf8_lossy(self.text[from..to].trim_ascii_end()).replace(['{', '}'], "");
        let result =
            self.game.tag("Result").filter(|r| matches!(*r, "1-0" | "0-1" | "1/2-1/2")).unwrap_or("*");
        let end = crate::sheet::outcome::line_end(self.text);
        let mut head = format!("{{played against the rules: {between}}} {result}{end}{end}");
        for tag in self.game.tags.iter().filter(|tag| !matches!(&*tag.name, "FEN" | "SetUp")) {
            head +=
                &format!("[{} \"{}\"]{end}", tag.name, tag.value.replace('\\', "\\\\").replace('"', "\\\""));
        }
        let fen = Fen::from_position(&position, EnPassantMode::Legal);
        head += &format!("[SetUp \"1\"]{end}[FEN \"{fen}\"]{end}{end}");
        let number = position.fullmoves();
        if self.game.slots[next].number.is_none() && position.turn().is_black() {
            head += &format!("{number}... ");
        }
        Some(TextEdit { span: Span::new(from, to), text: head.into_bytes() })
    }

    /// The number with its dots right before an entry.
    fn number_before(&self, slot: usize) -> Option<Span> {
        self.game.slots[slot].number?;
        let before = &self.text[..self.game.slots[slot].span.start];
        let dots = before.trim_ascii_end();
        let digits = trim_end_while(dots, |b| b == b'.' || b == b' ');
        let number = trim_end_while(digits, |b| b.is_ascii_digit());
        (number.len() < digits.len()).then(|| Span::new(number.len(), before.len()))
    }

    /// Behind the `!?` that follow a move at once.
    fn past_glyphs(&self, at: usize) -> usize {
        at + self.text[at..].iter().take_while(|b| matches!(b, b'!' | b'?')).count()
    }
}

fn insert(at: usize, text: String) -> TextEdit {
    TextEdit { span: Span::new(at, at), text: text.into_bytes() }
}

/// Without the bytes at the end that satisfy `drop`.
fn trim_end_while(bytes: &[u8], drop: impl Fn(u8) -> bool) -> &[u8] {
    let keep = bytes.iter().rposition(|b| !drop(*b)).map_or(0, |i| i + 1);
    &bytes[..keep]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        fix::splice,
        repair::sample,
        sheet::{Source, game},
    };

    /// The text after a repair: the moves really played, and the edits (op, written ply, other ply).
    fn mended(
        text: &str,
        played: &str,
        edits: &[(Op, u32, Option<u32>)],
        unexplained: Option<u32>,
    ) -> String {
        let source = Source::read(text.as_bytes().to_vec());
        let game = game::games(&source).remove(0);
        let repair = Repair { unexplained_from: unexplained, ..sample::repair(played, edits) };
        let edits: Vec<TextEdit> =
            moves(&source.text, &game, &Chess::default(), &repair, AgainstRules::default())
                .into_iter()
                .map(|(_, edit)| edit)
                .collect();
        String::from_utf8(splice(&source.text, &edits)).unwrap()
    }

    #[test]
    fn a_move_is_put_in_the_place_of_the_written_one() {
        let text = "1. e4 e5 2. Nf9! {sure} Nc6 1-0\n";
        let fixed = mended(text, "e4 e5 Nf3 Nc6", &[(Op::Substitute, 3, None)], None);
        assert_eq!(fixed, "1. e4 e5 2. Nf3! {sure} Nc6 1-0\n");
    }

    #[test]
    fn two_moves_are_exchanged() {
        let text = "1. Nf3 e5 2. e4 Nc6 1-0\n";
        let fixed = mended(text, "e4 e5 Nf3 Nc6", &[(Op::Swap, 1, Some(3))], None);
        assert_eq!(fixed, "1. e4 e5 2. Nf3 Nc6 1-0\n");
    }

    #[test]
    fn a_missing_move_stands_before_the_next_number() {
        let text = "1. e4 e5 2. Nf3 3. Bb5 a6 1-0\n";
        let fixed = mended(text, "e4 e5 Nf3 Nc6 Bb5 a6", &[(Op::Insert, 4, None)], None);
        assert_eq!(fixed, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n");
        let text = "1. e4 e5 2. Nc6 3. Bb5 1-0\n";
        let fixed = mended(text, "e4 e5 Nf3 Nc6 Bb5", &[(Op::Insert, 3, None)], None);
        assert_eq!(fixed, "1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n");
    }

    #[test]
    fn a_missing_pair_brings_its_number() {
        let text = "1. e4 e5 {quick} 3. Bb5 a6 1-0\n";
        let edits = [(Op::Insert, 3, None), (Op::Insert, 3, None)];
        let fixed = mended(text, "e4 e5 Nf3 Nc6 Bb5 a6", &edits, None);
        assert_eq!(fixed, "1. e4 e5 {quick} 2. Nf3 Nc6 3. Bb5 a6 1-0\n");
    }

    #[test]
    fn a_missing_last_move_stands_behind_the_others() {
        let fixed = mended("1. e4 e5!? 2. Nf3 1-0\n", "e4 e5 Nf3 Nc6", &[(Op::Insert, 4, None)], None);
        assert_eq!(fixed, "1. e4 e5!? 2. Nf3 Nc6 1-0\n");
    }

    #[test]
    fn a_doubled_pair_goes_with_its_number_and_leaves_its_comment() {
        let text = "1. e4 e5 2. Nf3!? {book} Nc6 3. Nf3 Nc6 4. Bb5 1-0\n";
        let edits = [(Op::Delete, 3, None), (Op::Delete, 4, None)];
        let fixed = mended(text, "e4 e5 Nf3 Nc6 Bb5", &edits, None);
        assert_eq!(fixed, "1. e4 e5 {book} 3. Nf3 Nc6 4. Bb5 1-0\n");
    }

    #[test]
    fn a_doubled_move_leaves_its_number_to_the_other_copy() {
        let fixed = mended("1. e4 e4 e5 2. Nf3 1-0\n", "e4 e5 Nf3", &[(Op::Delete, 1, None)], None);
        assert_eq!(fixed, "1. e4 e5 2. Nf3 1-0\n");
    }

    /// Entries in a row, over the ends of lines.
    fn dropped(entries: std::ops::RangeInclusive<u32>) -> Vec<(Op, u32, Option<u32>)> {
        entries.map(|ply| (Op::Delete, ply, None)).collect()
    }

    #[test]
    fn neighbours_that_go_leave_nothing_at_the_ends_of_lines() {
        let text = "1. e4 e5\n2. Nf3 Nc6\n2. Nf3 Nc6\n3. Bb5 1-0\n";
        let fixed = mended(text, "e4 e5 Nf3 Nc6 Bb5", &dropped(3..=4), None);
        assert_eq!(fixed, "1. e4 e5\n2. Nf3 Nc6\n3. Bb5 1-0\n");
        let text = "1. e4 e5 2. Nf3\nNc6 2. Nf3 Nc6\n3. Bb5 1-0\n";
        let fixed = mended(text, "e4 e5 Nf3 Nc6 Bb5", &dropped(3..=4), None);
        assert_eq!(fixed, "1. e4 e5 2. Nf3 Nc6\n3. Bb5 1-0\n");
        let text = "1. e4 e5 2. Nf3 Nc6\n2. Nf3 Nc6\n3. Bb5 1-0\n";
        let fixed = mended(text, "e4 e5 Nf3 Nc6 Bb5", &dropped(5..=6), None);
        assert_eq!(fixed, "1. e4 e5 2. Nf3 Nc6\n3. Bb5 1-0\n");
        let text = "1. f3 e5 2. g4 Qh4# 3. a3\na6 4. b3 1-0\n";
        let fixed = mended(text, "f3 e5 g4 Qh4#", &dropped(5..=7), None);
        assert_eq!(fixed, "1. f3 e5 2. g4 Qh4# 1-0\n");
    }

    #[test]
    fn many_entries_behind_the_end_of_the_game_are_kept_in_one_comment() {
        let text = "1. f3 e5 2. g4 Qh4# 3. d4 d5\n4. Bf4 {good} Nc6 5. e3 1-0\n";
        let fixed = mended(text, "f3 e5 g4 Qh4#", &dropped(5..=9), None);
        assert_eq!(fixed, "1. f3 e5 2. g4 Qh4# {3. d4 d5\n4. Bf4 (good) Nc6 5. e3} 1-0\n");
    }

    #[test]
    fn what_is_not_explained_is_kept_in_one_comment() {
        let text = "1. e4 e5 2. Ka9 {what?} Qh0 (2... a6) 3. xx 1-0\n";
        let fixed = mended(text, "e4 e5", &[], Some(3));
        assert_eq!(fixed, "1. e4 e5 {2. Ka9 (what?) Qh0 (2... a6) 3. xx} 1-0\n");
    }
}

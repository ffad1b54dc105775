//! Tokens gathered into games: tags, written moves with their number and side as written, the terminator.

use shakmaty::Color;

use super::{Source, Span, assemble, cut};
use crate::finding::Finding;

/// One tag pair as written.
#[derive(Clone, Debug)]
pub struct Tag {
    /// The name, `Result` say.
    pub name: String,
    /// The value with its escapes undone, decoded to Unicode.
    pub value: String,
    /// The whole tag with its brackets.
    pub span: Span,
    /// The value without its quotes.
    pub value_span: Span,
}

/// One written move; an unreadable or blank entry holds its place too.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Where the move is written, without number, glyphs and comments; a check word or `e.p.` behind it is included.
    pub span: Span,
    /// The text of `span` decoded to Unicode; a token broken by a line end is joined again.
    pub written: String,
    /// The move number written right before it, if any.
    pub number: Option<u32>,
    /// The column that number and dots put it in (`5.` White, `5...` Black), where it says so.
    pub side: Option<Color>,
    /// An empty or unreadable box: `--`, `...`, `?`, `Z0`.
    pub blank: bool,
}

/// A variation: moves in parentheses.
#[derive(Clone, Debug)]
pub struct Variation {
    /// From `(` to `)`.
    pub span: Span,
    /// The variation (by its place in [`Game::variations`]) that it stands in; `None` for the main line.
    pub parent: Option<usize>,
    /// How many slots of the parent line stand before it; it replaces the last of them.
    pub after: usize,
    /// Its written moves.
    pub slots: Vec<Slot>,
}

/// The end of the movetext as written.
#[derive(Clone, Debug)]
pub struct Terminator {
    /// Where it stands.
    pub span: Span,
    /// As written: `1:0`, `½-½`.
    pub written: String,
    /// What it means: `1-0`, `0-1`, `1/2-1/2`, `*`, or `0-0` for a double forfeit.
    pub value: String,
}

/// One game of a source.
#[derive(Clone, Debug)]
pub struct Game {
    /// From its first byte to the first byte of the next game.
    pub span: Span,
    /// Tag pairs in order of appearance, doubles included.
    pub tags: Vec<Tag>,
    /// The written moves of the main line.
    pub slots: Vec<Slot>,
    /// The variations, a variation before those inside it.
    pub variations: Vec<Variation>,
    /// The terminator, if one is written.
    pub terminator: Option<Terminator>,
    /// Where a terminator belongs if none is written: behind the last item of the movetext.
    pub movetext_end: usize,
    /// What reading the text alone found: broken quotes and braces, numbering, styles.
    pub findings: Vec<Finding>,
}

impl Game {
    /// One that holds nothing, over these bytes.
    pub fn empty(span: Span) -> Game {
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

    /// The value of the first tag called `name`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|t| t.name == name).map(|t| t.value.as_str())
    }

    /// Whether it holds anything of a game: a tag, a move or a terminator.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.slots.is_empty() && self.terminator.is_none()
    }
}

/// All games of a source, in order. Never fails; a text without a game gives none.
///
/// The source is cut by [`cut::next_game_start`]; a slice can hold several games only where they have no tags. A caller
/// that streams cuts by the same rule and gives each slice as a source of its own: the games are the same, but for text
/// that holds no game, which here is joined to the game before it (or after it, at the beginning).
pub fn games(source: &Source) -> Vec<Game> {
    let mut out: Vec<Game> = Vec::new();
    for range in cut::slices(&source.text) {
        out.extend(assemble::games(source, Span::new(range.start, range.end)));
    }
    out
}

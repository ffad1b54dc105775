//! Whether a score was recorded by an electronic board: it writes a clock behind every move.

use super::{Game, Source};

/// Of so many moves in so many a clock comment stands: a board may miss one now and then.
const CLOCKED: (usize, usize) = (4, 5);

/// Whether clock comments (`[%clk ...]`, `[%emt ...]`) stand behind most moves of a game.
pub fn clocked(source: &Source, game: &Game) -> bool {
    let text = source.bytes(game.span);
    let clocks: usize =
        ["[%clk ", "[%emt "].iter().map(|clock| memchr::memmem::find_iter(text, clock).count()).sum();
    !game.slots.is_empty() && clocks * CLOCKED.1 >= game.slots.len() * CLOCKED.0
}

//! Many games, streamed in bounded memory, without an engine.
//!
//! [`examine`](fn@examine) is one game from text to verdict, [`slice`](fn@slice) all games of one piece of text;
//! [`stream`] cuts files of any size into such pieces, [`fast`] proves the usual game clean without building
//! anything, and [`mod@format`] turns what was found into bytes.

mod cut;
pub mod examine;
pub mod fast;
pub mod format;
pub mod guard;
pub mod hunks;
pub mod mending;
pub mod open;
pub mod record;
pub mod run;
pub mod stream;
pub mod ties;

pub use examine::{Examined, Options, ResultReading, examine, slice};

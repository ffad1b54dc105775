//! Many games, streamed in bounded memory, without an engine.
//!
//! Each game goes through [`crate::examine`]; [`stream`] cuts files of any size into whole games, [`fast`] proves the usual game clean without building
//! anything, and [`mod@format`] turns what was found into bytes.

mod cut;
pub mod fast;
pub mod format;
pub mod hunks;
pub mod mending;
pub mod record;
pub mod run;
pub mod stream;

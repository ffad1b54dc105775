//! Finds what is wrong with a hand-transcribed chess score, repairs it and proves it.
//!
//! Data flows one way, each stage a function from the plain data of the stage before:
//!
//! ```text
//! bytes ─ sheet::Source ─ Token[] ─ Game{tags, Slot[], result} ─ replay → Played[] | Refusal
//!                                                                  │
//!                                    repair: lattice × channel × prior → Repair{Edit[], alternatives}
//!                                                                  │
//!                          fixed bytes (edits spliced into the input), re-read, re-replayed, clean
//!                                                                  │
//!                            engine::Evaluator (gnuchess | other UCI | built in) → Evaluation
//!                                                                  │
//!                                   judge → Blunder[], ResultCheck │
//!                                                       evidence → PNG
//!                                                                  ▼
//!                                                     report → files, terminal
//! ```
//!
//! The rules of chess live in [`shakmaty`]; nothing here moves a piece by itself.
//!
//! # A tour
//!
//! One file is an [`Input`]; one game of it, read, played, repaired and mended without any engine, is a [`Case`]:
//!
//! ```
//! use pgn_audit::{Case, Input, input::open::Packing};
//!
//! let score = b"1. e4 e5 2. Nf9 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. Nxe5 Qd4 1/2-1/2\n";
//! let input = Input::read("score.pgn", Packing::Plain, score.to_vec())?;
//! let case = Case::examine(input.games[0].clone(), None);
//! assert_eq!(case.failures[0].ply, 3);
//! assert!(case.mended.source.text.starts_with(b"1. e4 e5 2. Nf3 Nc6"));
//! # Ok::<(), pgn_audit::input::InputError>(())
//! ```
//!
//! [`audit::run`] goes on from there with an engine, pictures and the files of a report; [`examine::examine`] is what every
//! game goes through, without an engine. To find your way: [`sheet`] reads, [`replay`] plays, [`repair`] decides which
//! moves were played, [`fix`] changes the text, [`engine`] and [`search`] evaluate, [`judge`] judges, [`evidence`] makes
//! pictures, [`report`] writes, [`rules`] explains, [`cli`] talks to people.

pub mod audit;
mod bound;
pub mod check;
pub mod cli;
pub mod engine;
pub mod evidence;
pub mod examine;
pub mod finding;
pub mod fix;
pub mod input;
pub mod judge;
pub mod repair;
pub mod replay;
pub mod report;
pub mod rules;
pub mod search;
pub mod sheet;
pub mod visible;

pub use audit::Case;
pub use examine::Examined;
pub use input::Input;

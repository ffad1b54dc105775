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

pub mod audit;
pub mod check;
pub mod cli;
pub mod engine;
pub mod evidence;
pub mod finding;
pub mod fix;
pub mod judge;
pub mod repair;
pub mod replay;
pub mod report;
pub mod rules;
pub mod search;
pub mod sheet;

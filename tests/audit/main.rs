//! The program from outside: the audit's files, its manners on the command line, and the README.

#![allow(clippy::unwrap_used)] // a test may fail by a panic

#[path = "../leash/mod.rs"]
mod leash;

mod deliverables;
mod manners;
mod readme;
mod run;

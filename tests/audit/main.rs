//! The program from outside: the audit's files, its manners on the command line, and the README.

mod deliverables;
mod manners;
mod readme;
mod run;

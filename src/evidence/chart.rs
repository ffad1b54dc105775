//! The course of a game as a curve of evaluations.

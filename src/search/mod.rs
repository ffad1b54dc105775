//! A small exact search of our own: mate proofs, exchanges, the built-in engine; knows nothing of UCI.

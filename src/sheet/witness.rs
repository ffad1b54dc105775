//! What pgn-reader reads of the same game: the witness of what other programs see.

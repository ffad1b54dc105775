//! The pictures of one game.

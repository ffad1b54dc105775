//! How likely a player plays this move here; knows nothing of text.

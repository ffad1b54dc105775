//! What one written move may mean: spelling habits, foreign letters, glyphs; knows nothing of positions.

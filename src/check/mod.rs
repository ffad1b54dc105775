//! Many games, streamed in bounded memory, without an engine.

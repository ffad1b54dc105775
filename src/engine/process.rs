//! A child process: its threads, one absolute deadline a request, kill and reap on drop; knows nothing of chess.

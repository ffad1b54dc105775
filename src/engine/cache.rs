//! Evaluations kept on disk, so that nothing is searched twice, not even after a kill.

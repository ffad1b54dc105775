//! Least-cost search over (written entry, position); knows nothing of text.

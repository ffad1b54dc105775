//! Lossless tokens: their spans tile the input, and reading never fails.

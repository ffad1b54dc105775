//! The cost of writing this entry for that move here.

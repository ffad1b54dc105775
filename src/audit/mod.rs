//! One game from bytes to verdicts: the stages of an audit in their order.

pub mod illegal;

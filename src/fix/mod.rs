//! A repair and the findings as changes of text: what to splice into the input, and nothing else.

pub mod align;
pub mod mend;
pub mod moves;
pub mod result;
pub mod splice;

pub use align::{Aligned, align};
pub use mend::{Mended, mend};
pub use moves::{AgainstRules, Count, Purpose, moves, numbers};
pub use result::result;
pub use splice::{Origins, compose, splice};

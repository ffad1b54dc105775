//! What of the moves before matters for the next one.

use shakmaty::{File, Move, Square};

/// The moves that led here, as far as they matter for the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The opponent's last move: from, to, whether it captured.
    pub last: Option<(Square, Square, bool)>,
    /// The mover's own last move: from, to, whether it captured.
    pub own: Option<(Square, Square, bool)>,
}

impl Context {
    /// The context after `m` was played in this one.
    #[must_use]
    pub fn after(self, m: Move) -> Context {
        let to = landing(m);
        Context { last: Some((m.from().unwrap_or(to), to, m.is_capture())), own: self.last }
    }
}

/// The square on which the moving piece stands afterwards (for castling the king's).
pub fn landing(m: Move) -> Square {
    match m {
        Move::Castle { king, rook } => {
            Square::from_coords(if king < rook { File::G } else { File::C }, king.rank())
        }
        _ => m.to(),
    }
}

//! A move as far as its notation goes.

use shakmaty::{Move, Role};

/// Which letters of origin the rules of notation ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// None.
    Nothing,
    /// The file.
    File,
    /// The rank.
    Rank,
    /// Both.
    Both,
}

/// A move as far as its notation goes.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The move.
    pub mv: Move,
    /// The disambiguator that it needs here.
    pub need: Need,
}

impl Shape {
    pub(super) fn key(self, id: u32) -> u64 {
        let m = self.mv;
        let from = m.from().map_or(0, |s| s as u64);
        let capture = m.capture().map_or(0, |r| r as u64);
        let promotion = m.promotion().map_or(0, |r| r as u64);
        (u64::from(id) << 24)
            | from
            | ((m.to() as u64) << 6)
            | ((m.role() as u64) << 12)
            | (capture << 15)
            | (promotion << 18)
            | ((self.need as u64) << 21)
            | (u64::from(m.is_castle()) << 23)
    }
}

/// The shapes of the moves of one position, in their order.
pub fn shapes(moves: impl Iterator<Item = Move> + Clone, out: &mut Vec<Shape>) {
    out.clear();
    let mut arrivals = [0u8; 7 * 64];
    let place = |m: Move| m.role() as usize * 64 + m.to() as usize;
    for mv in moves.clone() {
        arrivals[place(mv) - 64] += 1;
    }
    for mv in moves.clone() {
        let role = mv.role();
        let mut need = Need::Nothing;
        if !matches!(role, Role::Pawn | Role::King) && arrivals[place(mv) - 64] > 1 {
            let from = mv.from().unwrap_or(mv.to());
            let (mut rival, mut on_file, mut on_rank) = (false, false, false);
            for other in moves.clone() {
                if other.to() == mv.to() && other.role() == role && other != mv {
                    let o = other.from().unwrap_or(from);
                    rival = true;
                    on_file |= o.file() == from.file();
                    on_rank |= o.rank() == from.rank();
                }
            }
            need = match (rival, on_file, on_rank) {
                (false, ..) => Need::Nothing,
                (_, false, _) => Need::File,
                (_, true, false) => Need::Rank,
                _ => Need::Both,
            };
        }
        out.push(Shape { mv, need });
    }
}

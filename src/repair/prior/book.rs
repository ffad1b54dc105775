//! How often positions of the opening were reached in many games.

use shakmaty::{Chess, EnPassantMode, Position, zobrist::Zobrist64};

/// Positions reached less often are not kept.
pub const LEAST: u32 = 2;
/// Openings are counted up to this many plies.
pub const PLIES: u32 = 40;
/// How many classes [`share`] tells apart.
pub const SHARES: usize = 3 * 10;

/// The name of a position in the book.
pub fn key(pos: &Chess) -> u64 {
    pos.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

/// The class of a move by how often its position was `reached` and how often the one after it (`next`).
pub fn share(reached: u32, next: u32) -> usize {
    let next = if next < LEAST { 0 } else { next };
    let thousandths = (next * 1000 / reached.max(1)) as usize;
    let class = [1, 20, 50, 100, 200, 350, 500, 700, 900].iter().filter(|&&t| thousandths >= t).count();
    let size = usize::from(reached >= 8) + usize::from(reached >= 50);
    size * 10 + class
}

/// Counts of positions, five bytes each: the upper half of the key in ascending order (big-endian), then the class of
/// the count.
#[derive(Clone, Copy, Debug)]
pub struct Book {
    rows: &'static [[u8; 5]],
}

/// Eighths of the binary logarithm: a count in one byte to within a twelfth.
fn class(count: u32) -> u8 {
    (f64::from(count).log2() * 8.0).round() as u8
}

fn count(class: u8) -> u32 {
    (f64::from(class) / 8.0).exp2().round() as u32
}

impl Book {
    /// The book shipped with the program.
    pub fn embedded() -> Book {
        Book { rows: include_bytes!("../../../assets/book.bin").as_chunks().0 }
    }

    /// How often the position was reached, about; 0 where that is less than [`LEAST`].
    pub fn reached(&self, pos: &Chess) -> u32 {
        if pos.fullmoves().get() > PLIES / 2 + 1 {
            return 0;
        }
        let wanted = ((key(pos) >> 32) as u32).to_be_bytes();
        match self.rows.binary_search_by(|row| row[..4].cmp(&wanted[..])) {
            Ok(i) => count(self.rows[i][4]),
            Err(_) => 0,
        }
    }
}

/// The bytes of a book with these counts of keys.
pub fn write(counts: impl IntoIterator<Item = (u64, u32)>) -> Vec<u8> {
    let mut rows: Vec<(u32, u32)> =
        counts.into_iter().filter(|c| c.1 >= LEAST).map(|(k, n)| ((k >> 32) as u32, n)).collect();
    rows.sort_unstable();
    rows.dedup_by_key(|r| r.0);
    rows.into_iter().flat_map(|(k, n)| k.to_be_bytes().into_iter().chain([class(n)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::san::San;

    #[test]
    fn the_usual_first_move_is_known_best() {
        let reached = |san: &str| {
            let mut pos = Chess::default();
            let m = san.parse::<San>().expect("SAN").to_move(&pos).expect("legal");
            pos.play_unchecked(m);
            Book::embedded().reached(&pos)
        };
        assert!(reached("e4") > reached("b3") && reached("b3") > reached("h4"));
    }

    #[test]
    fn rows_are_sorted_and_rare_positions_left_out() {
        let bytes = write([(3 << 32, 9), (1 << 32, 500), (2 << 32, 1)]);
        assert_eq!(bytes.len(), 10);
        assert_eq!(bytes[..4], [0, 0, 0, 1]);
        assert_eq!([bytes[4], bytes[9]].map(count), [500, 9].map(|n| count(class(n))));
        assert!(count(class(500)).abs_diff(500) < 500 / 12 && count(class(9)) == 9);
    }
}

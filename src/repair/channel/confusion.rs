//! How easily one character is written or read for another.

const SYMBOLS: usize = 96;

/// The strongest confusions: written, true, nats.
const PAIRS: &[(u8, u8, f32)] = &[
    (b'e', b'c', 4.0),
    (b'c', b'e', 4.5),
    (b'5', b'3', 4.4),
    (b'5', b'4', 4.6),
    (b'b', b'h', 4.5),
    (b'R', b'K', 4.6),
    (b'K', b'R', 5.2),
    (b'a', b'g', 4.8),
    (b'f', b'g', 4.8),
    (b'g', b'a', 5.0),
    (b'd', b'e', 4.9),
    (b'a', b'c', 5.0),
    (b'c', b'a', 5.0),
    (b'1', b'8', 5.2),
    (b'R', b'B', 5.0),
    (b'B', b'R', 5.4),
    (b'2', b'7', 5.1),
    (b'7', b'2', 5.2),
    (b'e', b'f', 5.2),
    (b'd', b'a', 5.2),
    (b'a', b'd', 5.2),
    (b'6', b'5', 5.2),
    (b'5', b'6', 5.3),
    (b'1', b'2', 5.4),
    (b'1', b'7', 5.2),
    (b'7', b'1', 5.2),
    (b'h', b'b', 5.2),
    (b'8', b'6', 5.4),
    (b'6', b'8', 5.4),
    (b'8', b'3', 5.0),
    (b'3', b'8', 5.0),
    (b'4', b'9', 6.0),
    (b'3', b'5', 5.2),
    // A capital for a small letter, a digit for a letter and the like: forms that look alike.
    (b'b', b'B', 4.8),
    (b'B', b'b', 4.8),
    (b'8', b'B', 5.0),
    (b'B', b'8', 5.0),
    (b'6', b'b', 5.0),
    (b'b', b'6', 5.0),
    (b'S', b'5', 4.2),
    (b's', b'5', 4.2),
    (b'O', b'Q', 4.2),
    (b'0', b'Q', 4.2),
    (b'Q', b'O', 5.0),
    (b'l', b'1', 4.0),
    (b'I', b'1', 4.0),
    (b'i', b'1', 4.0),
    (b'Z', b'2', 4.0),
    (b'z', b'2', 4.0),
    (b'9', b'g', 4.2),
    (b'q', b'g', 4.6),
    (b'g', b'8', 5.8),
    (b'A', b'4', 4.6),
    (b'H', b'N', 4.4),
    (b'M', b'N', 4.4),
    (b'G', b'6', 4.4),
    (b'T', b'7', 4.4),
    (b'n', b'N', 3.6),
    (b'r', b'R', 3.6),
    (b'q', b'Q', 3.6),
    (b'k', b'K', 3.6),
    (b'h', b'N', 5.5),
    (b'a', b'Q', 5.8),
    (b'Q', b'a', 5.8),
    (b'o', b'a', 4.6),
    (b'D', b'd', 3.6),
    (b'A', b'a', 3.6),
    (b'C', b'c', 3.2),
    (b'E', b'e', 3.6),
    (b'F', b'f', 3.6),
    (b'G', b'g', 3.6),
    (b'H', b'h', 3.6),
    (b'X', b'x', 0.3),
    (b'K', b'x', 6.0),
    (b'0', b'O', 0.1),
    (b'o', b'O', 0.1),
    (b'4', b'x', 7.0),
    (b'f', b'x', 7.0),
    (b'x', b'f', 6.8),
    (b'x', b'4', 7.2),
    (b'd', b'g', 5.4),
    (b':', b'x', 0.3),
    (b'*', b'x', 0.5),
    (b'5', b'f', 5.8),
    (b'f', b'5', 6.2),
    (b'N', b'h', 6.0),
];

/// Nats of each character for each other.
pub(super) struct Confusion {
    /// By the one written, then by the one meant.
    costs: Vec<f32>,
}

impl Confusion {
    pub fn new() -> Confusion {
        let mut costs = vec![0f32; SYMBOLS * SYMBOLS];
        for w in 32..128u8 {
            for t in 32..128u8 {
                costs[symbol(w) * SYMBOLS + symbol(t)] = usual(w, t);
            }
        }
        for &(w, t, cost) in PAIRS {
            costs[symbol(w) * SYMBOLS + symbol(t)] = cost;
        }
        Confusion { costs }
    }

    /// What it costs to have written the one character for the other.
    pub fn cost(&self, written: u8, meant: u8) -> f32 {
        self.costs[symbol(written) * SYMBOLS + symbol(meant)]
    }
}

/// The cost of a pair that does not stand out of its classes.
fn usual(written: u8, meant: u8) -> f32 {
    let neighbours = written.abs_diff(meant) == 1;
    match (class(written), class(meant)) {
        _ if written == meant => 0.0,
        (0, 0) if neighbours => 5.7,
        (0, 0) => 6.2,
        (1, 1) if neighbours => 5.5,
        (1, 1) => 6.1,
        (2, 2) => 6.4,
        (6, _) => 7.0,
        (3, 5) | (5, 3) => 3.0,
        _ => 8.6,
    }
}

fn class(b: u8) -> u8 {
    match b {
        b'a'..=b'h' => 0,
        b'1'..=b'8' => 1,
        b'N' | b'B' | b'R' | b'Q' | b'K' => 2,
        b'x' => 3,
        b'O' => 4,
        b'-' | b'=' => 5,
        _ => 6,
    }
}

fn symbol(b: u8) -> usize {
    usize::from(b.clamp(32, 127) - 32)
}

//! What the stages found, as the rows of the report.

mod engine;
mod findings;
mod heading;
mod repairs;

use shakmaty::{Chess, EnPassantMode, fen::Fen};

pub use engine::{blunder, evals, evals_after, losses, mates};
pub use findings::{illegal_moves, notes};
pub use heading::heading;
pub use repairs::{alternatives, guess, in_words, probably_played, repairs, result_edit, rounded};

/// A position as FEN; the en passant square only where a capture there is legal.
pub fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{judge, report::RepairRow};

    fn repair(op: &'static str, ply: u32, probability: f64) -> RepairRow {
        RepairRow {
            op,
            written_ply: ply,
            ply,
            other_ply: None,
            written: "?".to_owned(),
            san: "Rf4".to_owned(),
            line: 1,
            column: 1,
            reason: String::new(),
            cost: None,
            probability: Some(probability),
            runners_up: Vec::new(),
        }
    }

    #[test]
    fn a_move_put_in_at_less_than_even_odds_is_a_guess() {
        let repairs = [repair("substitute", 33, 0.15), repair("insert", 40, 0.6), repair("delete", 41, 0.2)];
        assert_eq!(guess(&repairs, 33), Some(0.15));
        assert_eq!([32, 40, 41].map(|ply| guess(&repairs, ply)), [None; 3]);
        let blunder = |ply| {
            let blunder = judge::Blunder {
                ply,
                side: shakmaty::Color::White,
                san: "Rf4".to_owned(),
                best_san: "Qd3".to_owned(),
                cp_before: 0,
                cp_after: 200,
                swing: 200,
                win_loss: 0.2,
                borderline: false,
                mate: None,
            };
            super::blunder(&Chess::default(), &blunder, &repairs)
        };
        assert!(blunder(33).guess && !blunder(35).guess);
    }
}

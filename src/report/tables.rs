//! `evals.csv` and `evals_after.csv`.

use serde::Serialize;

use super::{AfterRow, EvalRow};

/// The bytes of `evals.csv`: `ply,side,san,score_cp,best_san,fen`.
pub fn evals(rows: &[EvalRow]) -> Vec<u8> {
    table(rows)
}

/// The bytes of `evals_after.csv`: `ply,san,score_cp,depth,fen`.
pub fn evals_after(rows: &[AfterRow]) -> Vec<u8> {
    table(rows)
}

fn table<T: Serialize>(rows: &[T]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).expect("flat rows always serialise into memory");
    }
    writer.into_inner().expect("memory is never full halfway")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Side;

    #[test]
    fn columns_are_the_contract_s() {
        let row = EvalRow {
            ply: 1,
            side: Side::White,
            san: "e4".to_owned(),
            score_cp: -20,
            best_san: "d4".to_owned(),
            fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
        };
        let text = String::from_utf8(evals(&[row])).unwrap();
        assert_eq!(
            text,
            "ply,side,san,score_cp,best_san,fen\n\
             1,w,e4,-20,d4,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
        );
    }
}

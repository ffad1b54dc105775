//! Writes down what the static evaluation sees, for `tests/tools/fit_weights.py`.
//!
//! Input lines on stdin: FEN, tab, White's score in centipawns by some strong engine. Output lines: that score, phase,
//! scale and the terms as `index:count`. Positions that are not quiet (check, or a capture that wins) are left out.

use std::io::{self, BufRead, Write};

use pgn_audit::search::{evaluate, exchange, terms};
use shakmaty::{CastlingMode, Chess, Color, Position, fen::Fen};

struct Counts(Vec<i32>);

impl terms::Tally for Counts {
    fn add(&mut self, term: usize, count: i32) {
        self.0[term] += count;
    }
}

fn main() -> anyhow::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let line = line?;
        let Some((fen, rest)) = line.split_once('\t') else { continue };
        let score: i32 = rest.split('\t').next().unwrap_or_default().parse()?;
        let position: Chess = fen.parse::<Fen>()?.into_position(CastlingMode::Standard)?;
        let quiet = !position.is_check()
            && position
                .legal_moves()
                .iter()
                .all(|&mv| mv.promotion().is_none() && exchange::gain(&position, mv) <= 0);
        if !quiet {
            continue;
        }
        let mut counts = Counts(vec![0; terms::index::COUNT]);
        terms::walk(position.board(), &mut counts);
        counts.0[terms::index::TEMPO] += position.turn().fold_wb(1, -1);
        let stronger = if score >= 0 { Color::White } else { Color::Black };
        let scale = evaluate::scale(position.board(), stronger);
        write!(out, "{score} {} {scale}", terms::phase(position.board()))?;
        for (term, count) in counts.0.iter().enumerate().filter(|(_, count)| **count != 0) {
            write!(out, " {term}:{count}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

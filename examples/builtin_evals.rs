//! The built-in engine's word on every position of a PGN file: game, ply, White's centipawns, best move, FEN.
//!
//! `builtin_evals FILE DEPTH`; seconds and positions a second go to stderr.

use std::{ops::ControlFlow, time::Instant};

use pgn_audit::search::Engine;
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen};

/// Collects the positions of the main line.
struct Positions;

impl Visitor for Positions {
    type Tags = Chess;
    type Movetext = Vec<Chess>;
    type Output = Vec<Chess>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, start: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        if name == b"FEN"
            && let Ok(fen) = Fen::from_ascii(value.as_bytes())
            && let Ok(position) = fen.into_position(CastlingMode::Standard)
        {
            *start = position;
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue(vec![start])
    }

    fn san(&mut self, game: &mut Vec<Chess>, san: SanPlus) -> ControlFlow<Self::Output> {
        let Some(last) = game.last() else { return ControlFlow::Continue(()) };
        match san.san.to_move(last).map(|mv| last.clone().play(mv)) {
            Ok(Ok(next)) => {
                game.push(next);
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Break(std::mem::take(game)),
        }
    }

    fn end_game(&mut self, game: Vec<Chess>) -> Vec<Chess> {
        game
    }
}

#[allow(clippy::print_stdout, clippy::print_stderr)]
fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(depth)) = (arguments.next(), arguments.next()) else {
        anyhow::bail!("usage: builtin_evals FILE DEPTH");
    };
    let depth: u32 = depth.parse()?;
    let mut engine = Engine::default();
    let mut reader = Reader::new(std::fs::File::open(file)?);
    let (mut game, mut count, mut nodes) = (0, 0u64, 0u64);
    let mut worst = 0f64;
    let begin = Instant::now();
    while let Some(positions) = reader.read_game(&mut Positions)? {
        game += 1;
        for (ply, position) in positions.iter().enumerate() {
            let single = Instant::now();
            let word = engine.best(position, depth);
            worst = worst.max(single.elapsed().as_secs_f64());
            nodes += engine.nodes();
            count += 1;
            let best =
                word.best.map_or_else(|| "-".into(), |mv| mv.to_uci(CastlingMode::Standard).to_string());
            let fen = Fen::from_position(position, EnPassantMode::Legal);
            println!("{game}\t{ply}\t{}\t{best}\t{fen}", word.score.cp);
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    eprintln!(
        "depth {depth}: {count} positions, {seconds:.1} s, worst {worst:.2} s, {:.3} s a position, {nodes} nodes, {:.0} nodes/s",
        seconds / count as f64,
        nodes as f64 / seconds
    );
    Ok(())
}

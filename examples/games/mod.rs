//! Games of a PGN file as positions, for the programs that measure.

#![allow(dead_code, reason = "each program uses a part")]

use std::{fs, io, ops::ControlFlow, sync::Arc};

use pgn_audit::{
    engine::{EngineError, cache::program_mark, client::UciEngine, locate::locate, plan, pool::Starter},
    search::{Builtin, builtin},
};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

/// The games of a file in their order, each as its positions from the start to the last one; a game ends before
/// the first move that cannot be played.
pub fn read(pgn: impl io::Read) -> io::Result<Vec<Vec<Chess>>> {
    let mut reader = Reader::new(pgn);
    let mut games = Vec::new();
    while let Some(game) = reader.read_game(&mut Positions)? {
        games.push(game);
    }
    Ok(games)
}

/// Games are numbered in their file from 0; every fifth is for measuring, and nothing of ours is fitted to it.
pub fn is_held_out(number: u64) -> bool {
    number.is_multiple_of(5)
}

/// The finalizer of SplitMix64: a number that looks drawn by lot.
pub fn scramble(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Whether a game is neither a fragment nor a marathon: 30 to 120 plies.
pub fn is_usual(game: &[Chess]) -> bool {
    (31..=121).contains(&game.len())
}

/// What starts engines of this name or path, `builtin` being our own, and the mark of its program.
pub fn starter(engine: &str) -> Result<(Starter, String), EngineError> {
    if engine == "builtin" {
        return Ok((Box::new(|| Ok(Box::new(Builtin::new(Arc::default())))), String::new()));
    }
    let located = locate(engine)?;
    let mark = program_mark(&located.program);
    Ok((Box::new(move || Ok(Box::new(UciEngine::start(located.launch(Arc::default()))?))), mark))
}

/// Plies that the second pass of an audit with this engine looks further.
pub fn further(engine: &str) -> u32 {
    if engine == "builtin" { builtin::FURTHER } else { plan::FURTHER }
}

/// Processor time of this process and of its children that have ended, in hundredths of a second by Linux's count.
pub fn processor_seconds() -> io::Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // utime, stime, cutime and cstime are the fields 14 to 17; the first two are up to the bracket.
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields).split(' ');
    let ticks: u64 = fields.skip(11).take(4).map_while(|n| n.parse::<u64>().ok()).sum();
    Ok(ticks as f64 / 100.0)
}

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

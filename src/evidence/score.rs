//! A score written for XBoard: as far as the picture goes and no further.

use shakmaty::{Chess, Color, EnPassantMode, Move, Position, fen::Fen, san::SanPlus};

/// The FEN of a position.
pub(super) fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// The position after so many of the moves.
pub(super) fn position_after(start: &Chess, moves: &[Move]) -> Chess {
    let mut position = start.clone();
    for mv in moves {
        position.play_unchecked(*mv);
    }
    position
}

/// The last of the moves with its number: `24... Qe2`; `None` where there are none.
pub(super) fn last_move(start: &Chess, moves: &[Move]) -> Option<String> {
    let (last, before) = moves.split_last()?;
    let position = position_after(start, before);
    Some(format!("{} {}", number(&position), san(&position, *last)))
}

/// The number that is written before a move of the side to move: `24.` or `24...`.
pub(super) fn number(position: &Chess) -> String {
    let dots = if position.turn() == Color::White { "." } else { "..." };
    format!("{}{dots}", position.fullmoves())
}

/// A move with its check sign.
pub(super) fn san(position: &Chess, mv: Move) -> String {
    SanPlus::from_move_and_play_unchecked(&mut position.clone(), mv).to_string()
}

/// A whole game of these moves.
pub(super) fn pgn(start: &Chess, moves: &[Move], result: &str) -> String {
    let mut text =
        format!("[Event \"?\"]\n[Site \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"{result}\"]\n");
    if fen(start) != fen(&Chess::default()) {
        text += &format!("[SetUp \"1\"]\n[FEN \"{}\"]\n", fen(start));
    }
    text.push('\n');
    let mut position = start.clone();
    for (i, mv) in moves.iter().enumerate() {
        if i == 0 || position.turn() == Color::White {
            text += &format!("{} ", number(&position));
        }
        text += &format!("{}\n", SanPlus::from_move_and_play_unchecked(&mut position, *mv));
    }
    text + result + "\n"
}

/// The position of a FEN, for tests.
#[cfg(test)]
pub(super) fn from_fen(text: &str) -> Chess {
    text.parse::<Fen>().unwrap().into_position(shakmaty::CastlingMode::Standard).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_black_begins_is_numbered_so() {
        let start = from_fen("4k3/8/4K3/4P3/8/8/8/8 b - - 0 30");
        let moves: Vec<Move> = {
            let mut position = start.clone();
            ["Kd8", "Kf7"]
                .iter()
                .map(|text| {
                    let mv = text.parse::<shakmaty::san::San>().unwrap().to_move(&position).unwrap();
                    position.play_unchecked(mv);
                    mv
                })
                .collect()
        };
        let text = pgn(&start, &moves, "1/2-1/2");
        assert!(text.ends_with("b - - 0 30\"]\n\n30... Kd8\n31. Kf7\n1/2-1/2\n"), "{text}");
        assert_eq!(last_move(&start, &moves).as_deref(), Some("31. Kf7"));
        assert_eq!(last_move(&start, &moves[..1]).as_deref(), Some("30... Kd8"));
        assert_eq!(last_move(&start, &[]), None);
    }
}

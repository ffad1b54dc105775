//! What the result is: the tag, the terminator, the board and the engine heard, and one of them decides.

use shakmaty::{Chess, Color, Position};

use crate::engine::{Evaluation, finished};

/// Centipawns for a side from which it is taken to win.
pub const WIN: i32 = 200;

/// The Result tag against the last position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultCheck {
    /// The tag's text in the input, "" where there is none.
    pub declared: String,
    /// What the rules or the engine say of the last position; `None` where nobody could say.
    pub engine_suggests: Option<String>,
    /// Whether the two are equal.
    pub matches: Option<bool>,
}

/// Who may change a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResultMode {
    /// The board always, the engine only where the score says nothing or contradicts itself.
    #[default]
    Tag,
    /// The engine, even against a valid tag.
    Engine,
    /// Nobody, where the tag is valid.
    Keep,
}

/// The result of the repaired game and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// `1-0`, `0-1`, `1/2-1/2`; `None` where nobody could say, and it stays as it is.
    pub result: Option<String>,
    /// The reason in one sentence.
    pub reason: String,
}

/// The result that the rules read off the board: mate, stalemate, or neither side can mate.
fn on_board(last: &Chess) -> Option<&'static str> {
    finished(last)?;
    Some(if last.is_checkmate() { last.turn().fold_wb("0-1", "1-0") } else { "1/2-1/2" })
}

/// The result that the last position suggests: the rules' word where the game is over, else the engine's score of it,
/// at least `threshold` centipawns for a side meaning that it wins. `None` where there is no score.
pub fn suggest(last: &Chess, evaluation: Option<&Evaluation>, threshold: i32) -> Option<&'static str> {
    on_board(last).or_else(|| {
        Some(match evaluation?.score.cp {
            cp if cp >= threshold => "1-0",
            cp if cp <= -threshold => "0-1",
            _ => "1/2-1/2",
        })
    })
}

/// Compares the tag's text with what the last position suggests.
pub fn check(declared: &str, suggested: Option<&str>) -> ResultCheck {
    ResultCheck {
        declared: declared.to_owned(),
        engine_suggests: suggested.map(str::to_owned),
        matches: suggested.map(|s| s == declared),
    }
}

/// Decides the result. `tag` and `terminator` are what those mean (`1-0`, `0-1`, `1/2-1/2`, anything else counts as
/// none), `suggested` what [`suggest`] says.
pub fn decide(
    tag: Option<&str>,
    terminator: Option<&str>,
    last: &Chess,
    suggested: Option<&str>,
    mode: ResultMode,
) -> Decision {
    let (tag, terminator) = (tag.filter(|r| is_result(r)), terminator.filter(|r| is_result(r)));
    let because = |result: &str, reason: String| Decision { result: Some(result.to_owned()), reason };
    if mode == ResultMode::Keep
        && let Some(tag) = tag
    {
        return because(tag, "the Result tag stands, as asked".to_owned());
    }
    if let Some(board) = on_board(last) {
        return because(board, how_it_ended(last));
    }
    if mode == ResultMode::Engine
        && let Some(suggested) = suggested
    {
        return because(suggested, "the engine's score of the last position decides, as asked".to_owned());
    }
    match (tag, terminator, suggested) {
        (Some(tag), Some(end), Some(s)) if tag != end && s == end => because(
            end,
            format!(
                "the Result tag says {tag}, the movetext ends with {end}, and the engine supports the latter"
            ),
        ),
        (Some(tag), Some(end), _) if tag != end => because(
            tag,
            format!("the Result tag says {tag}, the movetext ends with {end}; nothing speaks for the latter"),
        ),
        (Some(tag), _, Some(s)) if tag != s => because(
            tag,
            format!(
                "the Result tag stands: a game can be resigned, lost on time or agreed drawn, though the engine suggests {s}"
            ),
        ),
        (Some(tag), _, _) => because(tag, "the Result tag stands".to_owned()),
        (None, Some(end), _) => {
            because(end, "there is no valid Result tag; the end of the movetext gives the result".to_owned())
        }
        (None, None, Some(s)) => because(
            s,
            "the score gives no result; the engine's score of the last position suggests it".to_owned(),
        ),
        (None, None, None) => Decision {
            result: None,
            reason: "the score gives no result and there is no engine to suggest one".to_owned(),
        },
    }
}

fn is_result(text: &str) -> bool {
    matches!(text, "1-0" | "0-1" | "1/2-1/2")
}

fn how_it_ended(last: &Chess) -> String {
    if last.is_checkmate() {
        let winner = last.turn().other();
        format!("{} has mated", if winner == Color::White { "White" } else { "Black" })
    } else if last.is_stalemate() {
        "the last position is stalemate".to_owned()
    } else {
        "neither side has enough material to mate".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;
    use crate::engine::WhiteScore;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    fn score(cp: i32) -> Evaluation {
        Evaluation { score: WhiteScore { cp }, best: None, depth: 8, pv: vec![], steps: vec![] }
    }

    const WHITE_MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    const DEAD: &str = "8/8/4k3/8/8/3K1B2/8/8 w - - 0 1";

    #[test]
    fn the_rules_speak_before_the_engine() {
        let absurd = score(900);
        assert_eq!(suggest(&position(WHITE_MATED), Some(&absurd), WIN), Some("0-1"));
        assert_eq!(suggest(&position(STALEMATE), Some(&absurd), WIN), Some("1/2-1/2"));
        assert_eq!(suggest(&position(DEAD), None, WIN), Some("1/2-1/2"));
        assert_eq!(suggest(&Chess::default(), None, WIN), None);
    }

    #[test]
    fn the_threshold_is_the_least_that_wins() {
        let at = |cp, threshold| suggest(&Chess::default(), Some(&score(cp)), threshold).unwrap();
        assert_eq!(
            [at(200, WIN), at(199, WIN), at(-199, WIN), at(-200, WIN)],
            ["1-0", "1/2-1/2", "1/2-1/2", "0-1"]
        );
        assert_eq!([at(200, 201), at(50, 50)], ["1/2-1/2", "1-0"]);
    }

    #[test]
    fn the_check_compares_the_text_of_the_tag() {
        assert_eq!(check("1-0", Some("1-0")).matches, Some(true));
        assert_eq!(check("", Some("1-0")).matches, Some(false));
        assert_eq!(check("½-½", Some("1/2-1/2")).matches, Some(false));
        assert_eq!(check("1-0", None).matches, None);
    }

    #[test]
    fn who_decides_the_result() {
        use ResultMode::{Engine, Keep, Tag};
        let open = Chess::default();
        let (mated, stale) = (position(WHITE_MATED), position(STALEMATE));
        let cases = [
            // tag, terminator, last position, suggested, mode, result
            (Some("1-0"), Some("1-0"), &mated, Some("0-1"), Tag, Some("0-1")),
            (Some("1-0"), None, &stale, Some("1/2-1/2"), Tag, Some("1/2-1/2")),
            (Some("1-0"), Some("1-0"), &mated, Some("0-1"), Keep, Some("1-0")),
            (Some("*"), None, &mated, Some("0-1"), Keep, Some("0-1")),
            (Some("1-0"), Some("1-0"), &open, Some("0-1"), Tag, Some("1-0")),
            (Some("1-0"), Some("1-0"), &open, Some("0-1"), Engine, Some("0-1")),
            (Some("1-0"), Some("0-1"), &open, Some("0-1"), Tag, Some("0-1")),
            (Some("1-0"), Some("0-1"), &open, Some("1-0"), Tag, Some("1-0")),
            (Some("1-0"), Some("0-1"), &open, Some("1/2-1/2"), Tag, Some("1-0")),
            (Some("1-0"), Some("0-1"), &open, None, Tag, Some("1-0")),
            (Some("1-0"), Some("0-1"), &open, Some("0-1"), Keep, Some("1-0")),
            (Some("1-0"), Some("*"), &open, Some("0-1"), Tag, Some("1-0")),
            (Some("*"), Some("0-1"), &open, Some("1-0"), Tag, Some("0-1")),
            (Some("?"), None, &open, Some("1-0"), Tag, Some("1-0")),
            (None, Some("*"), &open, Some("1/2-1/2"), Tag, Some("1/2-1/2")),
            (None, None, &open, None, Engine, None),
        ];
        for (tag, terminator, last, suggested, mode, expected) in cases {
            let decision = decide(tag, terminator, last, suggested, mode);
            assert_eq!(
                decision.result.as_deref(),
                expected,
                "{tag:?} {terminator:?} {suggested:?} {mode:?}: {}",
                decision.reason
            );
        }
    }
}

//! A fault of the program in one game is a finding of that game and ends nothing else.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

use shakmaty::Chess;

use super::{Examined, Options, ResultReading, examine};
use crate::{
    finding::Finding,
    repair::ScoreSource,
    replay::{Refusal, RefusalKind, Replay},
    rules,
    sheet::{Game, Source, Span, game, letters},
};

/// What `work` comes to, or what it said when it panicked.
///
/// # Errors
/// The message of the panic. Nothing that `work` was changing may be used afterwards.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(said)
}

fn said(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message").to_owned()
}

/// One game through `stages`; where they panic, the game with a finding that says so.
pub(super) fn guarded(
    stages: impl FnOnce(&Source, &Game, &Options) -> Examined,
    source: &Source,
    game: &Game,
    options: &Options,
) -> Examined {
    caught(|| stages(source, game, options)).unwrap_or_else(|said| failed(source, game, &said))
}

/// The games of a source; where reading them panics, all of it as one game that says so.
pub(super) fn slice(source: &Source, options: &Options) -> Vec<Examined> {
    match caught(|| game::games(source)) {
        Ok(games) => games.iter().map(|game| examine(source, game, options)).collect(),
        Err(said) => vec![failed(source, &Game::empty(Span::new(0, source.text.len())), &said)],
    }
}

/// What is known of a game in which the program failed: nothing is played, nothing is to be repaired.
fn failed(source: &Source, game: &Game, said: &str) -> Examined {
    let start = source.text[game.span.start..game.span.end]
        .iter()
        .position(|b| !b.is_ascii_whitespace())
        .map_or(game.span.start, |at| game.span.start + at);
    let first = said.lines().next().unwrap_or_default();
    let message = format!(
        "pgn-audit failed in this game ({first}): its text is left as it is; keep the score, run again with \
         RUST_BACKTRACE=1 and send both to the authors"
    );
    let finding = Finding::new(&rules::INTERNAL_ERROR, Span::new(start, start), message);
    let mut findings = vec![finding.clone()];
    findings.extend(game.findings.iter().map(|f| Finding { fix: Vec::new(), ..f.clone() }));
    findings.sort_by_key(|f| (f.span.start, f.rule.code));
    let reason = "pgn-audit failed in this game".to_owned();
    let refusal =
        (!game.slots.is_empty()).then_some(Refusal { slot: 0, kind: RefusalKind::Unsupported, reason });
    let at = source.locate(game.span.start);
    let tag = game.tag("Result").map(str::to_owned);
    Examined {
        line: at.line,
        offset: source.origin.offset + game.span.start,
        plies_written: game.slots.len() as u32,
        moves: Vec::new(),
        findings,
        result: ResultReading {
            read: game.terminator.as_ref().map_or_else(|| "*".to_owned(), |t| t.value.clone()),
            tag,
            terminator: game.terminator.as_ref().map(|t| t.written.clone()),
            board: None,
        },
        replay: Replay {
            start: Chess::default(),
            first_number: 1,
            plies: Vec::new(),
            end: Chess::default(),
            refusal,
            letters: &letters::ENGLISH,
            variant: None,
            side_to_move: None,
            findings: vec![finding],
        },
        problem: None,
        source: ScoreSource::default(),
        repair: None,
        failures: Vec::new(),
        mended: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Severity;

    #[test]
    fn a_panic_in_one_game_is_a_finding_of_that_game() {
        let source = Source::read(b"[Event \"A\"]\n\n1. e4 e5 *\n\n[Event \"B\"]\n\n1. d4 d5 *\n".to_vec());
        let games = game::games(&source);
        let options = Options::default();
        let answers: Vec<Examined> = games
            .iter()
            .map(|game| {
                let injected = |s: &Source, g: &Game, o: &Options| {
                    assert!(g.tag("Event") != Some("A"), "injected");
                    examine(s, g, o)
                };
                guarded(injected, &source, game, &options)
            })
            .collect();
        let [bad, good] = &answers[..] else { panic!("two games") };
        assert_eq!(bad.worst(), Some(Severity::Error));
        let finding = bad.findings.iter().find(|f| f.rule.code == rules::INTERNAL_ERROR.code);
        let message = &finding.expect("the finding").message;
        assert!(message.contains("injected") && message.contains("RUST_BACKTRACE=1"), "{message}");
        assert_eq!((bad.plies_written, bad.line), (2, 1));
        assert_eq!(good.worst(), None);
        assert_eq!(good.moves, ["d4", "d5"]);
    }

    #[test]
    fn castling_into_a_piece_is_repaired_and_ends_nothing() {
        let text = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
                    [FEN \"bnr1nqkr/pp1p1ppp/4pb2/2p5/4P3/1PN5/P1PP1PPP/B1RBNQKR w KQkq - 2 7\"]\n\n7. O-O O-O *\n";
        let source = Source::read(text.as_bytes().to_vec());
        let options = Options { repair: true, ..Options::default() };
        let games = slice(&source, &options);
        assert_eq!(games.len(), 1);
        assert!(games[0].findings.iter().all(|f| f.rule.code != rules::INTERNAL_ERROR.code));
        assert!(games[0].findings.iter().any(|f| f.rule.code == rules::ILLEGAL_MOVE.code));
        let repair = games[0].repair.as_ref().expect("a repair");
        assert!(repair.best.edits.iter().any(|edit| edit.written_ply <= 2), "{:?}", repair.best.edits);
    }
}

//! Engines with every vice: each is ended inside its deadline, and no process is left.

mod lair;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use lair::Lair;
use pgn_audit::{
    engine::{
        EngineError, Evaluation, Evaluator, MoverScore, Request,
        client::{Launch, UciEngine},
        locate::{locate, probe},
        pool::{Pool, Starter},
        uci,
    },
    search::Builtin,
};
use shakmaty::{Chess, Position};

/// The time an engine is given for a handshake or a search here.
const ALLOWED: Duration = Duration::from_millis(1500);

/// What stopping and reaping may take on a busy machine.
const SLACK: Duration = Duration::from_secs(8);

fn launch(lair: &Lair, vice: &str) -> Launch {
    let mut launch = Launch::new("fake", lair.program(), vec![vice.to_owned()], Arc::default());
    launch.handshake = ALLOWED;
    launch.search = Some(ALLOWED);
    launch
}

fn start_position() -> Request {
    Request { position: Chess::default(), depth: 3 }
}

/// Lets an engine with `vice` answer one request and says what came of it, after all of it must be gone.
fn one_answer(vice: &str) -> Result<Evaluation, EngineError> {
    let lair = Lair::new();
    let started = Instant::now();
    let answer = UciEngine::start(launch(&lair, vice)).and_then(|mut e| e.evaluate(&start_position()));
    // A handshake and a search, twice each, is the most that one request may cost.
    assert!(started.elapsed() < 4 * ALLOWED + SLACK, "{vice}: {:?}", started.elapsed());
    lair.assert_deserted(vice);
    answer
}

fn message(vice: &str) -> String {
    one_answer(vice).expect_err(vice).to_string()
}

#[test]
fn bearable_vices_get_their_answer() {
    let honest = one_answer("").unwrap();
    assert_eq!(honest.score.cp, 0);
    assert_eq!(honest.best.map(uci::written).as_deref(), Some("a2a3"));
    assert_eq!(honest.depth, 3);
    assert_eq!(honest.steps.len(), 2);
    for vice in [
        "late-banner",
        "nameless",
        "slow-handshake",
        "slow-bytes",
        "floods-errors",
        "ignores-sigterm",
        "ignores-quit",
        "ignores-eof",
        "leaves-a-child",
        "leaves-a-child-in-its-own-session",
        "huge-lines",
        "huge-numbers",
        "nul-bytes",
        "not-utf8",
        "bounds-in-between",
    ] {
        assert_eq!(one_answer(vice).unwrap(), honest, "{vice}");
    }
}

#[test]
fn silence_is_ended_at_the_deadline() {
    for vice in ["never-speaks", "never-ready", "floods"] {
        assert!(message(vice).contains("did not answer \"uci\" within 1 s"), "{}", message(vice));
    }
    for vice in ["silent-when-asked", "chats-without-end", "half-a-line"] {
        assert!(message(vice).contains("did not answer \"go\" within 1 s"), "{}", message(vice));
    }
}

#[test]
fn death_is_told_with_its_last_words() {
    assert_eq!(
        message("dies-at-once"),
        "the engine fake died (exit status: 3; its last words: cannot find my network)"
    );
    assert_eq!(
        message("dies-when-asked"),
        "the engine fake died (exit status: 139; its last words: segmentation fault, as they say)"
    );
    assert_eq!(message("not-an-engine"), "the engine fake died (exit status: 1)");
    assert!(message("closes-its-output").contains("died"), "{}", message("closes-its-output"));
}

#[test]
fn nonsense_is_no_evaluation() {
    let nonsense = [
        ("illegal-bestmove", "illegal move \"a1h8\""),
        ("no-bestmove", "illegal move \"(none)\""),
        ("mate-0", "a move without a score"),
        ("bounds-only", "a move without a score"),
        ("no-score", "a move without a score"),
    ];
    for (vice, what) in nonsense {
        assert_eq!(message(vice), format!("the engine fake answered nonsense: {what}"), "{vice}");
    }
}

#[test]
fn a_crash_now_and_then_changes_no_answer() {
    let lair = Lair::new();
    let requests = positions(12);
    let answers = |vice: &str, size: usize| {
        let launch = launch(&lair, vice);
        let start: Starter = Box::new(move || Ok(Box::new(UciEngine::start(launch.clone())?)));
        let mut pool = Pool::new(start, size, Arc::default()).unwrap();
        let answers = pool.evaluate(&requests, &|_| {}).unwrap();
        (answers, pool.work())
    };
    let (honest, _) = answers("", 1);
    let (crashing, work) = answers("crashes-every-third-time", 2);
    assert_eq!(honest, crashing);
    assert!(work.restarts > 2, "{work:?}");
    lair.assert_deserted("the pool is gone");
}

#[test]
fn the_interrupt_flag_ends_a_search_at_once() {
    let lair = Lair::new();
    let interrupt = Arc::new(AtomicBool::new(false));
    let mut launch = launch(&lair, "silent-when-asked");
    launch.search = Some(Duration::from_secs(600));
    launch.interrupt = Arc::clone(&interrupt);
    let start: Starter = Box::new(move || Ok(Box::new(UciEngine::start(launch.clone())?)));
    let mut pool = Pool::new(start, 3, Arc::clone(&interrupt)).unwrap();
    let raiser = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        interrupt.store(true, Ordering::Relaxed);
    });
    let started = Instant::now();
    let answer = pool.evaluate(&positions(6), &|_| {});
    assert!(matches!(answer, Err(EngineError::Interrupted)), "{answer:?}");
    assert!(started.elapsed() < SLACK, "{:?}", started.elapsed());
    drop(pool);
    lair.assert_deserted("the pool is gone");
    raiser.join().unwrap();
}

#[test]
fn the_interrupt_flag_ends_a_search_of_the_built_in_engine_at_once() {
    let interrupt = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupt);
    let start: Starter = Box::new(move || Ok(Box::new(Builtin::new(Arc::clone(&flag)))));
    let mut pool = Pool::new(start, 1, Arc::clone(&interrupt)).unwrap();
    let raiser = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        interrupt.store(true, Ordering::Relaxed);
    });
    let started = Instant::now();
    let answer = pool.evaluate(&[Request { depth: 60, ..start_position() }], &|_| {});
    assert!(matches!(answer, Err(EngineError::Interrupted)), "{answer:?}");
    assert!(started.elapsed() < SLACK, "{:?}", started.elapsed());
    raiser.join().unwrap();
}

/// The first positions of a game of first legal moves, some of which repeat.
fn positions(count: usize) -> Vec<Request> {
    let mut position = Chess::default();
    let mut requests = Vec::new();
    for i in 0..count {
        requests.push(Request { position: position.clone(), depth: 2 });
        let legal = position.legal_moves();
        let mut moves: Vec<_> = legal.iter().copied().collect();
        moves.sort_by_key(|m| uci::written(*m));
        position.play_unchecked(moves[(i * 7) % moves.len()]);
    }
    requests
}

#[test]
fn the_cache_spares_every_search_and_gives_the_same() {
    let lair = Lair::new();
    let folder = lair.path().join("cache");
    let requests = [positions(10), positions(4)].concat();
    let run = |vice: &str| {
        let launch = launch(&lair, vice);
        let start: Starter = Box::new(move || Ok(Box::new(UciEngine::start(launch.clone())?)));
        let mut pool = Pool::new(start, 2, Arc::default()).unwrap().with_cache(&folder, "");
        assert!(pool.cache_fault().is_none());
        let answers = pool.evaluate(&requests, &|_| {}).unwrap();
        (answers, pool.work())
    };
    let (fresh, first) = run("");
    assert_eq!((first.searched, first.recalled, first.repeated), (10, 0, 4));
    let (recalled, second) = run("silent-when-asked");
    assert_eq!((second.searched, second.recalled, second.repeated), (0, 10, 4));
    assert_eq!(fresh, recalled);
}

#[test]
fn gnu_chess_is_found_named_and_agrees_with_itself() {
    let gnuchess = locate("gnuchess").expect("this test needs GNU Chess");
    let identity = probe(&gnuchess).unwrap();
    assert_eq!(identity.name, "gnuchess");
    assert!(identity.version.starts_with("6."), "{identity:?}");
    let requests: Vec<Request> = positions(8).into_iter().map(|r| Request { depth: 5, ..r }).collect();
    let run = |size: usize| {
        let gnuchess = gnuchess.clone();
        let start: Starter =
            Box::new(move || Ok(Box::new(UciEngine::start(gnuchess.launch(Arc::default()))?)));
        Pool::new(start, size, Arc::default()).unwrap().evaluate(&requests, &|_| {}).unwrap()
    };
    let one = run(1);
    assert_eq!(one, run(2));
    let backwards: Vec<Request> = requests.iter().rev().cloned().collect();
    let start: Starter = Box::new(move || Ok(Box::new(UciEngine::start(gnuchess.launch(Arc::default()))?)));
    let mut pool = Pool::new(start, 1, Arc::default()).unwrap();
    let mut answers = pool.evaluate(&backwards, &|_| {}).unwrap();
    answers.reverse();
    assert_eq!(one, answers, "an answer depends on what was asked before");
    assert!(one.iter().all(|e| e.depth == 5 && e.best.is_some()));
}

#[test]
fn gnu_chess_sees_a_mate_in_two_from_either_side() {
    let fens =
        [("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", 9999), ("1r4k1/R4ppp/8/8/8/8/5PPP/6K1 b - - 0 1", -9999)];
    let gnuchess = locate("gnuchess").expect("this test needs GNU Chess");
    let mut engine = UciEngine::start(gnuchess.launch(Arc::default())).unwrap();
    for (fen, cp) in fens {
        let position: Chess = fen
            .parse::<shakmaty::fen::Fen>()
            .unwrap()
            .into_position(shakmaty::CastlingMode::Standard)
            .unwrap();
        let answer = engine.evaluate(&Request { position, depth: 4 }).unwrap();
        assert_eq!(answer.score.cp, cp, "{fen}");
    }
}

#[test]
fn a_mate_score_changes_sides_with_the_view() {
    use shakmaty::Color::{Black, White};
    assert_eq!(MoverScore::Mates(3).to_white(White).cp, 9997);
    assert_eq!(MoverScore::Mates(3).to_white(Black).cp, -9997);
    assert_eq!(MoverScore::Mated(0).to_white(White).cp, -10_000);
    for score in [MoverScore::Cp(31), MoverScore::Cp(-2000), MoverScore::Mates(1), MoverScore::Mated(7)] {
        assert_eq!(score.to_white(White).cp, -score.to_white(Black).cp);
    }
}

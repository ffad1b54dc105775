//! How far the audit has come: one bar on standard error, where that is a terminal.

use std::{
    fmt,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::{
    audit,
    engine::plan::{Place, Stage},
};

/// The words beside the bar before anything is searched.
const READING: &str = "Reading and repairing";

/// A bar, or nothing.
pub struct Progress {
    bar: ProgressBar,
    /// What is being searched at which depth, and since when.
    since: Since,
}

type Since = Arc<Mutex<Option<(Place, u32, Instant)>>>;

/// The time a search runs before the bar speaks of it: shorter ones would only flicker.
const LONG: Duration = Duration::from_secs(5);

impl Progress {
    /// A bar where `shown`.
    pub fn new(shown: bool) -> Progress {
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let progress = Progress::on(target);
        if shown {
            progress.bar.enable_steady_tick(Duration::from_millis(200));
        }
        progress
    }

    /// A bar on `target`, drawn anew at each step.
    fn on(target: ProgressDrawTarget) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(1), target);
        let since = Since::default();
        let style = ProgressStyle::with_template("{msg:32} {bar:12} {pos}/{len} {elapsed}{since}");
        if let Ok(style) = style {
            // The bar asks at each tick: an engine says nothing while it searches.
            let shared = Arc::clone(&since);
            let key = move |_: &ProgressState, out: &mut dyn fmt::Write| {
                let begun = shared.lock().ok().and_then(|since| *since);
                let _ = out.write_str(&begun.map_or_else(String::new, |(_, _, at)| waiting(at.elapsed())));
            };
            bar.set_style(style.with_key("since", key));
        }
        bar.set_message(READING);
        Progress { bar, since }
    }

    /// Shows one step.
    pub fn show(&self, step: audit::Progress) {
        let (message, done, total) = match step {
            audit::Progress::Repairing { done, total } => (READING.to_owned(), done, total),
            audit::Progress::Searching(stage) => (searching(stage), stage.done, stage.total),
            audit::Progress::Pictures { done, total } => ("Taking pictures".to_owned(), done, total),
        };
        self.note(step);
        // No tick between the two may show more done than there is.
        self.bar.set_position(self.bar.position().min(total.min(done) as u64));
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
        self.bar.set_message(message);
    }

    /// Notes when the search of another position has begun.
    fn note(&self, step: audit::Progress) {
        let Ok(mut since) = self.since.lock() else { return };
        let place = match step {
            audit::Progress::Searching(stage) => stage.searching.map(|place| (place, stage.depth)),
            _ => None,
        };
        if since.map(|(place, depth, _)| (place, depth)) != place {
            *since = place.map(|(place, depth)| (place, depth, Instant::now()));
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// What is searched.
fn searching(stage: Stage) -> String {
    match stage.searching {
        Some(Place { ply, .. }) => format!("Searching ply {ply}, depth {}", stage.depth),
        None => format!("Searching positions, depth {}", stage.depth),
    }
}

/// Since when the search has been running, where that is long.
fn waiting(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    if elapsed < LONG { String::new() } else { format!(", this ply {}:{:02}", seconds / 60, seconds % 60) }
}

#[cfg(test)]
mod tests {
    use std::io;

    use indicatif::TermLike;

    use super::*;

    /// Keeps what was last written to it.
    #[derive(Clone, Debug, Default)]
    struct Screen(Arc<Mutex<String>>);

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            80
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            self.0.lock().unwrap().clear();
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_whole_line_as_a_terminal_of_80_columns_shows_it() {
        let screen = Screen::default();
        let progress = Progress::on(ProgressDrawTarget::term_like_with_hz(Box::new(screen.clone()), 255));
        let place = Place { game: 0, ply: 34 };
        let stage = Stage { depth: 20, done: 33, total: 80, searching: Some(place) };
        progress.show(audit::Progress::Searching(stage));
        progress.bar.set_elapsed(Duration::from_secs(1260));
        let begun = Instant::now().checked_sub(Duration::from_secs(605)).unwrap();
        *progress.since.lock().unwrap() = Some((place, 20, begun));
        progress.bar.force_draw();
        let shown = screen.0.lock().unwrap().trim_end().to_owned();
        assert_eq!(shown, "Searching ply 34, depth 20       ████░░░░░░░░ 33/80 21m, this ply 10:05");
    }

    #[test]
    fn the_bar_names_the_ply_the_depth_and_the_time() {
        let place = Place { game: 0, ply: 34 };
        let stage = Stage { depth: 20, done: 33, total: 80, searching: Some(place) };
        assert_eq!(searching(stage), "Searching ply 34, depth 20");
        assert_eq!(searching(Stage { searching: None, ..stage }), "Searching positions, depth 20");
        assert_eq!(waiting(Duration::from_secs(605)), ", this ply 10:05");
        assert_eq!(waiting(Duration::from_secs(4)), "");
    }

    #[test]
    fn a_search_that_goes_on_keeps_its_beginning() {
        let progress = Progress::new(false);
        let begun = || progress.since.lock().unwrap().map(|(_, _, begun)| begun);
        let stage = |ply, done| {
            let searching = Some(Place { game: 0, ply });
            audit::Progress::Searching(Stage { depth: 20, done, total: 80, searching })
        };
        progress.show(stage(34, 3));
        let first = begun();
        progress.show(stage(34, 4));
        assert_eq!(begun(), first);
        progress.show(stage(35, 5));
        assert!(begun() > first);
        progress.show(audit::Progress::Pictures { done: 0, total: 1 });
        assert_eq!(begun(), None);
    }
}

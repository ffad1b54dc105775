//! How far the audit has come: one bar on standard error, where that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::audit;

/// The words beside the bar before anything is searched.
const READING: &str = "Reading and repairing";

/// A bar, or nothing.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar where `shown`.
    pub fn new(shown: bool) -> Progress {
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(1), target);
        let style = ProgressStyle::with_template("{msg:32} {bar:30} {pos}/{len} {elapsed}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.set_message(READING);
        if shown {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Progress { bar }
    }

    /// Shows one step.
    pub fn show(&self, step: audit::Progress) {
        let (message, done, total) = match step {
            audit::Progress::Repairing { done, total } => (READING.to_owned(), done, total),
            audit::Progress::Searching(stage) => {
                (format!("Searching positions, depth {}", stage.depth), stage.done, stage.total)
            }
            audit::Progress::Pictures { done, total } => ("Taking pictures".to_owned(), done, total),
        };
        // No tick between the two may show more done than there is.
        self.bar.set_position(self.bar.position().min(total.min(done) as u64));
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
        self.bar.set_message(message);
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

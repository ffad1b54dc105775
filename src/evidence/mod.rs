//! Boards, captions and charts as pixels, and XBoard under its own X server; judges nothing.
//!
//! Two ways to a picture, never mixed up: [`draw`] paints a [`Scene`] with the embedded fonts
//! ([`PictureSource::Rendered`]), [`Session::capture`] photographs a running XBoard after every square has been
//! compared with the expected position ([`PictureSource::XBoard`]). [`Stage::views`] makes the pictures of one
//! game, captured where that is possible, drawn where it is not, and says which and why.

mod board;
mod caption;
mod chart;
mod font;
mod marks;
mod outside;
mod pieces;
mod score;
mod verify;
mod views;
mod xboard;
mod xserver;

use std::{
    io,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use image::{
    ExtendedColorType, ImageEncoder, RgbImage,
    codecs::png::{CompressionType, FilterType, PngEncoder},
};
use shakmaty::Square;

pub use board::{Scene, draw, last_squares};

pub use chart::{Chart, chart};
pub use marks::{Mark, Tone};
pub use outside::{Programs, find_program, locate, xboard_version};
pub use verify::{Glyphs, find_board};
pub use views::{IllegalView, Stage, View, ViewRequest, draw_illegal};

pub use xboard::{Capture, Session, Shot};
pub use xserver::XServer;

/// Where the board is in a picture, in pixels, White at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardRect {
    /// Left edge of the a-file.
    pub x: u32,
    /// Upper edge of the eighth rank.
    pub y: u32,
    /// From one square's edge to the next one's.
    pub square: u32,
}

impl BoardRect {
    /// The upper left pixel of a square.
    pub fn corner(self, square: Square) -> (u32, u32) {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        (self.x + file * self.square, self.y + (7 - rank) * self.square)
    }
}

/// How a picture came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureSource {
    /// Captured from a running XBoard and checked square by square.
    XBoard,
    /// Drawn by this program.
    Rendered,
}

impl PictureSource {
    /// The word that `report.json` uses.
    pub fn word(self) -> &'static str {
        match self {
            PictureSource::XBoard => "xboard",
            PictureSource::Rendered => "rendered",
        }
    }
}

/// A finished picture with what is to be said about it.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The pixels.
    pub image: RgbImage,
    /// Where the board is in it.
    pub board: BoardRect,
    /// How it came to be.
    pub source: PictureSource,
    /// The words of its caption strip.
    pub text: String,
}

impl Picture {
    /// The picture as a PNG file; equal pixels give equal bytes.
    pub fn png(&self) -> Vec<u8> {
        encode(&self.image)
    }
}

/// An image as a PNG file; equal pixels give equal bytes.
pub fn encode(image: &RgbImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive)
        .write_image(image.as_raw(), image.width(), image.height(), ExtendedColorType::Rgb8)
        .expect("an RGB buffer of the stated size written to memory");
    bytes
}

/// How long to go on: until a point in time, or until someone raises the flag.
#[derive(Clone, Copy, Debug)]
pub struct Patience<'a> {
    /// The time allowed for each request, its retries not included.
    pub each: Duration,
    /// Raised when the run is to end at once.
    pub interrupted: &'a AtomicBool,
}

impl<'a> Patience<'a> {
    /// So much time for each request.
    pub fn new(each: Duration, interrupted: &'a AtomicBool) -> Self {
        Patience { each, interrupted }
    }

    fn start(self) -> Deadline<'a> {
        Deadline { at: Instant::now() + self.each, interrupted: self.interrupted }
    }
}

/// The absolute end of one request.
#[derive(Clone, Copy, Debug)]
struct Deadline<'a> {
    at: Instant,
    interrupted: &'a AtomicBool,
}

impl Deadline<'_> {
    fn check(&self, waiting_for: &'static str) -> Result<(), EvidenceError> {
        if self.interrupted.load(Ordering::Relaxed) {
            Err(EvidenceError::Interrupted)
        } else if Instant::now() >= self.at {
            Err(EvidenceError::Timeout { waiting_for })
        } else {
            Ok(())
        }
    }

    fn left(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }
}

/// Why there is no capture.
#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    /// A program is not installed.
    #[error("{0} was not found on PATH or in /usr/games")]
    NotFound(&'static str),
    /// A program could not be started.
    #[error("{program} could not be started: {source}")]
    Spawn {
        /// Which one.
        program: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// A program ended before its time.
    #[error("{program} ended early: {message}")]
    Died {
        /// Which one.
        program: &'static str,
        /// The last of what it said.
        message: String,
    },
    /// The X server does not answer as it should.
    #[error("the X server failed: {0}")]
    Server(String),
    /// Files for the outside programs could not be written.
    #[error("a private folder for XBoard could not be used: {0}")]
    Files(#[from] io::Error),
    /// The time was up.
    #[error("no answer in time, waiting for {waiting_for}")]
    Timeout {
        /// What had not come.
        waiting_for: &'static str,
    },
    /// XBoard came to rest without having loaded the score.
    #[error("XBoard did not load {file}")]
    NotLoaded {
        /// The file that it was given.
        file: String,
    },
    /// No chessboard could be made out in the window.
    #[error("no chessboard was found in XBoard's window")]
    NoBoard,
    /// The pieces of the calibration position could not be told apart.
    #[error("XBoard's pieces could not be told apart: {0}")]
    Glyphs(String),
    /// XBoard came to rest on another position.
    #[error("XBoard shows another position: {} differ", list(squares))]
    WrongPosition {
        /// The squares that differ, a1 first.
        squares: Vec<Square>,
    },
    /// The run is to end at once.
    #[error("interrupted")]
    Interrupted,
}

fn list(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join(" ")
}

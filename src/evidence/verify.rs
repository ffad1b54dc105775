//! Reading a position off the pixels of XBoard's window.
//!
//! The board is found by the colour of its dark squares, the chessmen by comparison with pictures of them that
//! XBoard itself drew in a known position. A second, independent reading takes the grey levels alone.

use image::{Rgb, RgbImage};
use shakmaty::{Board, Color, Piece, Square};

use super::{BoardRect, EvidenceError};

/// The light squares of every capture, given to XBoard.
pub(super) const LIGHT: Rgb<u8> = Rgb([0xFF, 0xFF, 0xF0]);
/// The dark squares of every capture, given to XBoard.
pub(super) const DARK: Rgb<u8> = Rgb([0x6E, 0x8C, 0xA0]);

/// Finds the board by its dark squares; `None` where there is none, or not all of it.
pub fn find_board(image: &RgbImage) -> Option<BoardRect> {
    let (width, height) = image.dimensions();
    let mut columns = vec![0u32; width as usize];
    let mut rows = vec![0u32; height as usize];
    for (x, y, pixel) in image.enumerate_pixels() {
        if *pixel == DARK {
            columns[x as usize] += 1;
            rows[y as usize] += 1;
        }
    }
    let span = |counts: &[u32]| {
        // A line through dark squares holds many dark pixels, letters and borders of that colour a few.
        let many = |n: &u32| *n >= 24;
        Some((counts.iter().position(many)? as u32, counts.iter().rposition(many)? as u32))
    };
    let ((left, right), (top, bottom)) = (span(&columns)?, span(&rows)?);
    let (across, down) = (right - left + 1, bottom - top + 1);
    // Squares may have a line between them, which the outermost ones lack on one side.
    let square = (across + 4) / 8;
    let whole = square >= 24 && across.abs_diff(8 * square) <= 2 && down.abs_diff(across) <= 1;
    let rect = BoardRect { x: left, y: top, square };
    (whole && is_chequered(image, rect)).then_some(rect)
}

/// Whether most squares show their own colour somewhere near their edge.
fn is_chequered(image: &RgbImage, rect: BoardRect) -> bool {
    let fits = Square::ALL.into_iter().filter(|at| {
        let (x, y) = rect.corner(*at);
        let own = if at.is_light() { LIGHT } else { DARK };
        let near = rect.square / 10;
        // The middle of the left edge: no coordinate stands there, and no chessman reaches it.
        image.get_pixel_checked(x + near, y + rect.square / 2).is_some_and(|p| *p == own)
    });
    fits.count() >= 56
}

/// The part of a square that is compared: chessmen fill it, borders and coordinates stay outside.
fn core(image: &RgbImage, rect: BoardRect, at: Square) -> Option<Vec<[u8; 3]>> {
    let (x, y) = rect.corner(at);
    let (from, to) = (rect.square / 5, rect.square * 4 / 5);
    let mut pixels = Vec::with_capacity(((to - from) * (to - from)) as usize);
    for dy in from..to {
        for dx in from..to {
            pixels.push(image.get_pixel_checked(x + dx, y + dy)?.0);
        }
    }
    Some(pixels)
}

/// Mean difference of a channel, 0 to 255.
fn difference(a: &[[u8; 3]], b: &[[u8; 3]]) -> f32 {
    if a.len() != b.len() || a.is_empty() {
        return f32::MAX;
    }
    let sum: u64 =
        a.iter().zip(b).map(|(p, q)| (0..3).map(|k| u64::from(p[k].abs_diff(q[k]))).sum::<u64>()).sum();
    sum as f32 / (3 * a.len()) as f32
}

/// Differences up to this are the same picture; two chessmen differ by far more.
const SAME: f32 = 3.0;

/// What every chessman, and the empty square, looks like on light and on dark squares.
#[derive(Clone, Debug)]
pub struct Glyphs {
    tiles: Vec<(bool, Option<Piece>, Vec<[u8; 3]>)>,
}

impl Glyphs {
    /// The board from which all of them can be learned: every chessman on both colours of square.
    pub const CALIBRATION: &str = "2kqrbnp/2kqrbnp/8/8/8/8/2KQRBNP/2KQRBNP";

    /// Learns from a picture of [`Glyphs::CALIBRATION`].
    ///
    /// # Errors
    /// No board in the picture, or two chessmen that look alike.
    pub fn learn(image: &RgbImage) -> Result<Glyphs, EvidenceError> {
        let rect = find_board(image).ok_or(EvidenceError::NoBoard)?;
        let board: Board =
            Self::CALIBRATION.parse().map_err(|_| EvidenceError::Glyphs("calibration position".into()))?;
        let mut tiles: Vec<(bool, Option<Piece>, Vec<[u8; 3]>)> = Vec::new();
        for at in Square::ALL {
            let (light, piece) = (at.is_light(), board.piece_at(at));
            let pixels = core(image, rect, at).ok_or(EvidenceError::NoBoard)?;
            if by_grey(&pixels) != piece.map(|p| p.color) {
                return Err(EvidenceError::Glyphs(format!("{at} does not look like its piece")));
            }
            for (other_light, other, other_pixels) in &tiles {
                let alike = difference(&pixels, other_pixels) <= SAME;
                if *other_light == light && alike != (*other == piece) {
                    return Err(EvidenceError::Glyphs(format!("{at} looks like another piece")));
                }
            }
            if !tiles.iter().any(|(l, p, _)| *l == light && *p == piece) {
                tiles.push((light, piece, pixels));
            }
        }
        Ok(Glyphs { tiles })
    }

    /// The squares, a1 first, that do not show what the board has there; a square that shows nothing known counts.
    pub fn differences(&self, image: &RgbImage, rect: BoardRect, expected: &Board) -> Vec<Square> {
        Square::ALL
            .into_iter()
            .filter(|at| {
                let piece = expected.piece_at(*at);
                let Some(pixels) = core(image, rect, *at) else { return true };
                let same = self.tiles.iter().any(|(light, known, tile)| {
                    *light == at.is_light() && *known == piece && difference(&pixels, tile) <= SAME
                });
                !same || by_grey(&pixels) != piece.map(|p| p.color)
            })
            .collect()
    }
}

/// Occupancy and colour by grey levels alone: an empty square is even, a black man mostly dark.
fn by_grey(pixels: &[[u8; 3]]) -> Option<Color> {
    let grey: Vec<f32> = pixels
        .iter()
        .map(|[r, g, b]| 0.299 * f32::from(*r) + 0.587 * f32::from(*g) + 0.114 * f32::from(*b))
        .collect();
    let count = grey.len().max(1) as f32;
    let mean = grey.iter().sum::<f32>() / count;
    let spread = (grey.iter().map(|g| (g - mean).powi(2)).sum::<f32>() / count).sqrt();
    if spread <= 15.0 {
        return None;
    }
    let dark = grey.iter().filter(|g| **g < 70.0).count() as f32 / count;
    Some(if dark < 0.30 { Color::White } else { Color::Black })
}

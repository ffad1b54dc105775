//! A board drawn from the position alone.

use image::{Rgb, RgbImage};
use imageproc::{
    drawing::{draw_filled_rect_mut, draw_hollow_rect_mut},
    rect::Rect,
};
use shakmaty::{Board, File, Move, Rank, Square};

use super::{
    BoardRect, Picture, PictureSource, caption,
    font::{SANS, scale_for_capitals, width, write},
    marks::{self, Mark},
    pieces,
};

/// What is to be drawn.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The position.
    pub board: Board,
    /// The squares of the last move.
    pub last: Option<(Square, Square)>,
    /// Moves pointed out, drawn in this order.
    pub marks: Vec<Mark>,
    /// The words under the board; parts are separated by ` · `.
    pub caption: String,
}

const LIGHT: Rgb<u8> = Rgb([245, 232, 207]);
const DARK: Rgb<u8> = Rgb([176, 125, 84]);
const LIGHT_LAST: Rgb<u8> = Rgb([246, 228, 122]);
const DARK_LAST: Rgb<u8> = Rgb([199, 160, 50]);
const EDGE: Rgb<u8> = Rgb([74, 50, 33]);
const PAPER: Rgb<u8> = Rgb([255; 3]);

/// The squares that a move is seen to touch: castling is the king's two steps.
pub fn last_squares(mv: Move) -> (Square, Square) {
    match mv {
        Move::Castle { king, rook } => {
            let file = if rook.file() > king.file() { File::G } else { File::C };
            (king, Square::from_coords(file, king.rank()))
        }
        _ => (mv.from().unwrap_or(mv.to()), mv.to()),
    }
}

/// Draws a board `width` pixels wide (at least 480 are used), White at the bottom, its caption under it.
pub fn draw(scene: &Scene, picture_width: u32) -> Picture {
    let picture_width = picture_width.max(480);
    let letter = (picture_width / 56).max(10);
    let (gutter, right) = (letter * 5 / 2, letter);
    let square = (picture_width - gutter - right) / 8;
    // What the division leaves over goes to the margins, so that every square is alike.
    let spare = picture_width - gutter - right - 8 * square;
    let rect = BoardRect { x: gutter + spare / 2, y: right + 2, square };
    let side = 8 * square;
    let mut image = RgbImage::from_pixel(picture_width, rect.y + side + gutter, PAPER);

    let frame = (picture_width / 400).max(1);
    for i in 1..=frame {
        let at = Rect::at((rect.x - i) as i32, (rect.y - i) as i32).of_size(side + 2 * i, side + 2 * i);
        draw_hollow_rect_mut(&mut image, at, EDGE);
    }
    for at in Square::ALL {
        let touched = scene.last.is_some_and(|(from, to)| at == from || at == to);
        let color = match (at.is_light(), touched) {
            (true, false) => LIGHT,
            (false, false) => DARK,
            (true, true) => LIGHT_LAST,
            (false, true) => DARK_LAST,
        };
        let (x, y) = rect.corner(at);
        draw_filled_rect_mut(&mut image, Rect::at(x as i32, y as i32).of_size(square, square), color);
    }
    for (at, piece) in scene.board.clone() {
        pieces::put(&mut image, piece, rect.corner(at), square);
    }
    marks::draw(&mut image, rect, &scene.marks);
    coordinates(&mut image, rect, letter);
    Picture {
        image: caption::under(&image, &scene.caption),
        board: rect,
        source: PictureSource::Rendered,
        text: scene.caption.clone(),
    }
}

fn coordinates(image: &mut RgbImage, rect: BoardRect, letter: u32) {
    let scale = scale_for_capitals(letter as f32);
    let half = rect.square / 2;
    for rank in Rank::ALL {
        let text = rank.char().to_string();
        let (_, top) = rect.corner(Square::from_coords(File::A, rank));
        let x = rect.x - letter - width(&SANS, scale, &text).div_ceil(2);
        write(image, &SANS, scale, (x as i32, (top + half - letter / 2) as i32), EDGE, &text);
    }
    for file in File::ALL {
        let text = file.char().to_string();
        let (left, _) = rect.corner(Square::from_coords(file, Rank::First));
        let x = left + half - width(&SANS, scale, &text) / 2;
        write(
            image,
            &SANS,
            scale,
            (x as i32, (rect.y + 8 * rect.square + letter * 3 / 5) as i32),
            EDGE,
            &text,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{Tone, encode};

    fn scene(board: &str) -> Scene {
        Scene {
            board: board.parse().unwrap(),
            last: None,
            marks: Vec::new(),
            caption: "White to move".into(),
        }
    }

    /// Spread of the grey levels in the middle of a square, and the share of dark pixels there.
    fn middle(picture: &Picture, at: Square) -> (f32, f32) {
        let (x, y) = picture.board.corner(at);
        let side = picture.board.square;
        let mut grey = Vec::new();
        for dy in side * 22 / 100..side * 82 / 100 {
            for dx in side / 4..side * 3 / 4 {
                let Rgb([r, g, b]) = *picture.image.get_pixel(x + dx, y + dy);
                grey.push(0.299 * f32::from(r) + 0.587 * f32::from(g) + 0.114 * f32::from(b));
            }
        }
        let n = grey.len() as f32;
        let mean = grey.iter().sum::<f32>() / n;
        let spread = (grey.iter().map(|g| (g - mean).powi(2)).sum::<f32>() / n).sqrt();
        (spread, grey.iter().filter(|g| **g < 70.0).count() as f32 / n)
    }

    #[test]
    fn every_square_shows_what_stands_there() {
        let scene = scene(crate::evidence::Glyphs::CALIBRATION);
        for width in [480, 1200] {
            let picture = draw(&scene, width);
            assert_eq!(picture.image.width(), width);
            for at in Square::ALL {
                let (spread, dark) = middle(&picture, at);
                match scene.board.piece_at(at) {
                    None => assert!(spread < 0.1, "{at} at {width}"),
                    Some(p) if p.color.is_white() => {
                        assert!(spread > 30.0 && dark < 0.1, "{at} {spread} {dark}")
                    }
                    Some(_) => assert!(spread > 30.0 && dark > 0.5, "{at} {spread} {dark}"),
                }
            }
        }
    }

    #[test]
    fn the_tones_are_those_of_a_board() {
        let picture = draw(&scene("r1bq1rk1/pp3ppp/2nbpn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1"), 720);
        let grey = image::DynamicImage::from(picture.image).into_luma8();
        let mut bins = [0u32; 8];
        grey.pixels().for_each(|p| bins[usize::from(p.0[0] / 32)] += 1);
        bins.sort_unstable();
        let share = (bins[7] + bins[6]) as f32 / grey.pixels().len() as f32;
        let mean = grey.pixels().map(|p| f32::from(p.0[0])).sum::<f32>() / grey.pixels().len() as f32;
        let spread = grey.pixels().map(|p| (f32::from(p.0[0]) - mean).powi(2)).sum::<f32>();
        let spread = (spread / grey.pixels().len() as f32).sqrt();
        assert!(share > 0.6 && spread > 50.0, "two main tones {share}, spread {spread}");
    }

    #[test]
    fn equal_scenes_give_equal_files_and_marks_show() {
        let plain = scene("4k3/8/8/8/8/8/4P3/4K3");
        let mut marked = plain.clone();
        marked.marks = vec![
            Mark { from: Some(Square::E2), to: Square::E5, tone: Tone::Written },
            Mark { from: Some(Square::E2), to: Square::D4, tone: Tone::Repair },
            Mark { from: None, to: Square::A8, tone: Tone::Repair },
            Mark { from: None, to: Square::H1, tone: Tone::Written },
        ];
        let picture = draw(&marked, 480);
        assert_eq!(encode(&picture.image), draw(&marked, 480).png());
        let is = |at: Square, (dx, dy): (u32, u32), tone: fn([u8; 3]) -> bool| {
            let (x, y) = picture.board.corner(at);
            tone(picture.image.get_pixel(x + dx, y + dy).0)
        };
        let half = picture.board.square / 2;
        assert!(is(Square::E5, (half, half), |[r, g, _]| r > 150 && g < 90), "a cross on e5");
        assert!(is(Square::H1, (half, half), |[r, g, _]| r > 150 && g < 90), "a cross on h1");
        assert!(
            is(Square::D4, (half + half / 6, half + half / 3), |[r, g, _]| g > 100 && r < 90),
            "an arrow's head on d4"
        );
        assert!(is(Square::A8, (half / 6, half), |[r, g, _]| g > 100 && r < 90), "a ring round a8");
    }

    #[test]
    fn castling_is_the_kings_step() {
        let long = Move::Castle { king: Square::E8, rook: Square::A8 };
        assert_eq!(last_squares(long), (Square::E8, Square::C8));
    }
}

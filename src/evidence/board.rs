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
        write(image, &SANS, scale, (x as i32, (rect.y + 8 * rect.square + letter * 3 / 5) as i32), EDGE, &text);
    }
}

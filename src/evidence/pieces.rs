//! Chessmen of any size, from the embedded font.

use ab_glyph::{Font, GlyphId, PxScale, ScaleFont, point};
use image::{Rgb, RgbImage};
use shakmaty::{Color, Piece, Role};

use super::font::CHESS;

/// Where the silhouettes are, seen from the chessmen.
const SILHOUETTE: u32 = 0xE000 - 0x2000;
/// Em of the font, in squares: the king is then 0.8 of a square high.
const EM: f32 = 1.22;
/// Where the chessmen stand, in squares from the upper edge.
const BASE: f32 = 0.895;

/// The outline of a white man; light enough that no grey-level test takes an ornate queen for a black one.
const BROWN: [f32; 3] = [86.0, 72.0, 58.0];
const BLACK: [f32; 3] = [24.0, 22.0, 20.0];
const IVORY: [f32; 3] = [255.0, 254.0, 250.0];
/// The lines inside a black man.
const LINES: [f32; 3] = [236.0, 232.0, 222.0];

fn code(piece: Piece) -> u32 {
    let role = match piece.role {
        Role::King => 0,
        Role::Queen => 1,
        Role::Rook => 2,
        Role::Bishop => 3,
        Role::Knight => 4,
        Role::Pawn => 5,
    };
    0x2654 + role + if piece.color == Color::Black { 6 } else { 0 }
}

/// How much of each pixel of a square a glyph covers, 0 to 1, row by row.
fn coverage(code: u32, side: u32) -> Vec<f32> {
    let mut cover = vec![0.0; (side * side) as usize];
    let glyph = char::from_u32(code).map_or(GlyphId(0), |c| CHESS.glyph_id(c));
    let square = side as f32;
    let scale =
        PxScale::from(square * EM * (CHESS.height_unscaled() / CHESS.units_per_em().unwrap_or(1000.0)));
    let advance = CHESS.as_scaled(scale).h_advance(glyph);
    let placed = glyph.with_scale_and_position(scale, point((square - advance) / 2.0, square * BASE));
    if let Some(outline) = CHESS.outline_glyph(placed) {
        let bounds = outline.px_bounds();
        let (left, top) = (bounds.min.x as i64, bounds.min.y as i64);
        outline.draw(|x, y, c| {
            let (x, y) = (i64::from(x) + left, i64::from(y) + top);
            if (0..i64::from(side)).contains(&x) && (0..i64::from(side)).contains(&y) {
                cover[(y * i64::from(side) + x) as usize] = c.clamp(0.0, 1.0);
            }
        });
    }
    cover
}

/// Puts a man on the square whose upper left pixel is given.
pub(super) fn put(image: &mut RgbImage, piece: Piece, (left, top): (u32, u32), side: u32) {
    let ink = coverage(code(piece), side);
    let body = coverage(code(piece) + SILHOUETTE, side);
    let (ink_color, body_color) = if piece.color == Color::White { (BROWN, IVORY) } else { (BLACK, LINES) };
    for (i, (ink, body)) in ink.into_iter().zip(body).enumerate() {
        // One share for each layer, so that no light fringe shows where both edges cross a pixel.
        let body = (body - ink).max(0.0);
        if ink + body == 0.0 {
            continue;
        }
        let pixel = image.get_pixel_mut(left + i as u32 % side, top + i as u32 / side);
        let Rgb(under) = *pixel;
        *pixel = Rgb(std::array::from_fn(|k| {
            let bare = 1.0 - ink - body;
            (f32::from(under[k]) * bare + ink_color[k] * ink + body_color[k] * body).round() as u8
        }));
    }
}

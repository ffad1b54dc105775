//! The embedded fonts and the measure of a line of text.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, GlyphId, PxScale, ScaleFont, point};
use image::{Rgb, RgbImage};

use super::marks::blend;

/// Chessmen at U+2654..265F, their silhouettes at U+E654..E65F.
pub(super) static CHESS: LazyLock<FontRef<'static>> =
    LazyLock::new(|| font(include_bytes!("../../assets/fonts/chess.ttf")));
/// Letters.
pub(super) static SANS: LazyLock<FontRef<'static>> =
    LazyLock::new(|| font(include_bytes!("../../assets/fonts/sans.ttf")));
/// Bold letters.
pub(super) static BOLD: LazyLock<FontRef<'static>> =
    LazyLock::new(|| font(include_bytes!("../../assets/fonts/sans-bold.ttf")));

/// Height of a capital letter, as a share of the scale given to ab_glyph (ascent to descent).
pub(super) const CAPITAL: f32 = 0.626;

fn font(bytes: &'static [u8]) -> FontRef<'static> {
    FontRef::try_from_slice(bytes).expect("the embedded font is well formed")
}

/// The scale at which capitals are so many pixels high.
pub(super) fn scale_for_capitals(pixels: f32) -> PxScale {
    PxScale::from(pixels / CAPITAL)
}

/// The glyphs of a line with their distance from its start, pixels, and the whole width.
fn set(font: &FontRef<'static>, scale: PxScale, text: &str) -> (Vec<(GlyphId, f32)>, f32) {
    let scaled = font.as_scaled(scale);
    let mut glyphs: Vec<(GlyphId, f32)> = Vec::with_capacity(text.len());
    let mut x = 0.0;
    for letter in text.chars() {
        let id = font.glyph_id(if letter.is_control() { ' ' } else { letter });
        if let Some((before, _)) = glyphs.last() {
            x += scaled.kern(*before, id);
        }
        glyphs.push((id, x));
        x += scaled.h_advance(id);
    }
    (glyphs, x)
}

/// Width of a line, pixels.
pub(super) fn width(font: &FontRef<'static>, scale: PxScale, text: &str) -> u32 {
    set(font, scale, text).1.ceil() as u32
}

/// Writes a line with the upper edge of its capitals at `y`; what falls outside the image is left out.
pub(super) fn write(
    image: &mut RgbImage,
    font: &FontRef<'static>,
    scale: PxScale,
    (x, y): (i32, i32),
    Rgb(ink): Rgb<u8>,
    text: &str,
) {
    // On a whole pixel, so that the feet of the letters are sharp.
    let baseline = y as f32 + (scale.y * CAPITAL).round();
    for (id, along) in set(font, scale, text).0 {
        let placed = id.with_scale_and_position(scale, point(x as f32 + along, baseline));
        let Some(outline) = font.outline_glyph(placed) else { continue };
        let bounds = outline.px_bounds();
        outline.draw(|dx, dy, cover| {
            let (px, py) = (bounds.min.x as i64 + i64::from(dx), bounds.min.y as i64 + i64::from(dy));
            let (Ok(px), Ok(py)) = (u32::try_from(px), u32::try_from(py)) else { return };
            blend(image, (px, py), ink, cover.clamp(0.0, 1.0));
        });
    }
}

//! Arrows, crosses and rings over a board, anti-aliased from their distance functions.

use image::{Rgb, RgbImage};
use shakmaty::Square;

use super::BoardRect;

/// What a mark says; told apart by shape as well as by colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The move as written, which cannot be played: red, dashed, a cross at its end.
    Written,
    /// The move that takes its place: green, solid.
    Repair,
}

/// A move pointed out on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Where it starts, where that is known.
    pub from: Option<Square>,
    /// Where it goes.
    pub to: Square,
    /// What it says.
    pub tone: Tone,
}

type Point = (f32, f32);

/// Distance to a line segment with round ends.
fn segment(p: Point, a: Point, b: Point) -> f32 {
    let (px, py, bx, by) = (p.0 - a.0, p.1 - a.1, b.0 - a.0, b.1 - a.1);
    let t = ((px * bx + py * by) / (bx * bx + by * by).max(1e-6)).clamp(0.0, 1.0);
    (px - t * bx).hypot(py - t * by)
}

/// Signed distance to a triangle, negative inside.
fn triangle(p: Point, corners: [Point; 3]) -> f32 {
    let mut distance = f32::MAX;
    let mut sides = [0.0f32; 3];
    for i in 0..3 {
        let (a, b) = (corners[i], corners[(i + 1) % 3]);
        distance = distance.min(segment(p, a, b));
        sides[i] = (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0);
    }
    let inside = sides.iter().all(|s| *s >= 0.0) || sides.iter().all(|s| *s <= 0.0);
    if inside { -distance } else { distance }
}

/// Paints everything nearer than nothing, a light rim of so many pixels round it.
fn paint(image: &mut RgbImage, rect: BoardRect, color: [u8; 3], rim: f32, shape: impl Fn(Point) -> f32) {
    const OPACITY: f32 = 0.88;
    for y in rect.y..rect.y + 8 * rect.square {
        for x in rect.x..rect.x + 8 * rect.square {
            let distance = shape((x as f32 + 0.5, y as f32 + 0.5));
            let (inner, outer) = ((0.5 - distance).clamp(0.0, 1.0), (0.5 - distance + rim).clamp(0.0, 1.0));
            if outer == 0.0 {
                continue;
            }
            let (color_share, rim_share) = (inner * OPACITY, (outer - inner).max(0.0) * OPACITY);
            let pixel = image.get_pixel_mut(x, y);
            let Rgb(under) = *pixel;
            *pixel = Rgb(std::array::from_fn(|k| {
                let bare = 1.0 - color_share - rim_share;
                (f32::from(under[k]) * bare + f32::from(color[k]) * color_share + 255.0 * rim_share).round() as u8
            }));
        }
    }
}

/// Draws the marks over a board, in order.
pub(super) fn draw(image: &mut RgbImage, rect: BoardRect, marks: &[Mark]) {
    for mark in marks {
        match (mark.tone, mark.from.filter(|from| *from != mark.to)) {
            (Tone::Written, from) => written(image, rect, from, mark.to),
            (Tone::Repair, Some(from)) => arrow(image, rect, from, mark.to, [24, 132, 62], None),
            (Tone::Repair, None) => ring(image, rect, mark.to, [24, 132, 62]),
        }
    }
}

fn center(rect: BoardRect, square: Square) -> Point {
    let (x, y) = rect.corner(square);
    let half = rect.square as f32 / 2.0;
    (x as f32 + half, y as f32 + half)
}

const RED: [u8; 3] = [204, 24, 40];

fn written(image: &mut RgbImage, rect: BoardRect, from: Option<Square>, to: Square) {
    let side = rect.square as f32;
    if let Some(from) = from {
        arrow(image, rect, from, to, RED, Some(side * 0.17));
    }
    let (cx, cy) = center(rect, to);
    let (arm, thick) = (side * 0.24, side * 0.052);
    paint(image, rect, RED, rim(side), |p| {
        let one = segment(p, (cx - arm, cy - arm), (cx + arm, cy + arm));
        let two = segment(p, (cx - arm, cy + arm), (cx + arm, cy - arm));
        one.min(two) - thick
    });
}

fn ring(image: &mut RgbImage, rect: BoardRect, to: Square, color: [u8; 3]) {
    let side = rect.square as f32;
    let (cx, cy) = center(rect, to);
    paint(image, rect, color, rim(side), |p| {
        ((p.0 - cx).hypot(p.1 - cy) - side * 0.42).abs() - side * 0.045
    });
}

fn rim(side: f32) -> f32 {
    (side * 0.02).max(1.0)
}

/// An arrow from centre to centre; `dash` is the length of a dash, pixels. A dashed arrow has no head: the mark at
/// its end is one.
fn arrow(image: &mut RgbImage, rect: BoardRect, from: Square, to: Square, color: [u8; 3], dash: Option<f32>) {
    let side = rect.square as f32;
    let (a, b) = (center(rect, from), center(rect, to));
    let length = (b.0 - a.0).hypot(b.1 - a.1);
    let (dx, dy) = ((b.0 - a.0) / length, (b.1 - a.1) / length);
    let along = |d: f32| (a.0 + dx * d, a.1 + dy * d);
    let half = side * 0.062;
    match dash {
        None => {
            let head = side * 0.40;
            let (neck, wing) = (along(length - head), side * 0.19);
            let corners = [b, (neck.0 - dy * wing, neck.1 + dx * wing), (neck.0 + dy * wing, neck.1 - dx * wing)];
            paint(image, rect, color, rim(side), |p| {
                (segment(p, along(side * 0.16), along(length - head * 0.8)) - half).min(triangle(p, corners))
            });
        }
        Some(dash) => {
            // The gaps hold the round ends of the dashes as well.
            let (start, end, pitch) = (side * 0.12, length - side * 0.34, dash + side * 0.24);
            let dashes = (((end - start - dash) / pitch).round() as i32).max(0);
            let stride = if dashes == 0 { 0.0 } else { (end - start - dash) / dashes as f32 };
            paint(image, rect, color, rim(side), |p| {
                (0..=dashes)
                    .map(|i| start + i as f32 * stride)
                    .map(|d| segment(p, along(d), along((d + dash).min(end.max(d)))) - half)
                    .fold(f32::MAX, f32::min)
            });
        }
    }
}

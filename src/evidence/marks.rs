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

/// Lays a colour over a pixel, `share` of it; pixels outside the image are left alone.
pub(super) fn blend(image: &mut RgbImage, (x, y): (u32, u32), color: [u8; 3], share: f32) {
    if let Some(pixel) = image.get_pixel_mut_checked(x, y) {
        let Rgb(under) = *pixel;
        *pixel = Rgb(std::array::from_fn(|k| {
            (f32::from(under[k]) * (1.0 - share) + f32::from(color[k]) * share).round() as u8
        }));
    }
}

/// Distance to a line segment with round ends.
pub(super) fn segment(p: Point, a: Point, b: Point) -> f32 {
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

/// Paints the inside of a shape given by its signed distance, with a light rim. The shape lies within half a square
/// of the line between two points; nothing is painted beyond the board.
fn paint(
    image: &mut RgbImage,
    rect: BoardRect,
    (a, b): (Point, Point),
    color: [u8; 3],
    shape: impl Fn(Point) -> f32,
) {
    const OPACITY: f32 = 0.88;
    let (side, board) = (rect.square as f32, 8 * rect.square);
    let rim = (side * 0.02).max(1.0);
    let reach = |p: f32, q: f32, start: u32| {
        let low = (p.min(q) - side / 2.0).max(start as f32) as u32;
        let high = ((p.max(q) + side / 2.0).ceil() as u32).min(start + board);
        low..high
    };
    for y in reach(a.1, b.1, rect.y) {
        for x in reach(a.0, b.0, rect.x) {
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
                (f32::from(under[k]) * bare + f32::from(color[k]) * color_share + 255.0 * rim_share).round()
                    as u8
            }));
        }
    }
}

/// Draws the marks over a board, in order.
pub(super) fn draw(image: &mut RgbImage, rect: BoardRect, marks: &[Mark]) {
    for mark in marks {
        let from = mark.from.filter(|from| *from != mark.to);
        match (mark.tone, from) {
            (Tone::Written, from) => {
                if let Some(from) = from {
                    dashes(image, rect, from, mark.to);
                }
                cross(image, rect, mark.to);
            }
            (Tone::Repair, Some(from)) => arrow(image, rect, from, mark.to),
            (Tone::Repair, None) => ring(image, rect, mark.to),
        }
    }
}

const RED: [u8; 3] = [204, 24, 40];
const GREEN: [u8; 3] = [24, 132, 62];
/// How far from the middle of its first square a line starts, in squares: the man on it stays in sight.
const START: f32 = 0.36;
/// Half the thickness of a line, in squares.
const HALF: f32 = 0.062;

fn center(rect: BoardRect, square: Square) -> Point {
    let (x, y) = rect.corner(square);
    let half = rect.square as f32 / 2.0;
    (x as f32 + half, y as f32 + half)
}

/// The point on the way from one to the other, so many pixels along.
fn along(a: Point, b: Point, pixels: f32) -> Point {
    let length = (b.0 - a.0).hypot(b.1 - a.1);
    (a.0 + (b.0 - a.0) / length * pixels, a.1 + (b.1 - a.1) / length * pixels)
}

fn cross(image: &mut RgbImage, rect: BoardRect, to: Square) {
    let side = rect.square as f32;
    let (x, y) = center(rect, to);
    let (arm, half) = (side * 0.24, side * 0.052);
    paint(image, rect, ((x, y), (x, y)), RED, |p| {
        let one = segment(p, (x - arm, y - arm), (x + arm, y + arm));
        let two = segment(p, (x - arm, y + arm), (x + arm, y - arm));
        one.min(two) - half
    });
}

fn ring(image: &mut RgbImage, rect: BoardRect, to: Square) {
    let side = rect.square as f32;
    let (x, y) = center(rect, to);
    paint(image, rect, ((x, y), (x, y)), GREEN, |p| {
        ((p.0 - x).hypot(p.1 - y) - side * 0.42).abs() - side * 0.045
    });
}

fn arrow(image: &mut RgbImage, rect: BoardRect, from: Square, to: Square) {
    let side = rect.square as f32;
    let (a, b) = (center(rect, from), center(rect, to));
    let length = (b.0 - a.0).hypot(b.1 - a.1);
    let (head, wing) = (side * 0.40, side * 0.19);
    let neck = along(a, b, length - head);
    let (dx, dy) = ((b.0 - a.0) / length * wing, (b.1 - a.1) / length * wing);
    let corners = [b, (neck.0 - dy, neck.1 + dx), (neck.0 + dy, neck.1 - dx)];
    let (tail, end) = (along(a, b, side * START), along(a, b, length - head * 0.8));
    paint(image, rect, (a, b), GREEN, |p| (segment(p, tail, end) - side * HALF).min(triangle(p, corners)));
}

/// A dashed line that ends where a cross begins.
fn dashes(image: &mut RgbImage, rect: BoardRect, from: Square, to: Square) {
    let side = rect.square as f32;
    let (a, b) = (center(rect, from), center(rect, to));
    let length = (b.0 - a.0).hypot(b.1 - a.1);
    let (start, end, dash) = (side * START, length - side * 0.36, side * 0.15);
    // The gaps hold the round ends of the dashes as well.
    let gaps = ((end - start - dash) / (dash + side * 0.24)).round().max(1.0);
    let stride = (end - start - dash).max(0.0) / gaps;
    let pieces: Vec<(Point, Point)> = (0..=gaps as u32)
        .map(|i| start + i as f32 * stride)
        .map(|d| (along(a, b, d), along(a, b, d + dash)))
        .collect();
    paint(image, rect, (a, b), RED, |p| {
        pieces.iter().map(|(c, d)| segment(p, *c, *d) - side * HALF).fold(f32::MAX, f32::min)
    });
}

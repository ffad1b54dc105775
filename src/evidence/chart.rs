//! The course of a game as a curve of evaluations.

use image::{Rgb, RgbImage};
use imageproc::{drawing::draw_filled_rect_mut, rect::Rect};

use super::{
    caption,
    font::{BOLD, SANS, scale_for_capitals, width, write},
    marks::{blend, segment},
};

/// What is to be drawn.
#[derive(Clone, Debug, Default)]
pub struct Chart<'a> {
    /// Centipawns from White's view: the start, then the position after each ply.
    pub scores: &'a [i32],
    /// The number of the first move.
    pub first_move: u32,
    /// Whether Black makes the first move.
    pub black_begins: bool,
    /// The plies to be pointed out, from 1, with a word for each.
    pub blunders: &'a [(u32, String)],
    /// The words under the chart.
    pub caption: &'a str,
}

/// Scores beyond this are drawn at the edge, centipawns.
const CAP: i32 = 1000;

const PAPER: Rgb<u8> = Rgb([255; 3]);
const GRID: Rgb<u8> = Rgb([226, 222, 216]);
const WORDS: Rgb<u8> = Rgb([90, 80, 72]);
const WHITE_AHEAD: [u8; 3] = [238, 224, 196];
const BLACK_AHEAD: [u8; 3] = [88, 80, 74];
const CURVE: [u8; 3] = [62, 44, 30];
const RED: [u8; 3] = [204, 24, 40];

/// Where scores and plies are in the picture.
struct Frame {
    left: f32,
    top: f32,
    across: f32,
    down: f32,
    plies: usize,
}

impl Frame {
    fn x(&self, ply: f32) -> f32 {
        self.left + self.across * ply / self.plies.max(1) as f32
    }

    fn y(&self, score: f32) -> f32 {
        let capped = score.clamp(-CAP as f32, CAP as f32);
        self.top + self.down * (0.5 - capped / (2 * CAP) as f32)
    }
}

/// Draws the curve, `picture_width` pixels wide (at least 480 are used).
pub fn chart(chart: &Chart<'_>, picture_width: u32) -> RgbImage {
    let picture_width = picture_width.max(480);
    let letter = (picture_width / 80).max(10) as f32;
    let height = picture_width * 2 / 5;
    let frame = Frame {
        left: letter * 5.0,
        top: letter * 2.0,
        across: picture_width as f32 - letter * 7.0,
        down: height as f32 - letter * 5.5,
        plies: chart.scores.len().saturating_sub(1),
    };
    let mut image = RgbImage::from_pixel(picture_width, height, PAPER);
    areas(&mut image, &frame, chart.scores);
    grid(&mut image, &frame, chart, letter);
    curve(&mut image, &frame, chart.scores, (letter / 6.0).max(1.5));
    blunders(&mut image, &frame, chart, letter);
    caption::under(&image, chart.caption)
}

/// The score between two plies, on the straight line.
fn score_at(scores: &[i32], ply: f32) -> f32 {
    let before = (ply.floor().max(0.0) as usize).min(scores.len() - 1);
    let after = (before + 1).min(scores.len() - 1);
    let cap = |i: usize| scores[i].clamp(-CAP, CAP) as f32;
    cap(before) + (cap(after) - cap(before)) * (ply - before as f32)
}

fn areas(image: &mut RgbImage, frame: &Frame, scores: &[i32]) {
    if scores.is_empty() {
        return;
    }
    let zero = frame.y(0.0);
    for x in frame.left as u32..=(frame.left + frame.across) as u32 {
        let ply = (x as f32 - frame.left) / frame.across * frame.plies as f32;
        let edge = frame.y(score_at(scores, ply));
        let color = if edge < zero { WHITE_AHEAD } else { BLACK_AHEAD };
        let (top, bottom) = (edge.min(zero), edge.max(zero));
        for y in top.floor() as u32..bottom.ceil() as u32 {
            let share = (bottom.min(y as f32 + 1.0) - top.max(y as f32)).clamp(0.0, 1.0);
            blend(image, (x, y), color, share);
        }
    }
}

fn grid(image: &mut RgbImage, frame: &Frame, chart: &Chart<'_>, letter: f32) {
    let scale = scale_for_capitals(letter);
    let (left, right) = (frame.left as i32, (frame.left + frame.across) as i32);
    for pawns in [-10, -5, 0, 5, 10] {
        let y = frame.y((pawns * 100) as f32).round() as i32;
        let color = if pawns == 0 { Rgb(CURVE) } else { GRID };
        draw_filled_rect_mut(image, Rect::at(left, y).of_size((right - left) as u32, 1), color);
        let text = if pawns < 0 { format!("\u{2212}{}", -pawns) } else { format!("{pawns:+}") };
        let text = if pawns == 0 { "0".to_owned() } else { text };
        let x = left - letter as i32 - width(&SANS, scale, &text) as i32;
        write(image, &SANS, scale, (x, y - letter as i32 / 2), WORDS, &text);
    }
    // About eight numbers, whatever the length.
    let moves = frame.plies.div_ceil(2).max(1) as u32;
    let step = [1, 2, 5, 10, 20, 50, 100].into_iter().find(|step| moves / step <= 10).unwrap_or(200);
    let bottom = (frame.top + frame.down) as i32;
    for number in chart.first_move..chart.first_move + moves + 1 {
        let plies = (number - chart.first_move) * 2;
        let ply = if chart.black_begins { plies.saturating_sub(1) } else { plies };
        if number % step != 0 || ply as usize > frame.plies {
            continue;
        }
        let x = frame.x(ply as f32).round() as i32;
        draw_filled_rect_mut(image, Rect::at(x, bottom).of_size(1, (letter / 2.0) as u32), WORDS);
        let text = number.to_string();
        let half = width(&SANS, scale, &text) as i32 / 2;
        write(image, &SANS, scale, (x - half, bottom + letter as i32), WORDS, &text);
    }
}

fn curve(image: &mut RgbImage, frame: &Frame, scores: &[i32], thick: f32) {
    let points: Vec<(f32, f32)> =
        scores.iter().enumerate().map(|(i, s)| (frame.x(i as f32), frame.y(*s as f32))).collect();
    let (last_x, last_y) = (image.width() - 1, image.height() - 1);
    // Each pixel takes the nearest piece of the curve, so that joints are not painted twice.
    let mut cover = vec![0.0f32; (image.width() * image.height()) as usize];
    for pair in points.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        for y in (a.1.min(b.1) - 3.0).max(0.0) as u32..=((a.1.max(b.1) + 3.0) as u32).min(last_y) {
            for x in (a.0.min(b.0) - 3.0).max(0.0) as u32..=((a.0.max(b.0) + 3.0) as u32).min(last_x) {
                let distance = segment((x as f32 + 0.5, y as f32 + 0.5), a, b) - thick / 2.0;
                let pixel = &mut cover[(y * image.width() + x) as usize];
                *pixel = pixel.max((0.5 - distance).clamp(0.0, 1.0));
            }
        }
    }
    for (i, share) in cover.into_iter().enumerate().filter(|(_, share)| *share > 0.0) {
        blend(image, (i as u32 % (last_x + 1), i as u32 / (last_x + 1)), CURVE, share);
    }
}

fn blunders(image: &mut RgbImage, frame: &Frame, chart: &Chart<'_>, letter: f32) {
    let scale = scale_for_capitals(letter);
    let radius = letter * 0.5;
    for (ply, word) in chart.blunders {
        let Some(score) = chart.scores.get(*ply as usize) else { continue };
        let (cx, cy) = (frame.x(*ply as f32), frame.y(*score as f32));
        let reach = radius as i64 + 3;
        for dy in -reach..=reach {
            for dx in -reach..=reach {
                let (Ok(x), Ok(y)) = (u32::try_from(cx as i64 + dx), u32::try_from(cy as i64 + dy)) else {
                    continue;
                };
                let distance = (x as f32 + 0.5 - cx).hypot(y as f32 + 0.5 - cy) - radius;
                blend(image, (x, y), [255; 3], (2.0 - distance).clamp(0.0, 1.0));
                blend(image, (x, y), RED, (0.5 - distance).clamp(0.0, 1.0));
            }
        }
        let long = width(&BOLD, scale, word) as f32;
        let x = (cx - long / 2.0).clamp(frame.left, (frame.left + frame.across - long).max(frame.left));
        // On the side of the curve where it came from: there is nothing drawn there.
        let before = chart.scores.get((*ply as usize).saturating_sub(1)).copied().unwrap_or(0);
        let y = if before < *score { cy - radius - letter * 1.6 } else { cy + radius + letter * 0.6 };
        // A light ground, so that the word can be read over the dark area.
        let (pad, high) = (letter / 4.0, letter * 1.5);
        let ground =
            Rect::at((x - pad) as i32, (y - pad) as i32).of_size((long + 2.0 * pad) as u32, high as u32);
        draw_filled_rect_mut(image, ground, PAPER);
        write(image, &BOLD, scale, (x as i32, y as i32), Rgb(RED), word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_takes_the_side_that_is_ahead_and_the_blunder_is_red() {
        let scores = [0, 400, 400, 400, -400, -400, -400, 20_000];
        let blunders = [(4, "2... Qd4".to_owned())];
        let picture = chart(
            &Chart {
                scores: &scores,
                first_move: 1,
                black_begins: false,
                blunders: &blunders,
                caption: "Ne4",
            },
            800,
        );
        let has = |color: [u8; 3]| picture.pixels().any(|p| p.0 == color);
        assert!(has(WHITE_AHEAD) && has(BLACK_AHEAD) && has(RED));
        let quiet = chart(&Chart { scores: &[0; 8], first_move: 1, ..Chart::default() }, 800);
        assert!(!quiet.pixels().any(|p| [WHITE_AHEAD, BLACK_AHEAD, RED].contains(&p.0)));
    }

    #[test]
    fn a_game_without_moves_or_of_one_ply_is_drawn() {
        for scores in [&[][..], &[30], &[30, -9999]] {
            let picture =
                chart(&Chart { scores, first_move: 40, black_begins: true, ..Chart::default() }, 480);
            assert_eq!(picture.width(), 480);
        }
    }
}

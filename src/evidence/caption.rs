//! The strip of words under a picture: black on white, capitals at least 20 pixels high.

use image::{Rgb, RgbImage, imageops};

use super::font::{BOLD, scale_for_capitals, width, write};

/// Height of the capitals that every caption has at least, pixels: what OCR reads under any picture.
const CAPITALS: u32 = 20;

/// Parts of a caption stand between these.
const DOT: &str = " · ";

/// Height of the capitals in a picture of this width, pixels.
fn capitals(picture_width: u32) -> u32 {
    (picture_width / 34).clamp(CAPITALS, 26)
}

/// The picture with its caption under it.
pub(super) fn under(picture: &RgbImage, text: &str) -> RgbImage {
    let capital = capitals(picture.width());
    let scale = scale_for_capitals(capital as f32);
    let margin = capital;
    let room = picture.width().saturating_sub(2 * margin);
    let lines = break_lines(text, |line| width(&BOLD, scale, line) <= room);
    let pitch = capital * 17 / 10;
    let height = 2 * margin + pitch * (lines.len() as u32).saturating_sub(1) + capital;
    let mut image = RgbImage::from_pixel(picture.width(), picture.height() + height, Rgb([255; 3]));
    imageops::replace(&mut image, picture, 0, 0);
    for (i, line) in lines.iter().enumerate() {
        let y = picture.height() + margin + pitch * i as u32;
        write(&mut image, &BOLD, scale, (margin as i32, y as i32), Rgb([0; 3]), line);
    }
    image
}

/// The words of a part; a move stays with its number, and words in parentheses stay together.
fn words(part: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for word in part.split_whitespace() {
        match words.last_mut().filter(|last| open || is_number(last)) {
            Some(last) => *last += &format!(" {word}"),
            None => words.push(word.to_owned()),
        }
        let (opened, closed) = (word.rfind('('), word.rfind(')'));
        open = if opened > closed { true } else { open && closed.is_none() };
    }
    words
}

/// Whether the last word is that of a move's number: `12.` or `12...`.
fn is_number(words: &str) -> bool {
    let word = words.rsplit(' ').next().unwrap_or(words);
    let digits = word.trim_end_matches('.');
    digits.len() < word.len() && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Lines that fit: broken between the parts, a part between its words, a word anywhere.
fn break_lines(text: &str, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let push = |line: &mut String, piece: &str, glue: &str, lines: &mut Vec<String>| -> bool {
        let longer = if line.is_empty() { piece.to_owned() } else { format!("{line}{glue}{piece}") };
        if fits(&longer) {
            *line = longer;
            return true;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(line));
        }
        let alone = fits(piece);
        if alone {
            *line = piece.to_owned();
        }
        alone
    };
    for part in text.split(DOT) {
        if push(&mut line, part, DOT, &mut lines) {
            continue;
        }
        for group in words(part) {
            if push(&mut line, &group, " ", &mut lines) {
                continue;
            }
            for word in group.split(' ') {
                if push(&mut line, word, " ", &mut lines) {
                    continue;
                }
                for letter in word.chars() {
                    let _ = push(&mut line, letter.encode_utf8(&mut [0; 4]), "", &mut lines); // a letter always has room
                }
            }
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, letters: usize) -> Vec<String> {
        break_lines(text, |l| l.chars().count() <= letters)
    }

    #[test]
    fn parts_are_kept_whole_where_they_fit() {
        assert_eq!(
            lines("XBoard 4.9.1 · game file · White to move", 24),
            ["XBoard 4.9.1 · game file", "White to move"]
        );
    }

    #[test]
    fn long_parts_break_between_words_and_long_words_anywhere() {
        assert_eq!(lines("one two three", 7), ["one two", "three"]);
        assert_eq!(lines("abcdefghij · k", 4), ["abcd", "efgh", "ij", "k"]);
        assert_eq!(lines("", 4), [""]);
    }

    #[test]
    fn a_move_stays_with_its_number_and_parentheses_together() {
        assert_eq!(
            lines("after the blunder 29. Rg8 (ply 57)", 24),
            ["after the blunder", "29. Rg8 (ply 57)"]
        );
        assert_eq!(lines("loss: 29... Qe8 (ply 58)", 17), ["loss: 29... Qe8", "(ply 58)"]);
        assert_eq!(lines("see (a b) c (d) e", 10), ["see (a b)", "c (d) e"]);
        assert_eq!(lines("(never closed it)", 6), ["(never", "closed", "it)"]);
    }

    #[test]
    fn no_ink_outside_the_strip_and_capitals_of_20_pixels() {
        let picture = RgbImage::from_pixel(480, 100, Rgb([9, 9, 9]));
        let image = under(&picture, "H");
        assert!(image.enumerate_pixels().all(|(_, y, p)| (y < 100) == (p.0 == [9, 9, 9])));
        let inked: Vec<u32> =
            (100..image.height()).filter(|y| (0..480).any(|x| image.get_pixel(x, *y).0[0] < 128)).collect();
        assert!(inked.len() >= 20, "an H {} pixels high", inked.len());
    }
}

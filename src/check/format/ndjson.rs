//! One JSON object a line and a game.

use std::io::Write;

use super::{CleanGame, Piece};
use crate::{
    check::record::{self, SummaryRecord},
    examine::Examined,
    sheet::Source,
    visible::harmless_json,
};

const BEFORE_FILE: &str = r#"{"type":"game","file":"#;
const BEFORE_NUMBER: &str = r#","game":"#;

/// Adds a game that was read in full.
pub fn game(out: &mut Piece, file: &str, source: &Source, game: &Examined) {
    let begin = out.bytes.len();
    let number = begin + BEFORE_FILE.len() + json(&file).len() + BEFORE_NUMBER.len();
    out.bytes.append(&mut json(&record::game(file, 0, source, game)));
    debug_assert_eq!(out.bytes[number], b'0', "the game's number stands where it was put");
    out.bytes.remove(number);
    out.holes.push(number);
    out.bytes.push(b'\n');
}

/// Adds a game that was proved clean.
pub fn clean(out: &mut Piece, file: &str, game: &CleanGame<'_>) {
    let bytes = &mut out.bytes;
    bytes.extend_from_slice(BEFORE_FILE.as_bytes());
    bytes.extend_from_slice(&json(&file));
    bytes.extend_from_slice(BEFORE_NUMBER.as_bytes());
    out.holes.push(bytes.len());
    write!(bytes, r#","line":{},"offset":{},"moves":["#, game.line, game.offset).expect(NEVER);
    for (i, span) in game.moves.iter().enumerate() {
        bytes.extend_from_slice(if i == 0 { b"\"" } else { b",\"" });
        bytes.extend_from_slice(&game.text[span.start..span.end]);
        bytes.push(b'"');
    }
    let board = game.board.map_or_else(|| "null".to_owned(), |board| format!("\"{board}\""));
    let result = game.result;
    writeln!(
        bytes,
        r#"],"plies_written":{},"findings":[],"result":{{"tag":"{result}","terminator":"{result}","board":{board},"read":"{result}"}},"repair":null}}"#,
        game.moves.len(),
    )
    .expect(NEVER);
}

/// The last line of all.
pub fn summary(summary: &SummaryRecord) -> Vec<u8> {
    let mut line = json(summary);
    line.push(b'\n');
    line
}

const NEVER: &str = "memory takes every write and no key is anything but a string";

fn json(value: &impl serde::Serialize) -> Vec<u8> {
    harmless_json(serde_json::to_vec(value).expect(NEVER))
}

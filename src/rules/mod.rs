//! The registry of rules: one file a rule, whose text is the user's documentation.
//!
//! Codes: `PA1xx` the score cannot be replayed or text is lost, `PA2xx` it contradicts itself, `PA3xx` notation,
//! `PA4xx` file and encoding, `PA5xx` tags and set-up, `PA6xx` variants, `PA7xx` the program itself.

mod ambiguous_move;
mod blank_line;
mod brace_closed_by_parenthesis;
mod broken_fen;
mod broken_tag;
mod byte_order_mark;
mod capture_spelling;
mod castling_spelling;
mod check_word;
mod clock_time;
mod control_character;
mod cr_line_ends;
mod descriptive_notation;
mod double_forfeit;
mod drop_move;
mod duplicate_tag;
mod en_passant_suffix;
mod extra_move;
mod false_capture_sign;
mod false_check_sign;
mod figurine;
mod foreign_letters;
mod games_run_together;
mod glued_tokens;
mod glyph;
mod illegal_move;
mod illegal_variation;
mod impossible_castling_right;
mod incomplete_fen;
mod internal_error;
mod line_comment;
mod long_algebraic;
mod lower_case_piece;
mod markup;
mod missing_check_sign;
mod missing_move;
mod missing_setup_tag;
mod missing_terminator;
mod mixed_line_ends;
mod move_number_style;
mod not_utf_8;
mod null_move_spelling;
mod odd_space;
mod over_disambiguation;
mod oversized_game;
mod promotion_spelling;
mod punctuation;
mod reader_loses_move;
mod result_against_board;
mod result_mismatch;
mod result_signal;
mod result_spelling;
mod result_tag_spelling;
mod split_move;
mod stray_bracket;
mod tag_after_moves;
mod tag_line;
mod text_in_movetext;
mod text_outside_games;
mod two_lists;
mod unclosed_comment;
mod unclosed_variation;
mod unescaped_quote;
mod unreadable_move;
mod utf_16;
mod variant;
mod wrong_column;
mod wrong_move_number;
mod wrong_side_to_move;

pub use ambiguous_move::RULE as AMBIGUOUS_MOVE;
pub use blank_line::RULE as BLANK_LINE;
pub use brace_closed_by_parenthesis::RULE as BRACE_CLOSED_BY_PARENTHESIS;
pub use broken_fen::RULE as BROKEN_FEN;
pub use broken_tag::RULE as BROKEN_TAG;
pub use byte_order_mark::RULE as BYTE_ORDER_MARK;
pub use capture_spelling::RULE as CAPTURE_SPELLING;
pub use castling_spelling::RULE as CASTLING_SPELLING;
pub use check_word::RULE as CHECK_WORD;
pub use clock_time::RULE as CLOCK_TIME;
pub use control_character::RULE as CONTROL_CHARACTER;
pub use cr_line_ends::RULE as CR_LINE_ENDS;
pub use descriptive_notation::RULE as DESCRIPTIVE_NOTATION;
pub use double_forfeit::RULE as DOUBLE_FORFEIT;
pub use drop_move::RULE as DROP_MOVE;
pub use duplicate_tag::RULE as DUPLICATE_TAG;
pub use en_passant_suffix::RULE as EN_PASSANT_SUFFIX;
pub use extra_move::RULE as EXTRA_MOVE;
pub use false_capture_sign::RULE as FALSE_CAPTURE_SIGN;
pub use false_check_sign::RULE as FALSE_CHECK_SIGN;
pub use figurine::RULE as FIGURINE;
pub use foreign_letters::RULE as FOREIGN_LETTERS;
pub use games_run_together::RULE as GAMES_RUN_TOGETHER;
pub use glued_tokens::RULE as GLUED_TOKENS;
pub use glyph::RULE as GLYPH;
pub use illegal_move::RULE as ILLEGAL_MOVE;
pub use illegal_variation::RULE as ILLEGAL_VARIATION;
pub use impossible_castling_right::RULE as IMPOSSIBLE_CASTLING_RIGHT;
pub use incomplete_fen::RULE as INCOMPLETE_FEN;
pub use internal_error::RULE as INTERNAL_ERROR;
pub use line_comment::RULE as LINE_COMMENT;
pub use long_algebraic::RULE as LONG_ALGEBRAIC;
pub use lower_case_piece::RULE as LOWER_CASE_PIECE;
pub use markup::RULE as MARKUP;
pub use missing_check_sign::RULE as MISSING_CHECK_SIGN;
pub use missing_move::RULE as MISSING_MOVE;
pub use missing_setup_tag::RULE as MISSING_SETUP_TAG;
pub use missing_terminator::RULE as MISSING_TERMINATOR;
pub use mixed_line_ends::RULE as MIXED_LINE_ENDS;
pub use move_number_style::RULE as MOVE_NUMBER_STYLE;
pub use not_utf_8::RULE as NOT_UTF_8;
pub use null_move_spelling::RULE as NULL_MOVE_SPELLING;
pub use odd_space::RULE as ODD_SPACE;
pub use over_disambiguation::RULE as OVER_DISAMBIGUATION;
pub use oversized_game::RULE as OVERSIZED_GAME;
pub use promotion_spelling::RULE as PROMOTION_SPELLING;
pub use punctuation::RULE as PUNCTUATION;
pub use reader_loses_move::RULE as READER_LOSES_MOVE;
pub use result_against_board::RULE as RESULT_AGAINST_BOARD;
pub use result_mismatch::RULE as RESULT_MISMATCH;
pub use result_signal::RULE as RESULT_SIGNAL;
pub use result_spelling::RULE as RESULT_SPELLING;
pub use result_tag_spelling::RULE as RESULT_TAG_SPELLING;
pub use split_move::RULE as SPLIT_MOVE;
pub use stray_bracket::RULE as STRAY_BRACKET;
pub use tag_after_moves::RULE as TAG_AFTER_MOVES;
pub use tag_line::RULE as TAG_LINE;
pub use text_in_movetext::RULE as TEXT_IN_MOVETEXT;
pub use text_outside_games::RULE as TEXT_OUTSIDE_GAMES;
pub use two_lists::RULE as TWO_LISTS;
pub use unclosed_comment::RULE as UNCLOSED_COMMENT;
pub use unclosed_variation::RULE as UNCLOSED_VARIATION;
pub use unescaped_quote::RULE as UNESCAPED_QUOTE;
pub use unreadable_move::RULE as UNREADABLE_MOVE;
pub use utf_16::RULE as UTF_16;
pub use variant::RULE as VARIANT;
pub use wrong_column::RULE as WRONG_COLUMN;
pub use wrong_move_number::RULE as WRONG_MOVE_NUMBER;
pub use wrong_side_to_move::RULE as WRONG_SIDE_TO_MOVE;

use std::fmt::Write;

use crate::finding::Severity;

/// A kind of fault with a stable code.
#[derive(Debug)]
pub struct Rule {
    /// Stable code, `PA101`.
    pub code: &'static str,
    /// Stable name in kebab case, `illegal-move`.
    pub name: &'static str,
    /// Usual severity.
    pub severity: Severity,
    /// What it finds, one sentence.
    pub what: &'static str,
    /// Why that matters.
    pub why: &'static str,
    /// A score with the fault.
    pub before: &'static str,
    /// The same score mended.
    pub after: &'static str,
}

static ALL: [&Rule; 69] = [
    &ILLEGAL_MOVE,
    &AMBIGUOUS_MOVE,
    &UNREADABLE_MOVE,
    &MISSING_MOVE,
    &EXTRA_MOVE,
    &UNCLOSED_COMMENT,
    &UNCLOSED_VARIATION,
    &BRACE_CLOSED_BY_PARENTHESIS,
    &STRAY_BRACKET,
    &SPLIT_MOVE,
    &READER_LOSES_MOVE,
    &TEXT_IN_MOVETEXT,
    &ILLEGAL_VARIATION,
    &WRONG_MOVE_NUMBER,
    &WRONG_COLUMN,
    &MISSING_CHECK_SIGN,
    &FALSE_CHECK_SIGN,
    &RESULT_MISMATCH,
    &RESULT_AGAINST_BOARD,
    &MISSING_TERMINATOR,
    &DOUBLE_FORFEIT,
    &FALSE_CAPTURE_SIGN,
    &RESULT_SIGNAL,
    &CASTLING_SPELLING,
    &PROMOTION_SPELLING,
    &CAPTURE_SPELLING,
    &LONG_ALGEBRAIC,
    &FOREIGN_LETTERS,
    &FIGURINE,
    &LOWER_CASE_PIECE,
    &CHECK_WORD,
    &EN_PASSANT_SUFFIX,
    &OVER_DISAMBIGUATION,
    &GLUED_TOKENS,
    &GLYPH,
    &MOVE_NUMBER_STYLE,
    &RESULT_SPELLING,
    &ODD_SPACE,
    &CLOCK_TIME,
    &MARKUP,
    &PUNCTUATION,
    &LINE_COMMENT,
    &TWO_LISTS,
    &NULL_MOVE_SPELLING,
    &BYTE_ORDER_MARK,
    &UTF_16,
    &NOT_UTF_8,
    &CR_LINE_ENDS,
    &MIXED_LINE_ENDS,
    &BLANK_LINE,
    &TEXT_OUTSIDE_GAMES,
    &CONTROL_CHARACTER,
    &OVERSIZED_GAME,
    &GAMES_RUN_TOGETHER,
    &BROKEN_TAG,
    &UNESCAPED_QUOTE,
    &DUPLICATE_TAG,
    &MISSING_SETUP_TAG,
    &IMPOSSIBLE_CASTLING_RIGHT,
    &BROKEN_FEN,
    &WRONG_SIDE_TO_MOVE,
    &TAG_AFTER_MOVES,
    &RESULT_TAG_SPELLING,
    &TAG_LINE,
    &INCOMPLETE_FEN,
    &VARIANT,
    &DROP_MOVE,
    &DESCRIPTIVE_NOTATION,
    &INTERNAL_ERROR,
];

/// All rules, by code.
pub fn all() -> &'static [&'static Rule] {
    &ALL
}

/// The rule with this code or name, whatever the case.
pub fn find(code_or_name: &str) -> Option<&'static Rule> {
    ALL.iter()
        .copied()
        .find(|r| r.code.eq_ignore_ascii_case(code_or_name) || r.name.eq_ignore_ascii_case(code_or_name))
}

/// The documentation of all rules as one Markdown page.
pub fn page() -> String {
    let mut out = String::from(concat!(
        "# Rules\n\n",
        "Every finding has a rule with a stable code. `error`: the score cannot be replayed as written, or text was lost; ",
        "`warning`: it replays, but something contradicts; `info`: style, or what some program stumbles over. ",
        "`pgn-audit explain CODE` prints one of them.\n\n",
        "| code | name | severity | finds |\n|---|---|---|---|\n",
    ));
    for Rule { code, name, severity, what, .. } in ALL {
        let anchor = code.to_lowercase();
        let _ = writeln!(out, "| [{code}](#{anchor}-{name}) | {name} | {} | {what} |", word(*severity));
    }
    for Rule { code, name, what, why, before, after, .. } in ALL {
        let _ = writeln!(out, "\n## {code} {name}\n\n{what} {why}\n");
        let _ = writeln!(out, "Before:\n```pgn\n{before}\n```\nAfter:\n```pgn\n{after}\n```");
    }
    out
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "info",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_names_are_unique() {
        assert!(all().windows(2).all(|w| w[0].code < w[1].code));
        let mut names: Vec<_> = all().iter().map(|r| r.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all().len());
    }
}

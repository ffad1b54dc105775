//! The lines above the diff.

use shakmaty::Chess;

use crate::{
    fix::Count,
    report::{RepairRow, counted},
};

/// Most edits that get a line of their own above the diff.
const NAMED: usize = 24;

/// The lines above the diff: each change of a move, then notation and text in one line together.
pub fn heading(start: &Chess, repairs: &[RepairRow]) -> Vec<String> {
    if repairs.is_empty() {
        return vec!["pgn-audit: nothing to change; fixed.pgn is the input, byte for byte".to_owned()];
    }
    let count = Count::from(start);
    let (moves, rest): (Vec<_>, Vec<_>) = repairs.iter().partition(|r| !matches!(r.op, "notation" | "text"));
    let mut lines = vec![format!("pgn-audit: {}", counted(repairs.len() as u64, "edit"))];
    for row in moves.iter().take(NAMED) {
        let place = match row.written_ply {
            0 => format!("line {}", row.line),
            ply => {
                let (number, side) = (count.number(ply as usize - 1), count.side(ply as usize - 1));
                format!("ply {ply}, move {number}{}", if side.is_white() { "." } else { "..." })
            }
        };
        lines.push(match row.op {
            "insert" => {
                let (number, side) = (count.number(row.ply as usize - 1), count.side(row.ply as usize - 1));
                let dots = side.fold_wb(".", "...");
                format!("{place}: missing before it, put in {number}{dots} {}", row.san)
            }
            "delete" => format!("{place}: written {}, taken out", row.written),
            "comment" => format!("{place}: from here on put into a comment"),
            _ => format!("{place}: written {}, fixed {}", row.written, row.san),
        });
    }
    if moves.len() > NAMED {
        lines.push(format!("and {} more, see report.json", moves.len() - NAMED));
    }
    if !rest.is_empty() {
        let named: Vec<String> =
            rest.iter().take(NAMED).map(|r| format!("{} > {}", short(&r.written), short(&r.san))).collect();
        let more = if rest.len() > NAMED { ", ..." } else { "" };
        lines.push(format!("notation: {}{more}", named.join(", ")));
    }
    lines
}

/// Most characters of a text that stand in the heading.
const SHORT: usize = 40;

/// The first characters of a text, on one line.
fn short(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() {
        return "nothing".to_owned();
    }
    let line: String =
        text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).take(SHORT + 1).collect();
    if line.chars().count() > SHORT {
        format!("{}...", line.chars().take(SHORT - 3).collect::<String>())
    } else {
        line
    }
}

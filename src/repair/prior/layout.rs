//! Where the weights of each feature stand among all.

use super::book;

pub(super) const PHASES: usize = 3;
pub(super) const TO: usize = 0;
pub(super) const FROM: usize = TO + PHASES * 6 * 64;
pub(super) const CAPTURE: usize = FROM + PHASES * 6 * 64;
pub(super) const RECAPTURE: usize = CAPTURE + 6 * 6 * 3;
pub(super) const QUIET: usize = RECAPTURE + 2 * 3;
pub(super) const ESCAPE: usize = QUIET + 6 * 3;
pub(super) const CHECK: usize = ESCAPE + 6 * 3;
pub(super) const DISCOVER: usize = CHECK + 6 * 3;
pub(super) const MATE: usize = DISCOVER + 1;
pub(super) const CASTLE: usize = MATE + 1;
pub(super) const PROMOTE: usize = CASTLE + 2;
pub(super) const AGAIN: usize = PROMOTE + 4;
pub(super) const NEAR: usize = AGAIN + PHASES * 3;
pub(super) const HIT: usize = NEAR + PHASES * 8;
pub(super) const COVER: usize = HIT + 6 * 3;
pub(super) const PASSED: usize = COVER + 6 * 4;
pub(super) const FILES: usize = PASSED + 8;
pub(super) const EVADE: usize = FILES + 3;
pub(super) const MOBILITY: usize = EVADE + 4;
pub(super) const RING: usize = MOBILITY + 6 * 9;
pub(super) const CHASED: usize = RING + 6 * 4;
pub(super) const CHASE: usize = CHASED + 6;
pub(super) const LOSE_CASTLING: usize = CHASE + 6;
pub(super) const TRADE: usize = LOSE_CASTLING + PHASES;
pub(super) const GUARD: usize = TRADE + 3;
pub(super) const BOOK: usize = GUARD + 6;
/// Where the weights of pairs begin: what is true of two squares at once needs many weights of one byte.
pub(super) const LEFT: usize = BOOK + book::SHARES;
pub(super) const BALANCE: usize = LEFT + 3 * 5;
pub(super) const THREAT: usize = BALANCE + 2 * 9;
pub(super) const PAIRS: usize = THREAT + 3 * 5;
/// Which way this piece goes, by phase.
pub(super) const WAY: usize = PAIRS;
/// Where this piece goes after the opponent's last move went there.
pub(super) const REPLY: usize = WAY + PHASES * 6 * 64 * 64;
/// Where this piece goes after the mover's last move went there.
pub(super) const FOLLOW: usize = REPLY + 6 * 64 * 64;
/// Where this piece goes with the kings in these parts of the board.
pub(super) const COURTS: usize = FOLLOW + 6 * 64 * 64;
/// Where this piece goes with these pawns on the file and the files beside it.
pub(super) const STRUCTURE: usize = COURTS + 6 * 64 * 16;
/// How many weights the model has.
pub const WEIGHTS: usize = STRUCTURE + 6 * 64 * 16;
/// How many of the weights stand in the text, in hundredths of a nat; those after them take one byte each.
pub const DENSE: usize = PAIRS;

//! Faults put into games, of kinds and with weights as counted on real sheets, structural faults raised.

use std::fmt::Write as _;

use serde_json::{Value, json};
use shakmaty::{Chess, Position, san::SanPlus};

/// A game with faults.
pub struct Broken {
    /// Its numbered moves in lines, with a blank at the end.
    pub movetext: String,
    /// What was done, in the order of the plies.
    pub errors: Vec<Value>,
    /// The game with the faults that nobody can see as written, where it is legal.
    pub also: Option<Vec<String>>,
}

/// One fault (45 %), two, three or up to eight in a game; `None` where none could be put in.
pub fn broken(sans: &[String], dice: &mut Dice) -> Option<Broken> {
    let original: Vec<Token> =
        sans.iter().enumerate().map(|(i, s)| Token { text: s.clone(), ply: i + 1 }).collect();
    let roll = dice.below(100);
    let wanted = if roll < 45 {
        1
    } else if roll < 67 {
        2
    } else if roll < 80 {
        3
    } else {
        4 + dice.below(5)
    };
    let mut tokens = original.clone();
    let mut also = original.clone();
    let mut errors = Vec::new();
    let mut used = Vec::new();
    let mut silent = false;
    for _ in 0..4000 {
        if errors.len() == wanted {
            break;
        }
        let mut kind = dice.below(KINDS.iter().map(|k| k.1).sum());
        let name = KINDS
            .iter()
            .find(|k| {
                if kind < k.1 {
                    true
                } else {
                    kind -= k.1;
                    false
                }
            })
            .map_or("blank", |k| k.0);
        let state = dice.0;
        if let Some(mut record) = fault(name, &mut tokens, sans, dice, &used) {
            // The same fault alone in the true game tells whether anyone could see it.
            let ply = record["ply"].as_u64().unwrap_or(0) as usize;
            let mut alone = original.clone();
            let changed = replay_fault(name, ply, &mut alone, record["written"].as_str().unwrap_or(""));
            let hidden = changed && clean(&alone);
            record["silent"] = json!(hidden);
            if hidden {
                silent = true;
                replay_fault(name, ply, &mut also, record["written"].as_str().unwrap_or(""));
            }
            used.push(ply);
            errors.push(record);
        }
        dice.0 = dice.0.wrapping_add(state | 1);
    }
    if errors.is_empty() {
        return None;
    }
    errors.sort_by_key(|e: &Value| e["ply"].as_u64());
    let mut movetext = String::new();
    for (i, t) in tokens.iter().enumerate() {
        if i % 2 == 0 {
            let _ = write!(movetext, "{}. ", i / 2 + 1);
        }
        movetext.push_str(&t.text);
        movetext.push(if i % 12 == 11 { '\n' } else { ' ' });
    }
    let also = (silent && clean(&also)).then(|| also.into_iter().map(|t| t.text).collect());
    Some(Broken { movetext, errors, also })
}

/// A die with a seed.
pub struct Dice(u64);

impl Dice {
    /// The same seed, the same throws.
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(7_777_777).wrapping_add(1))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let x = self.0 ^ (self.0 >> 33);
        (x.wrapping_mul(0xff51_afd7_ed55_8ccd)) >> 20
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

const KINDS: &[(&str, usize)] = &[
    ("dest_file", 190),
    ("dest_rank", 170),
    ("glyph", 90),
    ("piece", 80),
    ("legal_wrong", 70),
    ("char_lost", 50),
    ("omit_ply", 45),
    ("other_move", 40),
    ("no_disambig", 30),
    ("blank", 35),
    ("omit_pair", 30),
    ("no_piece", 25),
    ("swap_own", 20),
    ("double", 20),
    ("castle_side", 15),
    ("swap", 15),
    ("bad_disambig", 10),
];

const TWINS: &[(char, &str)] = &[
    ('a', "cdg"),
    ('b', "h6B"),
    ('c', "e"),
    ('d', "ea"),
    ('e', "c"),
    ('f', "e"),
    ('g', "af9"),
    ('h', "b"),
    ('1', "27l"),
    ('2', "7Z"),
    ('3', "58"),
    ('4', "5"),
    ('5', "6S3"),
    ('6', "58b"),
    ('7', "12"),
    ('8', "13B"),
    ('B', "bR8"),
    ('R', "BK"),
    ('K', "R"),
    ('Q', "aO"),
    ('N', "hK"),
];

#[derive(Clone, Debug)]
struct Token {
    text: String,
    ply: usize,
}

fn bare(s: &str) -> &str {
    s.trim_end_matches(['+', '#'])
}

fn position(sans: &[String], ply: usize) -> Option<Chess> {
    let mut pos = Chess::default();
    for s in &sans[..ply] {
        let m = s.parse::<SanPlus>().ok()?.san.to_move(&pos).ok()?;
        pos.play_unchecked(m);
    }
    Some(pos)
}

/// Whether the texts are a legal game with true check signs.
fn clean(tokens: &[Token]) -> bool {
    let mut pos = Chess::default();
    for t in tokens {
        let Ok(written) = t.text.parse::<SanPlus>() else { return false };
        let Ok(m) = written.san.to_move(&pos) else { return false };
        let true_san = SanPlus::from_move_and_play_unchecked(&mut pos, m);
        if true_san.suffix != written.suffix {
            return false;
        }
    }
    true
}

fn fault(
    kind: &str,
    tokens: &mut Vec<Token>,
    sans: &[String],
    dice: &mut Dice,
    used: &[usize],
) -> Option<serde_json::Value> {
    let i = dice.below(tokens.len().saturating_sub(3));
    let t = tokens.get(i)?.clone();
    let ply = t.ply;
    let near = |p: usize| used.iter().any(|&u| u.abs_diff(p) <= 3);
    if t.text.is_empty() || near(ply) || t.text != sans[ply - 1] {
        return None;
    }
    let core = bare(&t.text).to_owned();
    let sign = t.text[core.len()..].to_owned();
    let castle = core.starts_with('O');
    let record = |written: &str| json!({"ply": ply, "kind": kind, "written": written, "true": sans[ply - 1]});
    let mut set = |core: String| {
        tokens[i].text = format!("{core}{sign}");
        Some(record(&tokens[i].text))
    };
    let chars: Vec<char> = core.chars().collect();
    let square = core.rfind(|c: char| c.is_ascii_digit())?.checked_sub(1);
    match kind {
        "dest_file" | "dest_rank" if !castle => {
            let at = square? + usize::from(kind == "dest_rank");
            let old = chars[at];
            let pool: Vec<char> = if kind == "dest_rank" { "12345678" } else { "abcdefgh" }
                .chars()
                .filter(|c| *c != old)
                .collect();
            let new = dice.one_of(&pool);
            let mut c = chars.clone();
            c[at] = new;
            set(c.into_iter().collect())
        }
        "glyph" if !castle => {
            let at = dice.below(chars.len());
            let twins: Vec<char> = TWINS.iter().find(|t| t.0 == chars[at])?.1.chars().collect();
            let mut c = chars.clone();
            c[at] = dice.one_of(&twins);
            set(c.into_iter().collect())
        }
        "piece" if !castle && chars[0].is_ascii_uppercase() => {
            let pool: Vec<char> = "NBRQK".chars().filter(|c| *c != chars[0]).collect();
            let mut c = chars.clone();
            c[0] = dice.one_of(&pool);
            set(c.into_iter().collect())
        }
        "legal_wrong" | "other_move" => {
            let pos = position(sans, ply - 1)?;
            let others: Vec<String> = pos
                .legal_moves()
                .into_iter()
                .map(|m| SanPlus::from_move(pos.clone(), m).to_string())
                .filter(|s| {
                    let b = bare(s);
                    b != core
                        && (kind == "other_move"
                            || (b.len() == core.len()
                                && b.chars().zip(core.chars()).filter(|(x, y)| x != y).count() == 1))
                })
                .collect();
            if others.is_empty() {
                return None;
            }
            let k = dice.below(others.len());
            tokens[i].text = others[k].clone();
            Some(record(&others[k]))
        }
        "char_lost" if !castle => {
            let mut c = chars.clone();
            c.remove(dice.below(chars.len()));
            set(c.into_iter().collect())
        }
        "no_piece" if !castle && chars[0].is_ascii_uppercase() => set(core[1..].to_owned()),
        "no_disambig" | "bad_disambig" if chars[0].is_ascii_uppercase() && !castle => {
            let letters = square? - 1 - usize::from(core.contains('x'));
            if letters != 1 {
                return None;
            }
            let mut c = chars.clone();
            if kind == "no_disambig" {
                c.remove(1);
            } else {
                let pool: Vec<char> = if chars[1].is_ascii_digit() { "12345678" } else { "abcdefgh" }
                    .chars()
                    .filter(|x| *x != chars[1])
                    .collect();
                c[1] = dice.one_of(&pool);
            }
            set(c.into_iter().collect())
        }
        "castle_side" if castle => set(if core == "O-O" { "O-O-O" } else { "O-O" }.to_owned()),
        "blank" => {
            tokens[i].text = "--".to_owned();
            Some(record(&sans[ply - 1]))
        }
        "omit_ply" => {
            tokens.remove(i);
            Some(record(&sans[ply - 1]))
        }
        "omit_pair" => {
            if tokens.get(i + 1)?.text != *sans.get(ply)? {
                return None;
            }
            tokens.drain(i..i + 2);
            Some(record(&sans[ply - 1]))
        }
        "double" => {
            tokens.insert(i, t.clone());
            Some(record(&sans[ply - 1]))
        }
        "swap" | "swap_own" => {
            let j = i + if kind == "swap" { 1 } else { 2 };
            if tokens.get(j)?.text == t.text || tokens[j].text != *sans.get(j - i + ply - 1)? {
                return None;
            }
            let other = tokens[j].text.clone();
            tokens[i].text = other;
            tokens[j].text = t.text;
            Some(record(&sans[ply - 1]))
        }
        _ => None,
    }
}

/// Puts the fault of this kind at `ply` into `alone`, a copy of the true game.
fn replay_fault(kind: &str, ply: usize, alone: &mut Vec<Token>, written: &str) -> bool {
    let Some(i) = alone.iter().position(|t| t.ply == ply) else { return false };
    match kind {
        "omit_ply" => drop(alone.remove(i)),
        "omit_pair" => drop(alone.drain(i..(i + 2).min(alone.len()))),
        "double" => alone.insert(i, alone[i].clone()),
        "blank" => alone[i].text = "--".to_owned(),
        "swap" | "swap_own" => {
            let j = i + if kind == "swap" { 1 } else { 2 };
            if j >= alone.len() {
                return false;
            }
            let text = alone[i].text.clone();
            alone[i].text = alone[j].text.clone();
            alone[j].text = text;
        }
        _ => alone[i].text = written.to_owned(),
    }
    true
}

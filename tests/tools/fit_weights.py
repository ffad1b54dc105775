"""Fits the weights of the static evaluation: terms from `examples/eval_terms.rs` on stdin, src/search/weights.rs on stdout.

Least squares on the winning chance that the scores of a strong engine mean (the logistic scale of the judgement), so that
a pawn counts most where it matters most; with a ridge towards zero for every term but the material, and a smoother one
for neighbouring steps of a scale (mobility, king attack).
"""
import re
import sys

import numpy as np

groups = []
for path in sys.argv[1:2]:
    for name, expr in re.findall(r"pub const ([A-Z_]+): usize = ([^;]+);", open(path).read()):
        value = eval(expr, {}, dict(groups))
        groups.append((name, value))
names = dict(groups)
count = names.pop("COUNT")
starts = sorted((v, k) for k, v in names.items())
size = {k: (starts[i + 1][0] if i + 1 < len(starts) else count) - v for i, (v, k) in enumerate(starts)}

rows, target = [], []
for line in sys.stdin:
    parts = line.split()
    score, phase, scale = map(int, parts[:3])
    if abs(score) > 2500:
        continue
    row = np.zeros(2 * count, dtype=np.float64)
    for part in parts[3:]:
        term, n = map(int, part.split(":"))
        row[2 * term] = n * phase / 24 * scale / 64
        row[2 * term + 1] = n * (24 - phase) / 24 * scale / 64
    rows.append(row)
    target.append(score)
x, y = np.array(rows), np.array(target, dtype=np.float64)
print(len(y), "positions", file=sys.stderr)
rng = np.random.default_rng(1)
held = rng.random(len(y)) < 0.1

ridge = np.full(2 * count, 12.0)
smooth = np.zeros((2 * count, 2 * count))
for name in ("KNIGHT_MOBILITY", "BISHOP_MOBILITY", "ROOK_MOBILITY", "QUEEN_MOBILITY", "KING_ATTACK", "KING_SHIELD",
             "KING_FILES", "PASSED"):
    first, last = names[name], names[name] + size[name] - 1
    for side in (0, 1):
        ridge[2 * first + side : 2 * last + 2 : 2] = 0.5
        for term in range(first + 1, last):
            d = np.zeros(2 * count)
            d[2 * (term - 1) + side], d[2 * term + side], d[2 * (term + 1) + side] = 1, -2, 1
            smooth += 60 * np.outer(d, d)
material = slice(2 * names["MATERIAL"], 2 * (names["MATERIAL"] + 5))
ridge[material] = 0.01


SCALE = 0.00368208


def chance(cp):
    return 1 / (1 + np.exp(-SCALE * cp))


def fit(mask):
    """Gauss and Newton's iteration; residuals and slopes are in centipawns of an even position."""
    w = np.zeros(2 * count)
    a, b = x[mask], y[mask]
    even = SCALE / 4
    for step in range(30):
        own = chance(a @ w)
        slope = np.maximum(SCALE * own * (1 - own) / even, 0.02)
        lhs = a.T @ (a * (slope**2)[:, None]) + np.diag(ridge) + smooth
        rhs = a.T @ (slope * (chance(b) - own) / even) - ridge * w - smooth @ w
        change = np.linalg.solve(lhs, rhs)
        w += change * (0.5 if step < 4 else 1)
        if np.abs(change).max() < 0.3:
            break
    return w


w = fit(~held)
own, real = x[held] @ w, y[held]
near = np.abs(real) < 1000
print("held out, |score| < 1000: r", np.corrcoef(own[near], real[near])[0, 1], "mean |error|",
      np.abs(own - real)[near].mean(), file=sys.stderr)
w = np.rint(fit(np.ones(len(y), bool))).astype(int)
# The average of a mobility scale belongs to the piece; moving it there changes nothing but reads better.
for role, name in enumerate(("KNIGHT", "BISHOP", "ROOK", "QUEEN"), 1):
    for side in (0, 1):
        at = slice(2 * names[name + "_MOBILITY"] + side, 2 * (names[name + "_MOBILITY"] + size[name + "_MOBILITY"]), 2)
        middle = int(w[at][size[name + "_MOBILITY"] // 2])
        w[at] -= middle
        w[2 * role + side] += middle
print("//! Weights of the evaluation, centipawns: opening, endgame.")
print("//!")
print(f"//! Our own: fitted by `tests/tools/fit_weights.py` to the scores that Stockfish 15.1 at depth 9 gives {len(y)} quiet")
print("//! positions, sampled from over-the-board games and from random moves in them.")
print()
print("use super::terms::index;")
print()
print("/// Opening and endgame weight of each term of [`index`], in its order.")
print("#[rustfmt::skip]")
print("pub const WEIGHTS: [(i16, i16); index::COUNT] = [")
for value, name in starts:
    print(f"    // {name}")
    n = size[name]
    width = 4 if name == "PLACE" else 8
    for i in range(0, n, width):
        print("    " + " ".join(f"({w[2 * t]}, {w[2 * t + 1]})," for t in range(value + i, value + min(i + width, n))))
print("];")

#!/usr/bin/env python3
"""Scores with known faults as an electronic board would have recorded them: is the game still found?

    clocks.py --bin PATH [--every N] [--least SHARE] [-v] DIR ...

DIR holds broken scores and truth.jsonl, as ../shared/bench does. Every N-th score (default 1) gets a clock comment behind
each move; `check --repair` must list the real game about as often as it does without. Then, of the same games unbroken,
kings are put on the centre squares behind the last move as a board's signal of the result, with clocks and an agreeing
tag: the game must come out without them. Prints both shares; exit 1 where fewer signals than SHARE are read, or where clocks cost more than one game in fifty.
"""
import argparse, json, re, subprocess, tempfile
from pathlib import Path

WORD = re.compile(r"\{[^}]*\}|\([^)]*\)|;[^\n]*|\$\d+|\d+\.+|1-0|0-1|1/2-1/2|\*|[^\s{}();]+")
SIGNALS = {"1-0": ("Ke4", "Kd5"), "0-1": ("Kd4", "Ke5"), "1/2-1/2": ("Ke4", "Ke5")}


def bare(sans):
    return [s.rstrip("+#") for s in sans or []]


def clocked(movetext):
    """A clock behind every word that is neither number, comment, glyph nor result."""
    left = [5400, 5400]

    def one(match):
        word = match.group(0)
        if word[0] in "{(;$*" or word in ("1-0", "0-1", "1/2-1/2") or re.fullmatch(r"\d+\.+", word):
            return word
        glued = re.match(r"\d+\.+", word)
        if glued and glued.end() == len(word):
            return word
        left[0], left[1] = left[1], left[0] - 37
        t = max(left[1], 30)
        return f"{word} {{[%clk {t // 3600}:{t // 60 % 60:02}:{t % 60:02}]}}"

    return WORD.sub(one, movetext)


def rows(binary, path):
    ran = subprocess.run([binary, "check", "--repair", "-j", "1", "--format", "ndjson", str(path)], capture_output=True, text=True)
    return [r for r in map(json.loads, ran.stdout.splitlines()) if r.get("type") == "game"]


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("dirs", nargs="+"); p.add_argument("--bin", required=True); p.add_argument("--every", type=int, default=1); p.add_argument("-v", action="store_true")
    p.add_argument("--least", type=float, default=0, help="fail where a smaller share of the signals is read")
    a = p.parse_args(); tmp = Path(tempfile.mkdtemp())
    with_clocks = without = tried = signalled = said = 0
    for d in map(Path, a.dirs):
        for k, x in enumerate(map(json.loads, (d / "truth.jsonl").open())):
            if k % a.every:
                continue
            tried += 1
            text = (d / x["file"]).read_text(encoding="utf-8", errors="surrogateescape")
            head, gap, movetext = text.partition("\n\n")
            wants = [bare(x["moves"])] + ([bare(x["also"])] if x.get("also") else [])
            def listed(path):
                r = rows(a.bin, path)[0]; rep = r.get("repair") or {}
                return any(bare(m) in wants for m in [rep.get("moves") or r["moves"], *[o["moves"] for o in rep.get("alternatives", [])]])
            f = tmp / "x.pgn"; f.write_text(head + gap + clocked(movetext), encoding="utf-8", errors="surrogateescape")
            with_clocks += listed(f); without += listed(d / x["file"])
            result = ["1-0", "0-1", "1/2-1/2"][k % 3]
            if x["moves"][-1].endswith("#"):
                continue
            out = [f"{i // 2 + 1}{'.' if i % 2 == 0 else '...'} {m}" for i, m in enumerate(x["moves"])]
            signal = SIGNALS[result]; white = len(x["moves"]) % 2 == 0
            pair = signal if white else (signal[1], signal[0])
            pair = pair[: 1 + (k % 4 != 0)]
            out += [f"{(len(x['moves']) + i) // 2 + 1}{'.' if (len(x['moves']) + i) % 2 == 0 else '...'} {m}" for i, m in enumerate(pair)]
            f.write_text(f'[Event "x"]\n[Result "{result}"]\n\n' + clocked(" ".join(out)) + f" {result}\n")
            r = rows(a.bin, f)[0]; signalled += 1
            right = bare(r["moves"]) == bare(x["moves"])
            said += right
            if a.v and not right:
                rep = r.get("repair") or {}
                print(d.name, x["file"], result, pair, rep.get("verdict"), rep.get("probability"), [(e["op"], e["written"], e["san"]) for e in rep.get("edits", [])], r["moves"][-3:], [(o["probability"], [(e["op"], e["written"], e["san"]) for e in o["edits"]]) for o in rep.get("alternatives", [])[:2]])
    print(f"with clocks listed {with_clocks} of {tried}, without {without}; signals read {said} of {signalled}")
    # A game in fifty may be lost to the clocks' other prior.
    raise SystemExit(said < a.least * signalled or with_clocks < without - tried / 50)


main()

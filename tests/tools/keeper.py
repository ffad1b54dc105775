#!/usr/bin/env python3
"""What a keeper of a database decides by: how many broken games `fix --at-least P` mends, and how many of those wrongly.

    keeper.py --bin PATH DIR ...

DIR holds broken scores and truth.jsonl, as ../shared/bench does: each score has at least one fault. Prints, for several P,
the share of games that get a repair and the share of those that is another game than the one played.
"""
import argparse, json, subprocess
from pathlib import Path


def bare(sans):
    return [s.rstrip("+#") for s in sans or []]


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("dirs", nargs="+"); p.add_argument("--bin", required=True)
    a = p.parse_args(); found = []
    for d in map(Path, a.dirs):
        truth = [json.loads(line) for line in (d / "truth.jsonl").open()]
        ran = subprocess.run([a.bin, "check", "--repair", "--format", "ndjson", *[str(d / x["file"]) for x in truth]], capture_output=True, text=True)
        games = [g for g in map(json.loads, ran.stdout.splitlines()) if g.get("type") == "game"]
        for x, g in zip(truth, games, strict=True):
            rep = g["repair"]
            wants = [bare(x["moves"])] + ([bare(x["also"])] if x.get("also") else [])
            if rep is None:
                found.append((1.0, "none", bare(g["moves"]) in wants))
            else:
                found.append((rep["probability"], rep["verdict"], bare(rep["moves"]) in wants))
    print("at least   mended   of these wrong")
    for least in (0, .5, .8, .95, .99):
        taken = [right for p, verdict, right in found if p >= least and (verdict != "unexplained" or least == 0)]
        print(f"{least:8.2f} {len(taken) / len(found):8.1%} {1 - sum(taken) / max(1, len(taken)):10.1%}")
    default = [right for p, verdict, right in found if verdict != "ambiguous"]
    print(f" default {len(default) / len(found):8.1%} {1 - sum(default) / len(default):10.1%}")


main()

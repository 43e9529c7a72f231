#!/usr/bin/env python3
"""How long `opc profile` takes for a launch of many steps, and a browser to open the page that it writes.

    profile_page.py [--opc=build/bin/opc] [--steps=100000] [--rounds=5]

The launch is an addition in tiles of 256 elements, long enough for that many steps of the pipes. What a round of the browser
takes is what the page says of itself: milliseconds from the start of its loading to the end of its first drawing. Needs a
Chromium. Prints medians, and exits with 1 when the page takes longer than 2 s.
"""
import argparse
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

LIMIT_MS = 2000
ROOT = pathlib.Path(__file__).resolve().parents[2]


def timed(command):
    start = time.monotonic()
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"'{' '.join(map(str, command))}' failed:\n{done.stderr}")
    return time.monotonic() - start, done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opc", type=pathlib.Path, default=ROOT / "build/bin/opc")
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    opc = options.opc.resolve()
    browser = next((found for found in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if found), None)
    if not browser:
        sys.exit("profile_page.py: there is no Chromium here")
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        shutil.copytree(ROOT / "ops/library/add", folder / "add")
        with open(folder / "add/op_contract.yaml", "a") as contract:
            contract.write("schedule: own.yaml\n")
        (folder / "add/own.yaml").write_text("schema: 1\nkernels:\n  - key: flat\n    tile: 256\n")
        timed([opc, "compile", folder / "add/op_contract.yaml", "--soc_version=Ascend310B1", "--dtype=float32",
               "--cpu-levels=v3", "-o", folder / "out"])
        length = options.steps // 4 * 256  # two loads, an addition, a store, and flags: --steps cuts what is more
        profile = [opc, "profile", folder / "out", f"--input_shape=x1:{length};x2:{length}", "--no-effects",
                   f"--steps={options.steps}"]
        alone = statistics.median(timed(profile)[0] for _ in range(options.rounds))
        written = statistics.median(timed(profile + [f"--output={folder / 'prof'}"])[0] for _ in range(options.rounds))
        page = folder / "prof/profile.html"
        steps = json.loads((folder / "prof/profile.json").read_text())["timeline"]["steps"]
        opened = []
        for _ in range(options.rounds):
            _, shown = timed([browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page.as_uri()])
            opened.append(int(re.search(r'<html[^>]* data-ready="(\d+)"', shown).group(1)))
        ready = statistics.median(opened)
        print(f"{steps} steps on the page of {page.stat().st_size / 1e6:.1f} MB")
        print(f"opc profile: {alone:.2f} s without files, {written:.2f} s with all of them")
        print(f"page open and drawn: {ready:.0f} ms (median of {options.rounds}, {min(opened)} to {max(opened)})")
        if steps != options.steps or ready > LIMIT_MS:
            sys.exit(f"profile_page.py: expects {options.steps} steps within {LIMIT_MS} ms")


main()

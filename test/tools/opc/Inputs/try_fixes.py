"""Tries every change that a refusal offers, and holds its estimate of cycles to the simulator's.

    try_fixes.py CONTRACT SCHEDULE KERNEL RATIO name=SHAPE...

The contract names SCHEDULE, which asks for more than UB has; KERNEL ("add_float32_flat") is one of those
refused. Each change is put behind the file's entries, compiled and run on arrays of these shapes (2^20
elements in rows of 1024, which is what the estimates are for). The estimate may be off by RATIO either way.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

contract, schedule, kernel, ratio = sys.argv[1:5]
shapes = {name: [int(size) for size in sizes.split(",")] for name, sizes in (pair.split("=") for pair in sys.argv[5:])}
schedule = pathlib.Path(schedule)
asked = schedule.read_text()
types = re.search(r"float16|float32", kernel).group()
compile = ["opc", "compile", contract, "--soc_version=Ascend310B1", f"--dtype={types}", "--cpu-levels=v3"]


def refusals():
    done = subprocess.run(compile + ["--explain-schedule", "--format=json"], capture_output=True, text=True)
    assert done.returncode == 5, (done.returncode, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def cycles(folder):
    """Of the kernel on random arrays."""
    command = ["opc", "run", folder, "--device=sim", "--format=json", "--sanitize=mem,race,init,sync"]
    for name, shape in shapes.items():
        file = pathlib.Path(folder).parent / f"{name}.npy"
        np.save(file, np.random.default_rng(7).normal(size=shape).astype(types))
        command += ["--input", f"{name}=@{file}"]
    command += ["-o", f"y=@{pathlib.Path(folder).parent}/y.npy"]
    record = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert record["kernel"] == kernel, (record["kernel"], kernel)
    return record["cycles"]


told = next(refusal for refusal in refusals() if f"'{kernel}'" in refusal["message"])
notes = [note["message"] for note in told["notes"]]
key = kernel.split(types + "_")[1]
offers = [re.match(r"would fit: ((?:'[a-z]+: \w+'(?:, )?)+), [0-9.]+ KB; about (\d+) cycles", note) for note in notes]
offers = [(re.findall(r"'([a-z]+: \w+)'", offer.group(1)), int(offer.group(2))) for offer in offers if offer]
assert offers, notes
taken = []
with tempfile.TemporaryDirectory() as scratch:
    for knobs, estimate in offers:
        schedule.write_text(asked + f"  - types: {types}\n    key: {key}\n" + "".join(f"    {knob}\n" for knob in knobs))
        # Other kernels may still be refused: this one must not be.
        done = subprocess.run(compile + ["-o", scratch + "/out"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        seen = cycles(scratch + "/out")
        if not any("expansion" in knob for knob in knobs):  # those that change results come last
            taken.append(seen)
        print(f"{kernel}: {', '.join(knobs)}: {seen} cycles, estimate {estimate}")
        assert 1 / float(ratio) <= seen / estimate <= float(ratio), (seen, estimate)
schedule.write_text(asked)
print(f"{len(offers)} changes tried; the first is the cheapest: {taken[0] <= 1.05 * min(taken)}")

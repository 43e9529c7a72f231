"""Runs TileSums on the simulator, and holds its trace to loads that never wait for the end of a tile.

nest_overlap.py FOLDER TOOLS: FOLDER holds the op folder 'tile_sums'; TOOLS is tools/dev.
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

sys.path.insert(0, sys.argv[2])
sys.dont_write_bytecode = True
from trace_overlap import intervals_of

folder = pathlib.Path(sys.argv[1])
TILES, PANELS = 9, 3
rng = np.random.default_rng(5)
a = rng.integers(-8, 8, (TILES, PANELS, 1024)).astype(np.float32)
c = rng.integers(-8, 8, (TILES, 1024)).astype(np.float32)
np.save(folder / "a.npy", a)
np.save(folder / "c.npy", c)


def run(*options):
    subprocess.run(["opc", "run", str(folder / "tile_sums"), "--device=sim", f"--input=a=@{folder}/a.npy",
                    f"--input=c=@{folder}/c.npy", f"--output=y=@{folder}/y.npy", *options],
                   check=True, capture_output=True)
    # Sums of small whole numbers are exact in any order.
    assert np.array_equal(np.load(folder / "y.npy"), c + a.sum(axis=1)), options


run("--sanitize=mem,race,init,sync")
for seed in range(1, 9):
    run("--sanitize=mem,race,init,sync", "--order=adversarial", f"--seed={seed}")
run(f"--trace={folder}/trace.json")

loads = intervals_of(json.loads((folder / "trace.json").read_text()))["MTE2"]
assert len(loads) == TILES * (PANELS + 1), len(loads)
begin, end = loads[0][0], loads[-1][1]
work = sum(stop - start for start, stop in loads)
gaps = [later[0] - earlier[1] for earlier, later in zip(loads, loads[1:])]
print(f"MTE2 works {work / (end - begin):.3f} of {end - begin} cycles, its longest pause is {max(gaps)}")
# If each tile began with empty pipes, MTE2 would pause about a hundred cycles at each of them.
assert work >= 0.97 * (end - begin) and max(gaps) < 50, gaps

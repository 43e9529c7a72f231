"""Random shapes and axes through the reductions of the library, held to NumPy.

reduction_shapes.py LIBRARY FOLDER: seeded by OPC_TEST_SEED, else by the day; forty times as many with OPC_TEST_FULL=1.
"""

import datetime
import os
import pathlib
import random
import subprocess
import sys

import numpy as np

library, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
seed = int(os.environ.get("OPC_TEST_SEED") or datetime.date.today().toordinal())
count = 800 if os.environ.get("OPC_TEST_FULL") == "1" else 20
REDUCTIONS = {"reduce_sum": np.sum, "reduce_max": np.max, "reduce_min": np.min}
# Beside small sizes those around a block, a repeat, the rows of a copy and the tile.
SIZES = (1, 1, 2, 3, 5, 7, 8, 9, 31, 33, 63, 65, 127, 129, 255, 257, 1000, 4095, 4097, 20011, 70001)
MOST = 300000


def case(draw):
    """A shape of rank 1 to 8 and some axes of it; nothing is reduced over no element, which NumPy refuses too."""
    while True:
        shape = [draw.choice(SIZES if draw.random() < 0.4 else SIZES[:8]) for _ in range(draw.randint(1, 8))]
        if np.prod(shape) <= MOST:
            break
    axes = draw.sample(range(len(shape)), draw.randint(1, len(shape)))
    return tuple(shape), [axis - len(shape) if draw.random() < 0.5 else axis for axis in axes], draw.random() < 0.5


def check(operator, shape, axes, keep, dtype):
    x = np.random.default_rng(seed).integers(-4, 5, shape).astype(dtype)
    np.save(folder / "x.npy", x)
    expected = REDUCTIONS[operator](x.astype(np.float64), axis=tuple(axes), keepdims=keep)
    # Kept in float32 and rounded once, past the largest float16 to infinity.
    with np.errstate(over="ignore"):
        expected = expected.astype(dtype)
    for device in ("cpu", "sim"):
        done = subprocess.run(["opc", "run", str(folder / operator), f"--device={device}", f"--input=x=@{folder}/x.npy",
                               f"--attr=axes={list(axes)}".replace(" ", ""), f"--attr=keepdims={str(keep).lower()}",
                               f"--output=y=@{folder}/y.npy"], capture_output=True, text=True)
        what = f"seed {seed}: {operator} {dtype} {shape} axes {axes} keepdims {keep} on {device}"
        if groups(shape, axes) > 4:
            assert done.returncode != 0 and "OPC-E0534" in done.stderr, f"{what}: {done.stderr}"
            continue
        assert done.returncode == 0, f"{what}: {done.stderr}"
        found = np.load(folder / "y.npy")
        assert found.shape == expected.shape, f"{what}: shape {found.shape}, expected {expected.shape}"
        assert np.array_equal(found, expected), f"{what}: {np.argwhere(found != expected)[:3].tolist()} differ"


def groups(shape, axes):
    """Kept and reduced dimensions in turn, those of size 1 left out."""
    reduced = {axis % len(shape) for axis in axes}
    kinds = [dim in reduced for dim, size in enumerate(shape) if size != 1]
    return sum(1 for at, kind in enumerate(kinds) if at == 0 or kind != kinds[at - 1])


for operator in REDUCTIONS:
    subprocess.run(["opc", "compile", str(library / operator / "op_contract.yaml"), "--soc_version=Ascend310B",
                    f"--output={folder / operator}"], check=True, capture_output=True)
draw = random.Random(seed)
for number in range(count):
    check(draw.choice(sorted(REDUCTIONS)), *case(draw), draw.choice(("float16", "float32")))
print(f"{count} reductions, seed {seed}")

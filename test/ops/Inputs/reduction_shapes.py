"""Random shapes and axes through the reductions of the library, held to NumPy.

reduction_shapes.py LIBRARY FOLDER: seeded by OPC_TEST_SEED, else by the day; forty times as many with OPC_TEST_FULL=1.
"""

import datetime
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

import numpy as np

library, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
seed = int(os.environ.get("OPC_TEST_SEED") or datetime.date.today().toordinal())
count = 800 if os.environ.get("OPC_TEST_FULL") == "1" else 20
REDUCTIONS = {"reduce_sum": np.sum, "reduce_max": np.max, "reduce_min": np.min, "reduce_prod": np.prod}
FLOATS, INTEGERS = ("float16", "float32"), ("int8", "uint8", "int16", "int32")
# Beside small sizes those around a block, a repeat, the rows of a copy and the tile.
SIZES = (1, 1, 2, 3, 5, 7, 8, 9, 31, 33, 63, 65, 127, 129, 255, 257, 1000, 4095, 4097, 20011, 70001)
MOST = 300000


def case(draw):
    """A shape of rank 1 to 8 and some axes of it; nothing is reduced over no element, which NumPy refuses too."""
    while True:
        shape = [draw.choice(SIZES if draw.random() < 0.4 else SIZES[:8]) for _ in range(draw.randint(1, 8))]
        if math.prod(shape) <= MOST:
            break
    axes = draw.sample(range(len(shape)), draw.randint(1, len(shape)))
    return tuple(shape), [axis - len(shape) if draw.random() < 0.5 else axis for axis in axes], draw.random() < 0.5


def numbers(operator, shape, dtype):
    """Numbers that any order of sums, and of products, leaves exact; integers wrap."""
    draw = np.random.default_rng(seed)
    if dtype in INTEGERS:
        limits = np.iinfo(dtype)
        return draw.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True) | np.array(operator == "reduce_prod", dtype)
    if operator != "reduce_prod":
        return draw.integers(-4, 5, shape).astype(dtype)
    x = draw.choice(np.array([1, -1], dtype), shape)
    x.reshape(-1)[draw.integers(0, x.size, 10)] *= 2
    return x


def check(operator, shape, axes, keep, dtype):
    x = numbers(operator, shape, dtype)
    np.save(folder / "x.npy", x)
    wide = np.int64 if dtype in INTEGERS else np.float64
    expected = REDUCTIONS[operator](x.astype(wide), axis=tuple(axes), keepdims=keep)
    # Kept in float32 and rounded once, past the largest float16 to infinity.
    with np.errstate(over="ignore"):
        expected = expected.astype(dtype)
    for device in ("cpu", "sim"):
        compiled = folder / (operator + ("_integers" if dtype in INTEGERS else ""))
        done = subprocess.run(["opc", "run", str(compiled), f"--device={device}", f"--input=x=@{folder}/x.npy",
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


def of_integers(operator):
    """The contract of an operator of the library with integers in its table."""
    text = (library / operator / "op_contract.yaml").read_text()
    text = re.sub(r"    types:\n(      - \w+\n)+", "    types:\n" + "".join(f"      - {type}\n" for type in INTEGERS), text)
    tolerances = "".join(f"    - type: {type}\n      max_ulp: 0\n" for type in INTEGERS)
    text = re.sub(r"  compute: .*?\nbodies:", f"  tolerance:\n{tolerances}\nbodies:", text, flags=re.S)
    own = folder / f"{operator}_source"
    shutil.copytree(library / operator, own, dirs_exist_ok=True)
    (own / "op_contract.yaml").write_text(text)
    return own


# Rows for which a static operator has no tile of 256 elements: around one and two blocks of each type.
SHORT = (1, 5, 7, 8, 9, 10, 15, 16, 17, 31, 33, 63, 65, 100)


def compile_static(contract, dtype, length):
    """Kernels for one shape, whose sizes are constants: they pass every verifier, as those for any shape do."""
    done = subprocess.run(["opc", "compile", str(contract), "--soc_version=Ascend310B", f"--dtype={dtype}",
                           "--op_mode=static", f"--input_shape=x:3,{length}", "--stop-after=synced",
                           f"--output={folder}/static.mlir"], capture_output=True, text=True)
    assert done.returncode == 0, f"{contract.parent.name} {dtype} 3x{length}: {done.stderr}"


for operator in REDUCTIONS:
    for source, compiled in ((library / operator, operator), (of_integers(operator), f"{operator}_integers")):
        subprocess.run(["opc", "compile", str(source / "op_contract.yaml"), "--soc_version=Ascend310B",
                        f"--output={folder / compiled}"], check=True, capture_output=True)
draw = random.Random(seed)
short = 0
for operator, types in [(operator, FLOATS + INTEGERS) for operator in REDUCTIONS] + [("arg_max", ("float16", "int32"))]:
    for dtype in types:
        source = folder / f"{operator}_source" if dtype in INTEGERS and operator in REDUCTIONS else library / operator
        # Kernels of what the chip folds itself have the most that a size decides.
        isFolded = dtype == "int32" or operator == "reduce_prod"
        for _ in range(len(SHORT) if count > 20 else 4 if isFolded else 1):
            compile_static(source / "op_contract.yaml", dtype, SHORT[short % len(SHORT)])
            short += 1
for number in range(count):
    check(draw.choice(sorted(REDUCTIONS)), *case(draw), draw.choice(FLOATS + INTEGERS))
print(f"{count} reductions, seed {seed}")

"""Positions of extreme elements in random rows, the first and the last, in all types, held to NumPy.

positions.py FOLDER: seeded by OPC_TEST_SEED, else by the day; twenty times as many with OPC_TEST_FULL=1.
"""

import datetime
import os
import pathlib
import random
import subprocess
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
seed = int(os.environ.get("OPC_TEST_SEED") or datetime.date.today().toordinal())
count = 240 if os.environ.get("OPC_TEST_FULL") == "1" else 12
FLOATS, INTEGERS = ("float16", "float32"), ("int8", "uint8", "int16", "int32")
# Around a block, a repeat and a chunk of the CPU's form; rows in one tile, and in several passes.
LENGTHS = (1, 2, 7, 8, 9, 63, 65, 255, 257, 1000, 1023, 1025, 2049, 3000, 4097, 20011, 70001)

CONTRACT = """schema: 1
op_type: Positions
version: 1.0.0
summary: Where the extreme elements of a row are
inputs:
  - name: x
    types: [{types}]
    shape: [...S, N]
outputs:
{outputs}
precision:
  tolerance:
    - type: int32
      max_ulp: 0
bodies:
  - level: te
    file: positions.mlir
reference: reference.py
"""
# Of the input, and of what a body computes: the CPU searches chunks of the former, and sweeps over the latter twice.
WORDS = {"a": "te.arg_max %x axes [-1]", "b": "te.arg_max %x axes [-1] last", "c": "te.arg_min %x axes [N]",
         "d": "te.arg_min %x axes [-1] last", "e": "te.arg_max %n axes [-1]", "f": "te.arg_min %n axes [-1] last"}


def write(name, types, words):
    own = folder / name
    own.mkdir()
    outputs = "\n".join(f"  - name: {word}\n    types: [{', '.join(['int32'] * len(types))}]\n    shape: [...S]" for word in words)
    (own / "op_contract.yaml").write_text(CONTRACT.format(types=", ".join(types), outputs=outputs))
    lines = [f"  %{word} = {WORDS[word]}" for word in words]
    results, kinds = ", ".join(f"%{word}" for word in words), ", ".join(f"!{word}" for word in words)
    kinds = f"({kinds})" if len(words) > 1 else kinds
    negated = ["  %n = te.neg %x"] if any("%n" in WORDS[word] for word in words) else []
    (own / "positions.mlir").write_text("\n".join(["!T = f16", f"func.func @positions(%x: !x) -> {kinds} {{", *negated, *lines,
                                                   f"  return {results} : {kinds.strip('()')}", "}", ""]))
    (own / "reference.py").write_text('"""None: positions.py has the numbers."""\n')
    subprocess.run(["opc", "compile", str(own / "op_contract.yaml"), "--soc_version=Ascend310B", f"--output={folder / name}.op"],
                   check=True)


def expected(word, x):
    values = x.astype(np.float64 if x.dtype.kind == "f" else np.int64)
    if "%n" in WORDS[word]:
        values = (-values).astype(x.dtype)  # the least integer is its own negative
    pick = np.argmax if "arg_max" in WORDS[word] else np.argmin
    if "last" not in WORDS[word]:
        return pick(values, axis=-1)
    return values.shape[-1] - 1 - pick(values[..., ::-1], axis=-1)


def rows(draw, dtype):
    """Rows with ties: few different numbers, or one that occurs seldom; of floats some with NaN and infinities."""
    length = draw.choice(LENGTHS)
    shape = (draw.choice((1, 2, 3, 5)) if length > 5000 else draw.choice((1, 3, 17, 40)), length)
    numbers = np.random.default_rng(draw.getrandbits(32))
    limits = (-3, 3) if dtype in FLOATS else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    x = numbers.integers(*limits, shape, endpoint=True).astype(dtype)
    for row in x[::2]:  # an extreme at two places at most
        row[:] = np.clip(row, limits[0] + 1, limits[1] - 1)
        row[numbers.integers(0, length, 2)] = limits[1]
        row[numbers.integers(0, length, 2)] = limits[0]
    if dtype in FLOATS:
        for value in (np.nan, np.inf, -np.inf):
            x[numbers.integers(0, shape[0]), numbers.integers(0, length, 2)] = value
        x[-1] = draw.choice((x[-1], np.full(length, -np.inf), np.full(length, np.nan), np.full(length, np.inf)))
    return x


for types, name in ((FLOATS, "floats"), (INTEGERS, "integers")):
    for word in ("a", "b", "c", "d"):
        write(f"{name}_{word}", types, word)
    write(f"{name}_ef", types, "ef")
draw = random.Random(seed)
for number in range(count):
    dtype = draw.choice(FLOATS + INTEGERS)
    words = draw.choice(("a", "b", "c", "d", "ef"))
    x = rows(draw, dtype)
    np.save(folder / "x.npy", x)
    compiled = folder / f"{'floats' if dtype in FLOATS else 'integers'}_{words}.op"
    for device in ("cpu", "sim"):
        what = f"seed {seed}: {words} of {dtype} {x.shape} on {device}"
        done = subprocess.run(["opc", "run", str(compiled), f"--device={device}", f"--input=x=@{folder}/x.npy",
                               *(f"--output={word}=@{folder}/{word}.npy" for word in words)], capture_output=True, text=True)
        assert done.returncode == 0, f"{what}: {done.stderr}"
        for word in words:
            found, want = np.load(folder / f"{word}.npy"), expected(word, x)
            wrong = np.argwhere(found != want)[:3].tolist()
            assert not wrong, f"{what}: {word} of rows {wrong} is {[int(found[tuple(at)]) for at in wrong]}, " \
                              f"not {[int(want[tuple(at)]) for at in wrong]}"
print(f"{count} positions, seed {seed}")

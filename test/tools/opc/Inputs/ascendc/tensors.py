"""Inputs and tiling data of the kernels in this folder; with --check: whether their outputs are right."""

import pathlib
import struct
import sys

import numpy as np

N, ROWS, COLUMNS, BYTES = 10003, 40, 333, 70001

folder = pathlib.Path(sys.argv[1])
if "--check" in sys.argv:
    a, b, z, x, y, c, d = (np.load(folder / f"{name}.npy") for name in "abzxycd")
    assert (a + b == z).all(), "add"
    e = np.exp((x - x.max(axis=1, keepdims=True)).astype(np.float64))
    assert np.abs(e / e.sum(axis=1, keepdims=True) - y).max() < 1e-6, "softmax"
    assert (c == d).all(), "copy_tail"
else:
    random = np.random.default_rng(1)
    for name in "ab":
        np.save(folder / name, random.normal(size=N).astype(np.float16))
    np.save(folder / "x", random.normal(size=(ROWS, COLUMNS)).astype(np.float32))
    np.save(folder / "c", random.integers(0, 256, size=BYTES).astype(np.uint8))
    (folder / "add.bin").write_bytes(struct.pack("<I", N))
    (folder / "softmax.bin").write_bytes(struct.pack("<II", ROWS, COLUMNS))
    (folder / "copy.bin").write_bytes(struct.pack("<II", BYTES, 35008))

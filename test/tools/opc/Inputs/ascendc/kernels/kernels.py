"""Inputs, tiling data and answers of the kernels in this folder: `kernels.py DIR` writes, `kernels.py DIR --check` compares."""

import pathlib
import struct
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
random = np.random.default_rng(7)

GELU, ROWS, COLUMNS, THRESHOLD, BIAS_ROWS, MASKED, COUNT = 9001, 5, 301, 1000, 77, 1024, 333
given = {
    "gelu.x": (random.standard_normal(GELU) * 3).astype("f2"),
    "layer_norm.x": random.standard_normal((ROWS, COLUMNS)).astype("f4"),
    "layer_norm.gamma": random.standard_normal(COLUMNS).astype("f4"),
    "layer_norm.beta": random.standard_normal(COLUMNS).astype("f4"),
    "threshold.a": random.integers(-9, 9, THRESHOLD).astype("f2"),
    "threshold.b": random.integers(-9, 9, THRESHOLD).astype("f2"),
    "bias_rows.x": random.standard_normal((BIAS_ROWS, 64)).astype("f4"),
    "bias_rows.bias": random.standard_normal(64).astype("f4"),
    "masked.x": random.integers(-9999, 9999, MASKED).astype("i2"),
    "transposed.x": random.integers(-99, 99, (16, 192)).astype("f2"),
    "pixels.x": random.integers(0, 256, (8, 27)).astype("u1"),
    "every_third.x": random.integers(-999, 999, 768).astype("i4"),
}
tilings = {
    "gelu": struct.pack("<I", GELU),
    "layer_norm": struct.pack("<IIf", ROWS, COLUMNS, 1e-5),
    "threshold": struct.pack("<I", THRESHOLD),
    "bias_rows": struct.pack("<I", BIAS_ROWS),
    "masked": struct.pack("<II", MASKED, COUNT),
    "transposed": struct.pack("<I", 192),
    "pixels": struct.pack("<HHI", 8, 27, 32),
    "every_third": struct.pack("<I", 768),
}


def answers():
    x = given["gelu.x"].astype("f8")
    yield "gelu.y", x / (1 + np.exp(-1.702 * x)), 1e-3
    x = given["layer_norm.x"].astype("f8")
    centred = x - x.mean(axis=1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)
    yield "layer_norm.y", centred / spread * given["layer_norm.gamma"] + given["layer_norm.beta"], 1e-5
    a, b = given["threshold.a"], given["threshold.b"]
    chosen = (a > b) | (a < 0)
    yield "threshold.y", np.where(chosen, np.maximum(a, b), -3), 0
    yield "threshold.z", np.where(chosen, a, b), 0
    y = given["bias_rows.x"] + given["bias_rows.bias"]
    yield "bias_rows.y", y, 0
    yield "bias_rows.most", y.max(axis=1), 0
    yield "bias_rows.spread", y.max(axis=1) - y.min(axis=1), 0
    yield "bias_rows.place", y.argmax(axis=1), 0
    x = given["masked.x"]
    y = np.where(np.arange(MASKED) % 2 == 1, 2 * x, x)
    yield "masked.y", y, 0
    yield "masked.z", np.where(np.arange(MASKED) < COUNT, x + y, -1), 0
    x = given["transposed.x"]
    yield "transposed.y", x.T, 0
    yield "transposed.sums", x.astype("f4").sum(axis=1), 0
    padded = np.zeros((8, 32))
    padded[:, 2:29] = given["pixels.x"]
    yield "pixels.y", padded * (2 / 255) - 1, 1e-6
    x = given["every_third.x"]
    yield "every_third.y", x[::3], 0
    yield "every_third.z", np.maximum(x[::3] >> 2, -50) + x[::3], 0
    yield "every_third.w", x, 0


if "--check" in sys.argv:
    # "--check gelu layer_norm": the answers of these kernels alone.
    only = sys.argv[sys.argv.index("--check") + 1:]
    for name, expected, tolerance in answers():
        if only and name.split(".")[0] not in only:
            continue
        found = np.load(folder / f"{name}.npy")
        if found.shape != expected.shape:
            sys.exit(f"{name}: expected shape {expected.shape}, found {found.shape}")
        wrong = np.flatnonzero(np.abs(found.astype("f8") - expected) > tolerance * np.maximum(1, np.abs(expected)))
        if wrong.size or not np.isfinite(found.astype("f8")).all():
            i = wrong[0] if wrong.size else 0
            sys.exit(f"{name}: {wrong.size} elements differ, the first is {i}: expected {expected.flat[i]}, found {found.flat[i]}")
        (folder / f"{name}.npy").unlink()  # no answer is checked twice
else:
    for name, values in given.items():
        np.save(folder / f"{name}.npy", values)
    for name, data in tilings.items():
        (folder / f"{name}.bin").write_bytes(data)

"""Runs the operators sin and cos of a folder on all devices and compares them with NumPy in float64."""

import pathlib
import subprocess
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
random = np.random.default_rng(1)
near = [random.uniform(-(2.0**exponent), 2.0**exponent, 4000) for exponent in (2, 6, 10, 14, 16, 17)]
near.append(random.integers(-83000, 83000, 8000) * (np.pi / 2))
far = np.ldexp(random.uniform(-1, 1, 4000), random.integers(18, 128, 4000))
x = np.concatenate([*near, far]).astype(np.float32)
np.save(folder / "x.npy", x)
exact_x = x.astype(np.float64)
is_near = np.abs(exact_x) <= 2.0**17
assert 0 < is_near.sum() < x.size

for name in ("sin", "cos"):
    expected = getattr(np, name)(exact_x)
    ulp = np.ldexp(1.0, np.frexp(expected)[1] - 24)
    for device, ulps in (("cpu", 1.75), ("sim", 2.5)):
        subprocess.run(["opc", "run", str(folder / name), f"--device={device}", "--input", f"x=@{folder / 'x.npy'}", "--output",
                        f"y=@{folder / 'y.npy'}"], check=True, capture_output=True)
        got = np.load(folder / "y.npy").astype(np.float64)
        error = np.abs(got - expected)
        right = (error <= ulps * ulp) | (error <= (0.0 if device == "cpu" else 6e-11))
        held = right if device == "cpu" else np.where(is_near, right, np.abs(got) <= 1.0)
        wrong = np.flatnonzero(~held)
        if wrong.size:
            at = wrong[0]
            sys.exit(f"{name} on {device}: {wrong.size} of {x.size} wrong; {name}({exact_x[at]!r}) is {expected[at]!r}, got {got[at]!r}")

"""Remainders of integers near multiples of their divisors, where a rounded quotient is wrong first, against NumPy.

near_multiples.py FOLDER PACKAGE...   packages of FmodIntegers. Of 8 bits all pairs, of more bits also the ends of the range
"""

import pathlib
import subprocess
import sys

import numpy as np

folder, packages = pathlib.Path(sys.argv[1]), sys.argv[2:]
random = np.random.default_rng(3)


def pairs(kind):
    least, most = np.iinfo(kind).min, np.iinfo(kind).max
    if kind.itemsize == 1:
        all_of = np.arange(least, most + 1).astype(kind)
        return tuple(half.ravel() for half in np.meshgrid(all_of, all_of))
    ends = np.array([least, least + 1, most // 2, most - 1, most, 0, 1, 2, 3], kind)
    x, y = (half.ravel() for half in np.meshgrid(ends, ends))
    # Divisors of every number of digits, and the largest multiples that fit, which the quotient of fewest digits to
    # spare belongs to.
    divisors = [max(1, int(random.integers(1, 1 << bits, dtype="u8"))) for bits in range(1, 8 * kind.itemsize) for _ in range(40)]
    near = [(most // d * d + step, d) for d in divisors for step in (-1, 0, 1) if most // d * d + step <= most]
    near += [(int(random.integers(0, most // d + 1, dtype="u8")) * d, d) for d in divisors]
    if least < 0:
        near += [(-a, d) for a, d in near] + [(a, -d) for a, d in near]
    near = np.array(near, dtype=object)
    return np.concatenate([x, near[:, 0].astype(kind)]), np.concatenate([y, near[:, 1].astype(kind)])


for name in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"):
    x, y = pairs(np.dtype(name))
    with np.errstate(all="ignore"):
        expected = np.fmod(x, y)
    np.save(folder / "x.npy", x)
    np.save(folder / "y.npy", y)
    for package in packages:
        subprocess.run(["opc", "run", package, f"--input=x1=@{folder}/x.npy", f"--input=x2=@{folder}/y.npy",
                        f"--output=y=@{folder}/z.npy"], check=True, capture_output=True)
        wrong = np.flatnonzero(np.load(folder / "z.npy") != expected)
        assert not len(wrong), f"{package} {name}: {len(wrong)} of {len(x)} differ, the first is {x[wrong[0]]} % {y[wrong[0]]}"
    print(name, len(x))

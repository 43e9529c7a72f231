"""Inputs and checks of the tests about the time of kernels by hand.

    timing.py make FOLDER
    timing.py sums FOLDER           running_sum's results, and its cycles by element
    timing.py close A B PERCENT     two JSON records of `opc run` whose cycles are that close
"""
import json
import pathlib
import struct
import sys

import numpy as np

COUNTS = (1000, 60000)


def running_sum(x):
    total, result = np.float32(0), np.empty_like(x)
    for i, value in enumerate(x):
        if value > 0:
            total = np.float32(total * np.float32(0.5)) + value
        result[i] = total
    return result


def make(folder):
    random = np.random.default_rng(310)
    for count in COUNTS:
        np.save(folder / f"x{count}.npy", random.normal(size=count).astype(np.float32))
        (folder / f"x{count}.bin").write_bytes(struct.pack("<I", count))
    np.save(folder / "x.npy", random.normal(size=65536).astype(np.float32))
    (folder / "swish.bin").write_bytes(struct.pack("<IIf", 65536, 4096, 1.0))
    (folder / "steep.bin").write_bytes(struct.pack("<IIf", 65536, 4096, 2.0))


def sums(folder):
    for compiler in ("clang++-22", "g++"):
        cycles = {}
        for count in COUNTS:
            x = np.load(folder / f"x{count}.npy")
            assert np.array_equal(np.load(folder / f"y{count}.{compiler}.npy"), running_sum(x)), (compiler, count)
            cycles[count] = json.loads((folder / f"y{count}.{compiler}.json").read_text())["cycles"]
        each = (cycles[60000] - cycles[1000]) / 59000
        # A read and a write of UB take 24 each, the issue of the write 2, and the registers of both 3. An iteration has
        # the loop's increment and comparison and branch, the comparison with 0, and for half of the elements a product
        # and a sum; a compiler may make one instruction of two of them.
        assert 53 + 3 <= each <= 53 + 8 and cycles[1000] > 1000 * each, (compiler, each, cycles)


def close(a, b, percent):
    a, b = (json.loads(pathlib.Path(each).read_text())["cycles"] for each in (a, b))
    assert a != b and abs(a - b) <= float(percent) / 100 * b, (a, b)


if sys.argv[1] == "make":
    make(pathlib.Path(sys.argv[2]))
elif sys.argv[1] == "sums":
    sums(pathlib.Path(sys.argv[2]))
else:
    close(*sys.argv[2:5])

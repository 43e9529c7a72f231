"""Weights that a row streams, of so many columns of the result that numbers of them have more than 16 bits, against NumPy on both
devices.

wide_products.py LIBRARY: in the working folder. With OPC_TEST_FULL=1 also more than 2^31 bytes of weights, on the simulator.
"""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np

library = pathlib.Path(sys.argv[1])
full = os.environ.get("OPC_TEST_FULL") == "1"
random = np.random.default_rng(15)


def rows_of(n, k):
    """Rows of the weights that are not zero: both ends, and around places whose number, element or byte is a power of two."""
    powers = [1 << 15, 1 << 16, (1 << 31) // (2 * k), (1 << 31) // k, (1 << 32) // (2 * k)]
    rows = {0, 1, 17, n // 2, n - 17, n - 1} | {power + step for power in powers for step in (-1, 0, 1)}
    return sorted(row for row in rows if 0 <= row < n)


def weights(n, k):
    """The weights in a file with holes, and the sums of each column of the result."""
    a, bias = random.integers(-3, 4, (1, k)).astype(np.float16), (np.arange(n) % 7).astype(np.float16)
    b = np.lib.format.open_memmap("b.npy", mode="w+", dtype=np.float16, shape=(n, k))
    expected = bias.astype(np.float64)
    for row in rows_of(n, k):
        b[row] = random.integers(-1, 2, k)
        expected[row] += a[0].astype(np.float64) @ b[row].astype(np.float64)
    np.save("a.npy", a)
    np.save("bias.npy", bias)
    return expected


subprocess.run(["opc", "compile", str(library / "linear" / "op_contract.yaml"), "--soc_version=Ascend310B1", "--dtype=float16",
                "--cpu-levels=v3", "--output=linear"], check=True, capture_output=True)
cases = [("sim", 248320, 40, ["--sanitize=mem,race,init,sync"]), ("cpu", 248320, 40, []), ("sim", 65553, 129, [])]
if full:
    cases.append(("sim", 248320, 4608, []))
for device, n, k, options in cases:
    expected = weights(n, k)
    run = subprocess.run(["opc", "run", "linear", f"--device={device}", *options, "--input", "a=@a.npy", "--input", "b=@b.npy",
                          "--input", "bias=@bias.npy", "--output", "y=@y.npy", "--format=json"], check=False, capture_output=True,
                         text=True)
    os.unlink("b.npy")
    if run.returncode != 0:
        sys.exit(run.stdout + run.stderr)
    # Sums of whole numbers are exact, and rounded once.
    wrong = np.flatnonzero(np.load("y.npy")[0] != expected.astype(np.float16))
    print(f"{device} 1 x {k} x {n}: {len(wrong)} wrong, {json.loads(run.stdout)['kernel']}")
    if len(wrong):
        sys.exit(f"the first is column {wrong[0]}")

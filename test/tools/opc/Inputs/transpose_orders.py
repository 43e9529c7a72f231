"""Compiles Transpose for each order and compares both devices with NumPy: `transpose_orders.py CONTRACT FOLDER`."""

import itertools
import pathlib
import subprocess
import sys

import numpy as np

# All orders of three dimensions, as ONNX's node tests have them, and some of each other rank.
ORDERS = [*itertools.permutations(range(3)), (), (0,), (1, 0), (0, 2, 3, 1), (3, 1, 0, 2), (0, 2, 3, 4, 1), (4, 1, 3, 0, 2),
          (5, 0, 4, 1, 3, 2), (1, 0, 2, 4, 3, 6, 5), (7, 0, 6, 1, 5, 2, 4, 3)]
SIZES = [3, 5, 37, 2, 4, 3, 2, 3]


def opc(*arguments):
    done = subprocess.run(["opc", *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"opc {' '.join(map(str, arguments))}\n{done.stderr}")


def main():
    contract, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    for order in ORDERS:
        # Three sizes as they are in ONNX's tests and as they are here; a tensor without elements.
        shapes = [(2, 3, 4), tuple(SIZES[:3]), (2, 0, 4)] if len(order) == 3 else [tuple(SIZES[: len(order)])]
        text = ",".join(map(str, order))
        opc("compile", contract, "--dtype=float32", "--attr", f"perm=[{text}]", "--soc_version=Ascend310B", "-o", folder / "t")
        for shape in shapes:
            x = np.arange(np.prod(shape, dtype=int), dtype="f4").reshape(shape)
            np.save(folder / "x.npy", x)
            for device in ("cpu", "sim"):
                opc("run", folder / "t", f"--device={device}", "--input", f"x=@{folder}/x.npy", "--output", f"y=@{folder}/y.npy")
                y = np.load(folder / "y.npy")
                if y.shape != np.transpose(x, order).shape or not (y == np.transpose(x, order)).all():
                    sys.exit(f"perm [{text}] of {shape} on {device}: {y.shape} is wrong")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""./dev demo: AddRelu and Swish from contract to checked results, on both devices.

Each operator is compiled once for Ascend310B. Its folder then runs on the simulator and on the CPU on .npy files of
1,000,003 elements (not a multiple of a tile, so that tails are tested), in half and in single precision, and the
result is compared with NumPy. Prints a table on stdout; all files remain in the work folder. Exits 0 when every row
is within its tolerance, 1 otherwise.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import time

import numpy as np

ELEMENTS = 1_000_003
BETA = 1.5
TYPES = (np.float16, np.float32)
DEVICES = ("sim", "cpu")


def add_relu(x1, x2):
    """Computed in float64, from which the sum of two float32 or float16 rounds to their type like the exact sum."""
    return np.maximum(x1.astype(np.float64) + x2.astype(np.float64), 0.0)


def swish(x):
    x = x.astype(np.float64)
    return x / (1.0 + np.exp(-np.float64(BETA) * x))


def swish_ulp(type_, x):
    return np.float64(1.0) if type_ == np.float16 else 4.0 + np.abs(BETA * x.astype(np.float64))


# name: (inputs, reference, allowed ulp of a type and the first input, further absolute error, arguments of opc run).
# Tolerances are those of the contracts, relative to the float64 result rounded to the type.
OPERATORS = {
    "add_relu": (("x1", "x2"), add_relu, lambda type_, x: np.float64(0.0), 0.0, ()),
    "swish": (("x",), swish, swish_ulp, 1e-36, ("--attr", f"beta={BETA}")),
}


def inputs(names, type_):
    """Values over the whole range: mostly around 1, some tiny, some near the largest of the type."""
    random = np.random.default_rng(310)
    for name in names:
        values = random.normal(0.0, 2.0, ELEMENTS) * np.exp2(random.choice([0, 0, 0, 3, -8, -20], ELEMENTS))
        values[:6] = (0.0, -0.0, np.finfo(type_).max, np.finfo(type_).tiny, 1.0, -1.0)
        yield name, values.astype(type_)


def ulp_error(result, exact, absolute):
    """The distance of each element from the exact value, in units in the last place of the rounded value."""
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = exact.astype(result.dtype)
        spacing = np.spacing(np.abs(rounded)).astype(np.float64)
        error = np.abs(result.astype(np.float64) - rounded.astype(np.float64))
    error = np.where(result == rounded, 0.0, np.maximum(error - absolute, 0.0))
    return np.where(error == 0.0, 0.0, error / spacing)


class Opc:
    """Calls the program as a user would; shows its message when it fails."""

    def __init__(self, path):
        self.path = path

    def __call__(self, *arguments):
        began = time.monotonic()
        command = [str(self.path), *map(str, arguments)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
        if done.returncode != 0:
            print(" ".join(command), done.stdout, done.stderr, sep="\n", file=sys.stderr)
            raise SystemExit(f"demo: the command above ended with exit code {done.returncode}")
        return time.monotonic() - began


def run_operator(opc, source, work, name):
    """Rows of the table for one operator."""
    input_names, reference, allowed, absolute, extra = OPERATORS[name]
    folder = work / name
    compiled = opc("compile", source / "ops" / "library" / name / "op_contract.yaml",
                   "--soc_version=Ascend310B", f"--output={folder}")
    for type_ in TYPES:
        values = dict(inputs(input_names, type_))
        arguments = []
        for input_name, array in values.items():
            file = work / f"{name}_{input_name}_{array.dtype}.npy"
            np.save(file, array)
            arguments += ["--input", f"{input_name}=@{file}"]
        exact = reference(*values.values())
        for device in DEVICES:
            output = work / f"{name}_y_{np.dtype(type_)}_{device}.npy"
            seconds = opc("run", folder, f"--device={device}", *arguments, *extra, "--output", f"y=@{output}")
            result = np.load(output, allow_pickle=False)
            if result.dtype != type_ or result.shape != (ELEMENTS,):
                raise SystemExit(f"demo: expects {ELEMENTS} elements of {np.dtype(type_)} in {output}, "
                                 f"found {result.shape} of {result.dtype}")
            error = ulp_error(result, exact, absolute)
            limit = np.broadcast_to(allowed(type_, values[input_names[0]]), error.shape)
            # Negated, so that a NaN counts as wrong.
            wrong = int(np.count_nonzero(~(error <= limit)))
            worst = int(np.argmax(np.where(np.isnan(error), np.inf, error)))
            yield (name, np.dtype(type_).name, device, f"{ELEMENTS:,}", f"{compiled * 1e3:.0f}", f"{seconds * 1e3:.0f}",
                   f"{error[worst]:.2f}", f"{limit[worst]:.1f}", "equal" if wrong == 0 else f"{wrong:,} WRONG")


def print_table(head, rows):
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    for row in (head, tuple("-" * width for width in widths), *rows):
        # Text is aligned to the left, numbers to the right.
        cells = [cell.ljust(width) if column < 3 or column == len(head) - 1 else cell.rjust(width)
                 for column, (cell, width) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opc", type=pathlib.Path, required=True, help="the program")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for files, made anew")
    options = parser.parse_args()

    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    source = pathlib.Path(__file__).resolve().parents[2]
    rows = []
    for name in OPERATORS:
        for row in run_operator(Opc(options.opc), source, options.work, name):
            print(f"demo: {row[0]} {row[1]} on {row[2]}: {row[-1]}", file=sys.stderr)
            rows.append(row)

    print_table(("operator", "type", "device", "elements", "compile ms", "run ms", "worst ulp", "allowed", "against NumPy"), rows)
    print(f"\ndemo: operators, inputs and outputs are in {options.work}", file=sys.stderr)
    return 0 if all(row[-1] == "equal" for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

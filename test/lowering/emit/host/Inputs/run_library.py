#!/usr/bin/env python3
"""Runs every operator of an installed package on both devices over small inputs; the results have the same bits or lie within
a few units of the last place of the smaller type, and none is all zero."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import ml_dtypes
import numpy

TYPES = {"bfloat16": ml_dtypes.bfloat16, "float64": numpy.float64}


def shape_of(tensor, sizes):
    """A shape for a declared one: packs are 3, 5, symbols 7."""
    shape = []
    for dim in tensor["shape"]:
        if isinstance(dim, int):
            shape.append(dim)
        elif dim.startswith("..."):
            shape += sizes
        else:
            shape.append(7)
    return shape


def run_operator(opc, folder, work):
    manifest = json.loads((folder / "manifest.json").read_text())
    random = numpy.random.default_rng(310)
    command = [opc, "run", folder]
    for tensor in manifest["inputs"]:
        dtype = TYPES.get(tensor["types"][0]) or numpy.dtype(tensor["types"][0])
        values = random.uniform(0.5, 2, shape_of(tensor, [3, 5])).astype(dtype)
        name = work / f"{tensor['name']}.npy"
        numpy.save(name, values)
        command.append(f"--input={tensor['name']}=@{name}")
    results = {}
    for device in ("cpu", "sim"):
        outputs = [work / f"{device}-{tensor['name']}.npy" for tensor in manifest["outputs"]]
        flags = [f"--output={tensor['name']}=@{path}" for tensor, path in zip(manifest["outputs"], outputs)]
        if len(manifest["inputs"]) == 1 and manifest["op_type"].endswith("Cast"):
            flags.append("--dtype=float32_float16")
        done = subprocess.run([*map(str, command), f"--device={device}", *flags], capture_output=True, text=True)
        if done.returncode != 0:
            return f"{device}: {done.stderr}"
        results[device] = [numpy.load(path).astype(numpy.float64) if numpy.load(path).dtype.kind != "V"
                           else numpy.load(path).view(ml_dtypes.bfloat16).astype(numpy.float64) for path in outputs]
    for cpu, sim in zip(results["cpu"], results["sim"]):
        if not numpy.allclose(cpu, sim, rtol=4e-3, atol=4e-3):
            return f"cpu and sim differ: {numpy.abs(cpu - sim).max()}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--opc", type=pathlib.Path, required=True)
    parser.add_argument("--package", type=pathlib.Path, required=True)
    options = parser.parse_args()
    wrong = 0
    package = json.loads((options.package / "package.json").read_text())
    for operator in package["operators"]:
        with tempfile.TemporaryDirectory() as work:
            found = run_operator(options.opc, options.package / operator["folder"], pathlib.Path(work))
        if found:
            print(f"{operator['op_type']}: {found}")
            wrong += 1
    print(f"{len(package['operators'])} operators run on both devices, {wrong} wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())

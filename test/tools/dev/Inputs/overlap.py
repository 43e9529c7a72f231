"""Runs the op folders add_relu and swish of FOLDER on the simulator, and holds their traces to what must overlap.

overlap.py FOLDER TOOLS: TOOLS is tools/dev.
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

sys.path.insert(0, sys.argv[2])
sys.dont_write_bytecode = True
from trace_overlap import overlap

folder = pathlib.Path(sys.argv[1])


def shares_of(name, dtype, inputs):
    values, trace = folder / f"{dtype}.npy", folder / f"{name}_{dtype}.json"
    np.save(values, np.linspace(-4, 4, 1000003).astype(dtype))
    command = ["opc", "run", str(folder / name), "--device=sim", f"--trace={trace}"]
    subprocess.run(command + [f"--input={x}=@{values}" for x in inputs], check=True, capture_output=True)
    shares, _ = overlap(json.loads(trace.read_text()))
    return shares


def expect(holds, shares):
    assert holds, shares


for dtype in ("float16", "float32"):
    # AddRelu loads twice what it stores: MTE2 never waits, and everything else happens beside it. V and MTE3 of a tile
    # together take less than the loads of the next one, so they never meet.
    shares = shares_of("add_relu", dtype, ("x1", "x2"))
    expect(shares["MTE2"] >= 0.98, shares)
    expect(shares["MTE2 V"] >= 0.98 * shares["V"] and shares["V"] > 0.02, shares)
    expect(shares["MTE2 MTE3"] >= 0.98 * shares["MTE3"] and shares["MTE3"] > 0.45, shares)
    expect(shares["V"] + shares["MTE3"] < shares["MTE2"] and shares["V MTE3"] == 0, shares)

    # Swish in float16 computes longer than it copies: V never waits for a copy, neither for the load of its tile nor for
    # the store of the tile before it, and all three work at once. In float32 the copies take longer, and V works beside.
    shares = shares_of("swish", dtype, ("x",))
    bound = {"float16": "V", "float32": "MTE2"}[dtype]
    expect(shares[bound] >= {"V": 0.95, "MTE2": 0.98}[bound] and shares["V"] >= 0.9, shares)
    expect(shares["MTE2 V"] >= 0.95 * min(shares["MTE2"], shares["V"]) and shares["MTE2"] > 0.6, shares)
    expect(shares["V MTE3"] >= 0.95 * min(shares["V"], shares["MTE3"]) and shares["MTE3"] > 0.6, shares)
    expect(shares["MTE2 V MTE3"] >= {"V": 0.35, "MTE2": 0.9}[bound], shares)

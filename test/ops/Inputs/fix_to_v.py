"""Runs two op folders of MatMulRelu, with the relay and with direct flags between FIX and V.

fix_to_v.py RELAY DIRECT: results are equal byte for byte, with all sanitizers and in adversarial orders, and direct flags
take no more cycles. In a launch of a single tile there is nothing to overlap, and what the scalar unit issues in another order
may take a few cycles.
"""

import json
import subprocess
import sys

import numpy as np

relay, direct = sys.argv[1:3]
FEW = 4
random = np.random.default_rng(0)


def run(folder, *options):
    command = ["opc", "run", folder, "--device=sim", "--format=json", *options, "--output=y=@y.npy"]
    command += [f"--input={name}=@{name}.npy" for name in ("a", "b", "bias")]
    record = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return record, np.load("y.npy").tobytes()


for shape in [(1, 16, 1), (5, 33, 17), (127, 131, 129), (64, 40, 700), (300, 64, 300)]:
    m, k, n = shape
    np.save("a.npy", random.standard_normal((m, k)).astype(np.float16))
    np.save("b.npy", random.standard_normal((k, n)).astype(np.float16))
    np.save("bias.npy", random.standard_normal(n).astype(np.float16))
    first, expected = run(relay)
    second, found = run(direct)
    assert found == expected, f"{shape}: results differ"
    print(f"{shape}: relay {first['cycles']} cycles, direct {second['cycles']}")
    assert second["cycles"] <= max(first["cycles"] * 1.001, first["cycles"] + FEW), f"{shape}: direct flags take more cycles"
    for seed in range(3):
        for folder in (relay, direct):
            options = ["--sanitize=mem,race,init,sync", "--order=adversarial", f"--seed={seed}"]
            assert run(folder, *options)[1] == expected, f"{folder} {shape}: results depend on the order"

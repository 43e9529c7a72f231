"""Functions that are expanded in float16: near the function, never NaN for a number, and other than in float32.

    expansion_errors.py CONTRACTS SCRATCH OPERATOR...

Runs each operator on the simulator on numbers of all magnitudes, with `expansion: float16` and without.
"""
import json
import math
import pathlib
import shutil
import subprocess
import sys

import numpy as np

library, scratch = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
erf = np.vectorize(math.erf)
exact = {
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "tanh": np.tanh,
    "erf": erf,
    "gelu": lambda x: x / 2 * (1 + erf(x / math.sqrt(2))),
    "gelu_tanh": lambda x: x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3))),
    "swish": lambda x: x / (1 + np.exp(-x)),
}
large = np.geomspace(2.0 ** -14, 65504, 3000)
x = np.concatenate([np.linspace(-12, 12, 20000), large, -large, [0.0]]).astype(np.float16)


def run(name, schedule):
    folder = scratch / (name + "-" + schedule)
    shutil.copytree(library / name, folder)
    for file in folder.iterdir():
        file.chmod(0o644)
    with open(folder / "op_contract.yaml", "a") as contract:
        contract.write("schedule: own.yaml\n")
    (folder / "own.yaml").write_text(f"schema: 1\nkernels:\n  - types: float16\n    expansion: {schedule}\n")
    np.save(folder / "x.npy", x)
    subprocess.run(["opc", "compile", str(folder / "op_contract.yaml"), "--soc_version=Ascend310B1", "--dtype=float16",
                    "--cpu-levels=v3", "-o", str(folder / "out")], check=True, capture_output=True)
    contract = (folder / "op_contract.yaml").read_text()
    beta = ["--attr", "beta=1.0"] if "name: beta" in contract else []
    done = subprocess.run(["opc", "run", str(folder / "out"), "--device=sim", "--sanitize=mem,race,init,sync", "--format=json",
                           "--input", f"x=@{folder}/x.npy", "-o", f"y=@{folder}/y.npy"] + beta, check=True, capture_output=True, text=True)
    return np.load(folder / "y.npy").astype(np.float64), json.loads(done.stdout)["cycles"]


for name in sys.argv[3:]:
    with np.errstate(all="ignore"):
        expected = exact[name](x.astype(np.float64))
    half, half_cycles = run(name, "float16")
    full, full_cycles = run(name, "float32")
    error = np.abs(half - expected) / (1 + np.abs(expected))
    print(f"{name}: error {error.max():.5f} in float16, {(np.abs(full - expected) / (1 + np.abs(expected))).max():.5f} in float32; "
          f"{half_cycles} cycles instead of {full_cycles}")
    assert not np.isnan(half).any(), x[np.isnan(half)]
    assert error.max() < 0.01, (x[error.argmax()], half[error.argmax()], expected[error.argmax()])
    # swish splits its exponent in float16, which costs more than float32 saves.
    assert half_cycles < full_cycles or name == "swish"
    assert (half != full).any()

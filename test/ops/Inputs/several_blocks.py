"""Launches in several blocks: the simulated chip has one, so every kernel would run as one block only.

Compiles operators of the library, replaces the number of blocks in their tiling functions by a number, runs them on the
simulator with all sanitizers, and compares the bytes of the result with those of a single block.
"""

import json
import pathlib
import re
import subprocess
import sys

import numpy as np

opc, library, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])

# Shapes of inputs: several tiles in each dimension that is tiled, none a multiple.
CASES = [
    ("mat_mul", [(130, 300), (300, 1000)], []),
    ("mat_mul", [(257, 513), (513, 129)], []),
    ("mat_mul", [(130, 3100), (3100, 300)], []),  # the sum is longer than a panel
    ("mat_mul_nt", [(5, 650), (1300, 650)], []),
    ("layer_norm", [(37, 1000), (1000,), (1000,)], []),
    ("reduce_sum", [(5, 160001)], ["axes=0"]),
    ("reduce_sum", [(700, 330)], ["axes=1"]),
    ("cum_sum", [(50, 70001)], []),
    ("cum_sum --attr=axis=-1", [(50, 7001)], []),
    ("transpose", [(2, 35, 3, 130)], []),
    ("add", [(70, 1, 90), (50, 90)], []),
    ("softmax", [(70, 1000)], []),
    ("arg_max", [(700, 33)], []),
    ("group_norm", [(5, 64, 51), (64,), (64,)], []),
    ("concat", [(30, 70, 90), (30, 13, 90)], []),
    ("trilu", [(7, 50, 90)], []),
    ("max_pool2d", [(3, 20, 33, 17)], []),
    ("max_pool3d", [(3, 7, 5, 19, 17)], []),
    ("global_average_pool", [(3, 20, 33, 17)], []),
    ("conv2d", [(3, 5, 33, 17), (150, 5, 3, 3), (150,)], []),
    ("conv3d", [(2, 5, 4, 15, 17), (70, 5, 2, 3, 3), (70,)], []),
    ("depthwise_conv2d", [(2, 20, 33, 17), (20, 1, 3, 3), (20,)], []),
    ("gather_elements", [(40, 70), (60, 70)], []),
    ("gather_nd2", [(30, 40, 17), (700, 2)], []),
    ("pad2d_reflect", [(7, 13, 33, 17)], []),
    ("channel_spatial_pool", [(5, 20, 33, 17)], []),
]
ROWS = {"gather_elements": "float16_int64_float16"}  # of the others float16
BLOCKS = [2, 3, 20]


def in_blocks(manifest, number):
    """Changes tiling functions to take `number` for the blocks of the chip; returns whether each asks for those."""
    for tiling in manifest["tilings"]:
        [place] = [i for i, source in enumerate(tiling["inputs"]) if source["kind"] == "max_blocks"]
        asked = False
        for i, line in enumerate(tiling["code"]):
            match = re.fullmatch(rf"max (\d+) {place} (\d+) 0", line)
            if match:
                tiling["code"][i] = f"const {match[1]} 0 0 {number}"
                asked = True
        if not asked:
            return False
    return True


def main():
    random = np.random.default_rng(7)
    wrong, several = 0, 0
    for case, (operator, shapes, attributes) in enumerate(CASES):
        compiled = folder / f"{case}"
        operator, *bound = operator.split()
        subprocess.run([opc, "compile", str(library / operator / "op_contract.yaml"), "--soc_version=Ascend310B",
                        f"--dtype={ROWS.get(operator, 'float16')}", "-o", str(compiled), "--log=error", *bound], check=True, stdout=subprocess.DEVNULL)
        manifest = compiled / "manifest.json"
        text = manifest.read_text(encoding="utf-8")
        tensors, row = json.loads(text)["inputs"], json.loads(text)["kernels"][0]["type_row"]
        inputs = []
        for tensor, shape in zip(tensors, shapes):
            name, kind = tensor["name"], tensor["types"][row]
            # Whole numbers are places, some of them outside.
            array = random.integers(-3, 40, shape) if kind.startswith("int") else random.standard_normal(shape)
            np.save(folder / f"{name}.npy", array.astype(kind))
            inputs += ["--input", f"{name}=@{folder / name}.npy"]
        for attribute in attributes:
            inputs += ["--attr", attribute]
        outputs = [tensor["name"] for tensor in json.loads(text)["outputs"]]
        for output in outputs:
            inputs += ["--output", f"{output}=@{folder / output}.out.npy"]
        expected = None
        for number in [1, *BLOCKS]:
            changed = json.loads(text)
            if not in_blocks(changed, number):
                print(f"FAILED: {operator}: a tiling function asks for no blocks")
                wrong += 1
                break
            manifest.write_text(json.dumps(changed), encoding="utf-8")
            result = subprocess.run([opc, "run", str(compiled), "--device=sim", "--sanitize=mem,race,init,sync",
                                     "--format=json", "--log=error",
                                     *inputs],
                                    stdout=subprocess.PIPE, text=True, check=False)
            if result.returncode != 0 or (json.loads(result.stdout)["blocks"] > 1) != (number > 1):
                print(f"FAILED: {operator}, {number} blocks:\n{result.stdout}")
                wrong += 1
                continue
            found = [np.load(folder / f"{output}.out.npy") for output in outputs]
            if number == 1:
                expected = found
            elif any(one.tobytes() != other.tobytes() for one, other in zip(found, expected)):
                differ = [int(np.sum(one != other)) for one, other in zip(found, expected)]
                print(f"FAILED: {operator}, {number} blocks: {differ} elements of {outputs} differ")
                wrong += 1
            several += number > 1
    print(f"{several} launches in several blocks, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

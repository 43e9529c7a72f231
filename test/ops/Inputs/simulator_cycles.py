"""Runs operators of the library on the simulator and holds what bounds them.

simulator_cycles.py LIBRARY FOLDER: a seeded sample of the cases (OPC_TEST_SEED, else 0); all of them with OPC_TEST_FULL=1.
"""

import json
import os
import pathlib
import random
import subprocess
import sys

import numpy as np

library, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
full = os.environ.get("OPC_TEST_FULL") == "1"
seed = int(os.environ.get("OPC_TEST_SEED") or "0")
TYPES = ("float16", "float32")
MILLION = (1000003,)

# Inputs of each operator; those in capitals are one row.
ELEMENTWISE = {
    "abs": "x", "add": "x1 x2", "add_relu": "x1 x2", "div": "x1 x2", "erf": "x", "exp": "x", "gelu": "x", "gelu_tanh": "x",
    "log": "x", "maximum": "x_0 x_1", "mul": "x1 x2", "mul_add": "x1 x2 x3", "neg": "x", "reciprocal": "x", "relu": "x",
    "rsqrt": "x", "sigmoid": "x", "sqrt": "x", "sub": "x1 x2", "swish": "x", "tanh": "x",
}
ROWS = {
    "add_layer_norm": "x1 x2 GAMMA BETA", "bias_gelu": "x BIAS", "layer_norm": "x GAMMA BETA", "log_sum_exp": "x",
    "reduce_max": "x", "reduce_mean": "x", "reduce_min": "x", "reduce_sum": "x", "rms_norm": "x GAMMA", "softmax": "x",
}


def compiled(operator, body=None, dtype=None):
    out = folder / f"{operator}_{body}"
    if not out.exists():
        command = ["opc", "compile", str(library / operator / "op_contract.yaml"), "--soc_version=Ascend310B1",
                   f"--output={out}"] + ([f"--dtype={dtype}"] if dtype else [])
        subprocess.run(command + ([f"--body={body}"] if body else []), check=True, capture_output=True)
    return out


def run(operator, inputs, shape, dtype, body=None):
    command = ["opc", "run", str(compiled(operator, body)), "--device=sim", "--format=json"]
    for name in inputs.split():
        sizes = shape[-1:] if name.isupper() else shape
        values = folder / f"{dtype}_{'x'.join(map(str, sizes))}.npy"
        if not values.exists():
            np.save(values, np.random.default_rng(0).standard_normal(sizes).astype(dtype))
        command.append(f"--input={name.lower()}=@{values}")
    if operator.startswith("reduce_"):
        command.append("--attr=axes=[-1]")
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def work_of(events, *names):
    """Start and end in cycles of each instruction with one of these names, in order."""
    return sorted((event["args"]["start_cycle"], event["args"]["start_cycle"] + event["args"]["cycles"]) for event in events
                  if event["ph"] == "X" and event["cat"] != "sync" and event["name"].split()[0] in names)


def timeline(operator, shapes):
    out = folder / "timeline"
    subprocess.run(["opc", "profile", str(compiled(operator, dtype="float16")), f"--input_shape={shapes}", "--no-effects",
                    f"--output={out}"], check=True, capture_output=True)
    return json.loads((out / "trace.json").read_text(encoding="utf-8"))["traceEvents"]


def loads_across_tiles(shapes):
    """Of MatMul, for each tile of results but the last: the share of the time from the start of its last product to the end
    of its Fixpipe in which MTE2 loads for later products."""
    events = timeline("mat_mul", shapes)
    loads, products = work_of(events, "load_nz", "fill"), work_of(events, "mmad")
    shares = []
    for start, end in work_of(events, "fixpipe")[:-1]:
        begin = max(first for first, last in products if last <= start)
        shares.append(sum(max(0, min(last, end) - max(first, begin)) for first, last in loads) / (end - begin))
    return shares


def profile_of(kernel, shapes, *options):
    command = ["opc", "profile", str(kernel), f"--input_shape={shapes}", "--no-effects", "--format=json", *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[0])


def cycles_of(kernel, shapes):
    return profile_of(kernel, shapes, "--dtype=float16")["cycles"]


def best_drawn(operator, shapes, count):
    """The fewest cycles of a product, compiled for these shapes, with `count` schedules drawn by the seed; those that do not
    fit are refused."""
    drawn = random.Random(seed)
    copy = folder / f"{operator}_drawn"
    if not copy.exists():
        copy.mkdir()
        for file in (library / operator).glob("*.*"):
            (copy / file.name).write_bytes(file.read_bytes())
        with open(copy / "op_contract.yaml", "a", encoding="utf-8") as contract:
            contract.write("\nschedule: drawn.yaml\n")
    best = None
    for _ in range(count):
        rows, width = (2 ** drawn.randint(4, 9) for _ in range(2))
        (copy / "drawn.yaml").write_text(f"schema: 1\nkernels:\n  - tile: {rows * width}\n    rows: {rows}\n"
                                         f"    slots: {drawn.choice((1, 2, 2))}\n", encoding="utf-8")
        made = subprocess.run(["opc", "compile", str(copy / "op_contract.yaml"), "--soc_version=Ascend310B1", "--dtype=float16",
                               "--op_mode=static", f"--input_shape={shapes}", f"--output={folder / 'drawn'}"],
                              check=False, capture_output=True, text=True)
        if made.returncode == 0:
            found = cycles_of(folder / "drawn", shapes)
            best = found if best is None else min(best, found)
        elif "OPC-E0403" not in made.stderr and "OPC-E0245" not in made.stderr:
            sys.exit(made.stderr)
    return best


def sample(cases, count):
    return cases if full else random.Random(seed).sample(cases, min(count, len(cases)))


failures = []
for operator, inputs in {"add_relu": "x1 x2", "swish": "x"}.items():
    for dtype in TYPES:
        for shape in ((4096,), MILLION) if full else (MILLION,):
            made, by_hand = (run(operator, inputs, shape, dtype, body)["cycles"] for body in ("te", "aicore"))
            print(f"{operator} {dtype} {shape}: te {made}, by hand {by_hand} cycles")
            if made > by_hand:
                failures.append(f"{operator} {dtype} {shape}: te takes {made} cycles, by hand {by_hand}")

cases = sample([(name, MILLION, dtype) for name in ELEMENTWISE for dtype in TYPES], 2)
cases += sample([(name, shape, dtype) for name in ROWS for shape in ((1024, 1000), (256, 4096)) for dtype in TYPES], 3)
for operator, shape, dtype in cases:
    record = run(operator, {**ELEMENTWISE, **ROWS}[operator], shape, dtype)
    print(f"{operator} {dtype} {shape}: {record['bound_pipe']} {record['bound_share']:.3f} of {record['cycles']} cycles")
    if record["bound_share"] < 0.9:
        failures.append(f"{operator} {dtype} {shape}: {record['bound_pipe']} is busy {record['bound_share']:.3f}, not 0.9")

# A row operator whose vector unit pays for starts of calls too: what docs/rationale/tiling-keys.md says of its roof.
profile = ["opc", "profile", str(compiled("layer_norm")), "--dtype=float16", "--no-effects", "--format=json",
           "--input_shape=x:512,1024;gamma:1024;beta:1024"]
reached = json.loads(subprocess.run(profile, check=True, capture_output=True).stdout.splitlines()[0])["roofline"]["roof_share"]
print(f"layer_norm float16 (512, 1024): {reached:.3f} of its roof")
if reached < 0.7:
    failures.append(f"layer_norm float16 (512, 1024): {reached:.3f} of its roof, not 0.7")

# MTE2 works across tiles of results, in one kernel for all sizes. A kernel whose pipes drained between tiles, or between
# the loops of a tile, would leave it idle there.
for key, shapes, tiles in (("contraction", "a:250,4090;b:4090,500", 4), ("resident", "a:250,1019;b:1019,1013", 8)):
    shares = loads_across_tiles(shapes)
    print(f"mat_mul {key}: MTE2 loads for {min(shares):.3f} of the time between two of {len(shares) + 1} tiles")
    if len(shares) + 1 != tiles or min(shares) < 0.95:
        failures.append(f"mat_mul {key} {shapes}: MTE2 loads for {shares} of the time between tiles, not 0.95")

# MTE1 relays flags between FIX and V. It does so after the loads of the next tile to L0: the products of a tile are complete
# when the vector unit has finished two of the four parts of the tile before.
events, tiles, parts = timeline("mat_mul_gelu", "a:128,250;b:250,1021;bias:1021"), 8, 4
products, stores = work_of(events, "mmad"), work_of(events, "store")
ahead = [products[(tile + 2) * len(products) // tiles - 1][1] < stores[tile * parts + 1][0] for tile in range(1, tiles - 1)]
print(f"mat_mul_gelu: {sum(ahead)} of {len(ahead)} tiles are multiplied while V works on two parts of the one before")
if len(stores) != tiles * parts or not all(ahead):
    failures.append("mat_mul_gelu: products wait for the vector unit")

# What is computed before or after a product does not keep the operands waiting: rows are filled after their copy, results
# wait for the operand of the next tile, and a copy to L0 has as few instructions as there are rows or columns of fractals.
for operator, dtype, shapes, least in sample([
        ("mat_mul_dequant_weights", "float16", "a:197,768;b:770,768;scale:770;bias:770", 0.87),
        ("mat_mul_dequant_weights", "float16", "a:128,768;b:768,768;scale:768;bias:768", 0.9),
        ("mat_mul_dequant_weights", "float32", "a:512,512;b:512,512;scale:512;bias:512", 0.74),
        ("mat_mul_dequant", None, "a:512,512;b:512,512;scale:512;bias:512", 0.83),
        ("mat_mul_nt", "float16", "a:512,512;b:512,512", 0.87),
        ("linear", "float16", "a:512,512;b:512,512;bias:512", 0.7)], 3):
    types = [f"--dtype={dtype}"] if dtype else []
    bound = profile_of(library / operator / "op_contract.yaml", shapes, f"--cache-path={folder / 'cache'}", *types)["bound"]
    print(f"{operator} {dtype} {shapes}: {bound['pipe']} busy {bound['busy_share']:.3f}")
    if bound["busy_share"] < least:
        failures.append(f"{operator} {dtype} {shapes}: {bound['pipe']} is busy {bound['busy_share']:.3f}, not {least}")

# One kernel for all sizes has a tile for each kind of launch, and is within 5 % of what a schedule for the launch alone gives.
# So is one that computes its weights, for launches that read them from memory or compute them once or twice.
products = [("mat_mul", "a:{m},{k};b:{k},{n}", sizes) for sizes in sample(
    [(1024, 1024, 1024), (512, 512, 512), (128, 768, 768), (128, 3072, 768), (197, 768, 768), (16, 4096, 1024)], 2)]
products += [("batch_mat_mul", "a:12,{m},{k};b:12,{k},{n}", (128, 64, 128))]
products += [("mat_mul_dequant_weights", "a:{m},{k};b:{n},{k};scale:{n};bias:{n}", sizes) for sizes in sample(
    [(1, 4096, 4096), (16, 896, 4864), (512, 512, 512), (197, 768, 770)], 1)]
for operator, form, (m, k, n) in products:
    shapes = form.format(m=m, k=k, n=n)
    found = cycles_of(compiled(operator, dtype="float16"), shapes)
    best = best_drawn(operator, shapes, 40 if full else 8)
    print(f"{operator} {m} x {k} x {n}: {found} cycles, the best of drawn schedules {best}")
    if best is not None and found > 1.05 * best:
        failures.append(f"{operator} {m} x {k} x {n}: {found} cycles, a drawn schedule takes {best}")
if failures:
    sys.exit("\n".join(failures))

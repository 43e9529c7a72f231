"""Operators by `opc test`: all bodies, type rows and devices. Several share a Python that has its modules loaded.

The sizes at which kernels go wrong are tested in every run: none, one, both sides of a block of 32 bytes, of a repeat, of a
page and of a tile, several tiles, several blocks; and with them the shapes that `opc test` knows: ranks, broadcast patterns,
rows, axes. A ninth of the operators also takes the largest sizes, twice as many seeds and a sample of other sizes, in all type
rows; the others take every third type row, and all of them in runs with three seeds in a row, since most of the time goes into
compiling. A row has its body with its neighbours, but for its own types, on which language.words and fuzz.te_* run all words in
every run; tree.reference places the tiles of all rows, and strict.package proves and emits all rows of every third operator.
The seed OPC_TEST_SEED chooses all of it, so that runs with different seeds see different tails. What opc prints is judged too:
a row that is missing, or that compared nothing, is a failure, however opc exits. A type row may lack a kernel on one device,
never on all.

With --reference the operator is compared with that file instead of the contract's own: a copy of its folder is tested.
"""

import argparse
import contextlib
import io
import json
import os
import pathlib
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "python"))
import warm_python  # noqa: E402

SIZES = [0, 1, 15, 16, 17, 31, 32, 33, 127, 128, 129, 4095, 4096, 65537, 1000003]
DEVICES = ["cpu", "sim"]
ROWS_TESTED_WHOLE = 4  # contracts with more type rows share the cases among them
LARGE = 100000  # cases with more elements are run by one type row each
# With --light a third of the operators take cases of several tiles and blocks, in all shapes; another third a few sizes, and
# the last one is compiled and not run: sanitizers see ways through the compiler and the simulator, and operators share most of
# them. None takes more than a third of its type rows. Those that share the cases need more cases than a few sizes give.
MOST_SANITIZED = 70000
FEW_SANITIZED = [0, 1, 17, 129]
SAMPLED = 6  # sizes that the seed chooses
SHARED_BY = 3  # runs with as many seeds in a row test every type row
SAMPLED_BY = 9  # and as many sample every operator
# The largest of them where it is smaller: products of more random numbers, and sums of squares of more special ones, leave
# float32 on the way, and too little is compared.
LARGEST_OF = {"reduce_prod": 64, "reduce_l2": 64, "reduce_log_sum": 64, "reduce_sum_square": 64, "cum_prod": 64}
# Most elements of a case of operators that the simulator or the reference takes element by element: a minute for each of the
# largest sizes. What those add is more tiles of the same loops; the full run has them.
SEVERAL_TILES, SMALL_MATRICES, FEW_TILES, FEW_ROWS = 70000, 20000, 5000, 1000
# A simulated plane of one element takes a thousand scalar instructions, and so does each row of a filter.
WINDOWED = ["average_pool1d", "average_pool1d_padded", "average_pool2d", "average_pool2d_padded", "max_pool1d", "max_pool2d",
            "max_pool3d", "average_pool3d", "average_pool3d_padded", "conv1d", "conv2d", "conv3d", "conv2d_bias_relu",
            "conv2d_bias_leaky_relu", "conv2d_bias_swish", "conv2d_bias_add", "conv2d_bias_add_relu", "depthwise_conv2d",
            "conv3d_bias_relu", "conv3d_bias_add", "conv3d_bias_add_relu"]
MOST_OF = {"matrix_transpose": FEW_TILES, "transpose": FEW_TILES, "tile2d": FEW_TILES, "tile3d": FEW_TILES,
           "expand2d": FEW_TILES, "expand3d": FEW_TILES,
           # Each row of a scan is a step of its own, and most shapes have rows of one element.
           "cum_sum": FEW_TILES, "cum_prod": FEW_TILES,
           # Each element is a copy of its own; each plane computes its places.
           "gather_elements": FEW_TILES,
           **dict.fromkeys([f"scatter_{kind}{form}" for kind in ("elements", "nd") for form in ("", "_add", "_mul", "_max", "_min")],
                           FEW_TILES),
           # Each value of its factors is a kernel of its own, with a plane for each element in many shapes. Its results
           # have sixteen elements for one of the input.
           "upsample_nearest": 16 * FEW_TILES,
           # On the AI Core each element, or each row, of a border is a copy of its own.
           **dict.fromkeys(["pad2d_edge", "pad2d_reflect", "pad2d_wrap", "resize_linear2d", "resize_nearest2d"], FEW_TILES),
           **dict.fromkeys(["trilu", "eye_like", "one_hot", "one_hot_int64"], FEW_ROWS),
           **dict.fromkeys(WINDOWED, FEW_ROWS),
           **dict.fromkeys(["nchw_to_nhwc", "nhwc_to_nchw", "depth_to_space", "space_to_depth",
                            "pixel_shuffle", "channel_shuffle", "global_average_pool", "global_max_pool"], SEVERAL_TILES),
           # Each matrix of a batch is a step of its own, and most shapes have small ones.
           **dict.fromkeys(["batch_mat_mul_softmax", "batch_mat_mul_add_softmax", "batch_mat_mul_integer"], SMALL_MATRICES),
           # A line of any length takes as long as one of 2000 elements.
           "top_k": FEW_TILES}
LARGEST_SAMPLED = 60000  # beyond seven tiles
# Eight of nine operators, by seed: what a million elements add to 65,537 is more tiles of the same loops, and two seeds have
# both the values of attributes and the numbers of blocks that differ between even and odd ones.
USUAL_MOST, USUAL_SEEDS = 70000, 2


def run(command):
    """The records that opc wrote, and whether it was content; what it says stays on stderr."""
    print("$", " ".join(command), flush=True)
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    print(result.stdout, end="")
    print(result.stderr, end="", file=sys.stderr)
    return [json.loads(line) for line in result.stdout.splitlines()], result.returncode


def judge(records, exit_code, bodies, sizes, seeds):
    """What is wrong with a run, as texts. `bodies` maps the level of each to the number of type rows that it serves."""
    wrong = []
    if exit_code != 0:
        wrong.append(f"opc test exits with {exit_code}")
    # Worst numerics run on a sample of the cases, those of special values first, most of which leave results open; which rows
    # must be there, and pass, is the same.
    drawn = [record for record in records if record["numerics"] == "worst"]
    records = [record for record in records if record["numerics"] != "worst"]
    for record in records:
        if record["device"] != "sim" or record["skipped"]:
            continue
        worst = [one for one in drawn if (one["body"], one["type_row"]) == (record["body"], record["type_row"])]
        if len(worst) != 1 or not worst[0]["cases"] or worst[0]["failed"] or not worst[0]["elements"]:
            wrong.append(f"{record['body']}, {record['type_row']}: worst numerics: {worst}")
    rows = {(record["body"], record["type_row"]) for record in records}
    seen = {(record["body"], record["type_row"], record["device"]) for record in records}
    for body, type_rows in bodies.items():
        tested = sum(name == body for name, _ in rows)
        if tested != type_rows:
            wrong.append(f"body {body}: {tested} type rows were tested, the contract has {type_rows}")
    for body, types in sorted(rows):
        if all(record["skipped"] for record in records if (record["body"], record["type_row"]) == (body, types)):
            wrong.append(f"body {body}, types {types} has a kernel on no device")
        for device in DEVICES:
            if (body, types, device) not in seen:
                wrong.append(f"body {body}, types {types} was not tested on {device}")
    for record in records:
        name = f"{record['body']}, {record['type_row']}, {record['device']}"
        if record["skipped"]:
            continue
        if record["failed"] or record["wrong"]:
            wrong.append(f"{name}: {record['failed']} of {record['cases']} cases failed")
        type_rows = bodies[record["body"]]
        share = 1 if type_rows <= ROWS_TESTED_WHOLE else -(-type_rows // ROWS_TESTED_WHOLE)
        expected = sum(size <= LARGE for size in sizes) * seeds // share
        if record["refused_shapes"] == 0 and record["cases"] < expected:
            wrong.append(f"{name}: {record['cases']} cases, expected {expected} or more")
        # What the boundary rules leave open is not compared; more than half would be a test of nothing.
        if record["elements"] <= record["left_open"]:
            wrong.append(f"{name}: only {record['elements']} elements were compared")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opc", required=True, help="the program to test with")
    parser.add_argument("--contract", required=True, nargs="+", type=pathlib.Path, help="op_contract.yaml of each operator")
    parser.add_argument("--full", action="store_true", help="100 seeds of every size")
    parser.add_argument("--light", action="store_true", help="one seed of every size that is not large: for builds with sanitizers")
    parser.add_argument("--reference", help="Python file that takes the place of the contract's reference")
    arguments = parser.parse_args()
    if len(arguments.contract) > 1:
        return test_all(arguments)
    contract = arguments.contract[0]
    if not arguments.reference:
        return test(arguments.opc, contract, arguments, sys.executable)
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "operator"
        shutil.copytree(contract.parent, copy)
        (copy / "reference.py").unlink()
        shutil.copyfile(arguments.reference, copy / "reference.py")
        return test(arguments.opc, copy / "op_contract.yaml", arguments, sys.executable)


def test_all(arguments):
    """Tests each operator; a line for each, and all that was said of one that fails."""
    outcomes = []
    python = warm_python.program(arguments.opc) or sys.executable
    with warm_python.serve() as environment:
        os.environ.update(environment)
        for contract in arguments.contract:
            said, started = io.StringIO(), time.monotonic()
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                try:
                    outcome = test(arguments.opc, contract, arguments, python)
                except Exception:
                    traceback.print_exc()
                    outcome = 1
            outcomes.append(outcome)
            name = "FAILED" if outcome else "passed"
            print(f"{contract.parent.name}: {name}, {time.monotonic() - started:.2f} s", flush=True)
            if name == "FAILED":
                print(said.getvalue(), flush=True)
    failed = [contract.parent.name for contract, outcome in zip(arguments.contract, outcomes) if outcome]
    if failed:
        print("FAILED:", ", ".join(failed))
    return 1 if failed else 0


def compiled(opc, contract, served):
    """Compiles each body for the type rows that it serves, by level: 0, or 1 after a failure."""
    with tempfile.TemporaryDirectory() as folder:
        for level, rows in served.items():
            _, exit_code = run([opc, "compile", str(contract), "--soc_version=Ascend310B1", f"--body={level}",
                                f"--dtype={','.join(rows)}", "--cpu-levels=v3", f"--output={folder}/{level}"])
            if exit_code != 0:
                print(f"FAILED: opc compile exits with {exit_code}")
                return 1
    return 0


def test(opc, contract, arguments, python):
    seed = int(os.environ.get("OPC_TEST_SEED", "1"))
    common = [opc, "test", str(contract), f"--device={','.join(DEVICES)}", f"--python={python}",
              "--format=json", f"--seed={seed}", "--numerics=exact,worst"]
    checksum = zlib.crc32(contract.parent.name.encode()) + seed
    # `opc test` takes the best level of the machine: every second operator, by seed, the one that all machines have.
    if checksum // 2 % 2 and platform.machine() == "x86_64":
        common.append("--cpu-levels=v3")
    choose = random.Random(seed)
    operator = contract.parent.name
    largest = LARGEST_OF.get(operator, LARGEST_SAMPLED)
    if operator in MOST_OF:
        largest = min(largest, FEW_TILES, MOST_OF[operator])
    sampled = sorted(choose.randrange(2, largest) for _ in range(SAMPLED))

    checked, exit_code = run([opc, "contract", "check", str(contract), "--format=json"])
    if exit_code != 0:
        return 1
    # Type rows may have bodies of their own at one level.
    served = {}
    for body in checked[0]["bodies"]:
        served.setdefault(body["level"], []).extend(body["types"])
    if max(map(len, served.values())) != checked[0]["type_rows"]:
        print("FAILED: a type row that no body serves")
        return 1

    # Of matrix products `opc test` takes some of the sizes and shapes of their own.
    is_product = any("te.matmul" in path.read_text(encoding="utf-8") for path in contract.parent.glob("*.mlir"))
    turn = checksum % SHARED_BY
    # Cases of windows are small whatever the sample, and each value of their attributes is compiled for each type row.
    is_sampled = checksum % SAMPLED_BY == 0 and not arguments.light and operator not in WINDOWED
    if not is_sampled and not arguments.full and checked[0]["type_rows"] > 1:
        every = max(served.values(), key=len)
        chosen = every[turn::SHARED_BY] or every[turn % len(every):][:1]
        common.append(f"--dtype={','.join(chosen)}")
        served = {level: [row for row in rows if row in chosen] for level, rows in served.items()}
    bodies = {level: len(rows) for level, rows in served.items()}
    if arguments.light and turn == 2:
        return compiled(opc, contract, {level: rows for level, rows in served.items() if rows})

    def upto(most, *more):
        return ([size for size in SIZES if size <= most], 1, [*more, f"--max_elements={most}"])

    most = MOST_OF.get(operator, 1 << 20 if is_sampled else USUAL_MOST)
    if arguments.full:
        sizes = [size for size in SIZES if operator not in WINDOWED or size <= SEVERAL_TILES]
        seeds, more = 100, ["--full", *([f"--max_elements={SEVERAL_TILES}"] if operator in WINDOWED else [])]
    elif arguments.light and (turn == 0 or max(bodies.values()) > ROWS_TESTED_WHOLE):
        sizes, seeds, more = upto(min(most, MOST_SANITIZED), "--seeds=1")
    elif arguments.light:
        sizes, seeds = FEW_SANITIZED, 1
        more = ["--seeds=1", f"--sizes={','.join(map(str, FEW_SANITIZED))}", f"--max_elements={most}"]
    elif is_sampled:
        sizes, seeds, more = upto(most, f"--sizes=+{','.join(map(str, sampled))}")
    else:
        sizes, seeds, more = upto(most, f"--seeds={USUAL_SEEDS}")
    told, exit_code = run([*common, *more])
    records = [one for one in told if "severity" not in one]  # the others are diagnostics
    wrong = judge(records, exit_code, bodies, [] if is_product else sizes, seeds)
    for text in wrong:
        print("FAILED:", text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""Holds `opc profile` with --memory-rates and --l2 to what public reports and the size of L2 give.

check_memory_rates.py SOFTMAX MAT_MUL_B4 CACHE MAT_MUL: op folders of Softmax for Ascend310B1 and of MatMul for Ascend310B4, a
cache, and the contract of MatMul.
"""

import json
import math
import subprocess
import sys

softmax, on_b4, cache, mat_mul = sys.argv[1:]
L2_BYTES, L2_WIDTH = 4 << 20, 256
# GB/s of weights that owners of boards report, the clock in MHz, and the bytes a cycle in the vendor's file.
CHIPS = {"Ascend310B1": (12.6, 23.4, 1224, 17), "Ascend310B4": (11, 18, 500, 8)}


def profile(kernel, shapes, *options):
    command = ["opc", "profile", kernel, f"--input_shape={shapes}", "--dtype=float16", "--format=json", *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[0])


def expect(condition, *found):
    if not condition:
        sys.exit(f"memory differs: {found}")


for kernel, shapes in ((softmax, "x:64,1024"), (on_b4, "a:64,512;b:512,512")):
    by_file, by_board = profile(kernel, shapes), profile(kernel, shapes, "--memory-rates=board", "--no-effects")
    low, high, clock, of_file = CHIPS[by_file["target"]]
    memory, boards = by_file["memory"], by_file["memory"]["boards"]
    expect(memory["rates"] == "file" and memory["source"].startswith("assumed"), memory)
    expect(math.isclose(memory["load_gb_per_s"], of_file * clock / 1000), memory)
    expect(boards["load_gb_per_s"] == [low, high] and boards["source"].startswith("likely"), boards)
    expect(by_board["memory"]["rates"] == "board" and by_board["memory"]["source"].startswith("likely"), by_board["memory"])
    expect(math.isclose(by_board["memory"]["load_gb_per_s"], math.sqrt(low * high)), by_board["memory"])
    # A faster memory takes no longer; the middle is between both ends.
    expect(boards["cycles"][1] < by_board["cycles"] < boards["cycles"][0], boards, by_board["cycles"])
    # What MTE2 is charged: starts and rows as before, bytes at the other rate; rows here are whole blocks of 32 bytes. An
    # instruction takes whole cycles.
    loads, mte2 = by_file["dma"]["loads"], [next(p for p in each["pipes"] if p["pipe"] == "mte2") for each in (by_file, by_board)]
    faster = loads["bytes"] / of_file - loads["bytes"] * clock / 1000 / math.sqrt(low * high)
    expect(abs(mte2[0]["busy_cycles"] - mte2[1]["busy_cycles"] - faster) <= loads["count"], mte2, faster)

cached = ["--cache-path=" + cache, "--l2", "--no-effects"]
# Both operands fit L2: every load after the first of the same bytes finds them. Loads that find nothing take as long.
small = profile(mat_mul, "a:1024,256;b:256,1024", *cached)
slow = profile(mat_mul, "a:1024,256;b:256,1024", cached[0], cached[2])
expect(small["memory"]["l2"]["loaded_bytes"] == small["gm_read_bytes"] - 2 * 1024 * 256 * 2 > 0, small["memory"])
expect(slow["memory"]["l2"]["loaded_bytes"] == 0 and not slow["memory"]["l2"]["modelled"], slow["memory"])
gained = small["memory"]["l2"]["loaded_bytes"] * (1 / 17 - 1 / L2_WIDTH)
busy = [next(p for p in each["pipes"] if p["pipe"] == "mte2")["busy_cycles"] for each in (slow, small)]
expect(abs(busy[0] - busy[1] - gained) <= small["dma"]["loads"]["count"], busy, gained)
# Passes over a row of 8 MB: when a pass begins, L2 has the end of the row, which the pass throws out before it gets there.
long = profile(softmax, f"x:1,{L2_BYTES}", *cached[1:])
expect(long["gm_read_bytes"] >= 2 * L2_BYTES * 2 and long["memory"]["l2"]["loaded_bytes"] == 0, long["memory"], long["gm_read_bytes"])
# Half of L2: passes after the first find all of the row.
half = profile(softmax, f"x:1,{L2_BYTES // 4}", *cached[1:])
expect(half["memory"]["l2"]["loaded_bytes"] == half["gm_read_bytes"] - L2_BYTES // 2, half["memory"], half["gm_read_bytes"])
print("memory agrees")

"""Figures of CPU kernels: each case compares opc's kernel, the ceiling or a handwritten loop, and the peers, on the
same memory. Goals are those of docs/performance.md.
"""

import pathlib
import re
import statistics
import subprocess
import sys

import native
import numpy as np
from movement import OF_POOLS, POOLS
from peers import Absent
from race import Side, race, ratio
from record import record
from workload import (BYTES, FEW_ROWS, ODD_PRODUCTS, OPERATORS, Case, as_floats, inputs_of, moving, onnx_model, output_shape,
                      wrong)


def private_cache():
    """The size of the second-level cache in bytes, as the runtime reads it; 1 MiB when it is unknown."""
    for index in pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
        try:
            if (index / "level").read_text().strip() == "2":
                return int((index / "size").read_text().strip().rstrip("K")) << 10
        except (OSError, ValueError):
            break
    return 1 << 20


def stream_threshold():
    """The size in bytes from which on kernels use non-temporal stores, as the runtime computes it
    (runtime/device/cpu/StreamThreshold.h): half of the largest cache, at most 64 MiB; 1 MiB when it is unknown."""
    sizes = []
    for index in pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
        try:
            sizes.append(int((index / "size").read_text().strip().rstrip("K")) << 10)
        except (OSError, ValueError):
            pass
    return min(max(sizes) // 2, 64 << 20) if sizes else 1 << 20


def available_memory():
    """Available memory in bytes, or None when it is unknown."""
    try:
        lines = pathlib.Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        return None


class Kernels:
    """Compiles operators once, then races cases."""

    def __init__(self, opc, work, bench, peers, effort, say):
        self.opc, self.work, self.bench, self.peers, self.effort, self.say = opc, work, bench, peers, effort, say
        library = opc.parent.parent / "lib" / "libopc_runtime.so"
        self.runtimes = {threads: native.Runtime(library, threads) for threads in (1, 2)}
        self.cache = stream_threshold()
        self.samples = self.dropped = 0
        self.level = None  # the level of the CPU for which all kernels are compiled; None: the levels of a package
        self.gain = None  # the gain of the loop in registers by a second thread, in the last race
        self.memory = {}  # threads: record of the run's ordinary read-write bandwidth beyond the caches
        self.absent = {}  # what was omitted, and why

    def folder(self, name, bound=None):
        """The op folder of an operator of the library, compiled from its te body, with values of attributes that are bound
        when compiling."""
        given = [word for key, value in (bound or {}).items() for word in ("--attr", f"{key}={value}".replace(" ", ""))]
        folder = self.work / "operators" / re.sub(r"[^a-z0-9_-]", "_", "-".join([name, *given[1::2]]))
        if not folder.exists():
            # A build reads the library of its own tree: contracts of another one may say what it does not know.
            trees = self.opc.absolute().parents[2], pathlib.Path(__file__).resolve().parents[3]
            library = next(tree / "ops" / "library" for tree in trees if (tree / "ops" / "library").is_dir())
            contract = library / name / "op_contract.yaml"
            # The loops of products of bytes use VNNI where the machine has it, and a package has such a level too.
            level = [f"--cpu-levels={self.level},{self.level}-vnni"] if self.level else []
            done = subprocess.run([self.opc, "compile", contract, "--soc_version=Ascend310B", "--body=te", *level, *given,
                                   f"--output={folder}"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(f"bench: opc could not compile {name}:\n{done.stderr}")
        return folder

    def model(self, case, inputs):
        """The model folder of a case whose weights are constants."""
        folder = self.work / "models" / "-".join([case.operator.name, *map(str, case.shape), case.type])
        if not folder.exists():
            folder.parent.mkdir(exist_ok=True)
            file = folder.with_suffix(".onnx")
            file.write_bytes(onnx_model(case, inputs))
            done = subprocess.run([self.opc, "compile", file, "--soc_version=Ascend310B", f"--output={folder}"],
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(f"bench: opc could not compile a model of {case}:\n{done.stderr}")
        return folder

    def kernel(self, case, inputs, output, threads=None):
        """The call of opc's kernel for a case."""
        operator = case.operator
        if operator.constants:
            folder, given = self.model(case, inputs), moving(case, inputs)
            return self.bench.model(self.opc.parent.parent, folder, threads or case.threads, given, output)
        runtime, moves = self.runtimes[threads or case.threads], operator.moves
        folder = self.folder(operator.folder or operator.name, moves and moves.attributes(case.shape))
        more = [native.aligned(moves.second(case.shape), np.int64)] if moves and moves.second else []
        launch = runtime.launch(folder, inputs, [output, *more], operator.attributes)
        return self.bench.launch(launch)

    def unfused(self, inputs, output):
        """Add, then Relu, with the sum in memory between them."""
        between = native.aligned(output.shape, output.dtype)
        add = self.kernel(Case(OPERATORS["add"], output.shape), inputs, between)
        relu = self.kernel(Case(OPERATORS["relu"], output.shape), [between], output)
        return self.bench.both(add, relu)

    def run(self, case):
        """The records of one case."""
        room, needed = available_memory(), 2 * case.bytes() + (256 << 20)
        if room is not None and room < needed:
            self.say(f"{case}: left out, it needs {needed >> 20} MB of memory and {room >> 20} MB are there")
            return []
        operator = case.operator
        inputs = inputs_of(case, native.aligned)
        output = native.aligned(output_shape(case), case.result())
        beyond = case.bytes() > self.cache
        ours = Side("opc", self.kernel(case, inputs, output))
        others = self.own_sides(case, inputs, output, beyond)
        for peer in self.peers:
            try:
                others.append(peer.side(case, inputs, output))
            except Absent as reason:
                self.absent[f"{peer.name}: {operator.name} {case.type}"] = str(reason)
        sides = [ours, *(side for side in others if self.right(case, side, inputs, output))]
        if not self.right(case, ours, inputs, output):
            raise SystemExit(f"bench: the kernel of {case} is wrong")
        race(sides, case.threads, self.effort)
        self.samples += sum(len(side.kept) for side in sides)
        self.dropped += sum(not kept for side in sides for kept in side.kept)
        by_name = {side.name: side for side in sides}
        ceiling, on_one = by_name.get("ceiling"), by_name.get("ceiling on one")
        # The gain of a second thread for the loop in registers in this race: cores share clocks and caches with others.
        self.gain = ratio(ceiling, on_one, self.effort).value if on_one else None
        records = [self.told(case, ours, side, self.goal(case, side, ceiling, beyond)) for side in sides[1:] if side != on_one]
        if beyond and operator.rows and not operator.reduces and case.threads in self.memory:
            records.append(self.of_memory(case, records[0], self.memory[case.threads]))
        return records

    def of_memory(self, case, told, memory):
        """Compares rows with the bandwidth of memory, since their race may stay in a cache that all cores share."""
        needed = case.bytes() / memory["value"] * 1e-3
        return record(case.operator.name, case.shape, case.type, case.threads, told["value"], "us", "memory", needed,
                      needed / told["value"], 0, sure=told["sure"] and memory["sure"], info=True,
                      gb_per_s=told["gb_per_s"])

    def own_sides(self, case, inputs, output, beyond):
        """The ceiling, the handwritten loop, and other kernels of opc that the kernel is compared with."""
        sides = []
        operator = case.operator
        if operator.product or operator.conv:
            return self.product_sides(case, inputs, output)
        if operator.moves:
            return self.moving_sides(case, output, beyond)
        rows, columns = case.shape if operator.rows else (1, case.elements())
        if self.bench.level:
            # Bytes are moved as float32 for all types; rows are compared with ordinary stores.
            move = [as_floats(array) for array in inputs]
            if not operator.reduces or operator.axis >= 0 or operator.positions:
                count = case.elements() * inputs[0].itemsize // 4
                call = self.bench.loop(operator.streams(), case.threads, move, output, 1, count,
                                       beyond and not operator.rows)
                sides.append(Side("ceiling", call))
                if operator.reduces and case.type == "f16":
                    call = self.bench.loop("read halves", case.threads, move, output, 1, count, False)
                    sides.append(Side("halves", call))
            by_hand = case.type == "f32" and (not beyond or operator.rows) and self.bench.loop(
                operator.name, case.threads, inputs, output, rows, columns, False)
            if by_hand:
                sides.append(Side("hand", by_hand))
        if operator.name == "add_relu" and case.threads == 1 and beyond:
            sides.append(Side("unfused pair", self.unfused(inputs, output)))
        if operator.name == "softmax" and case.threads == 2:
            sides.append(Side("one thread", self.kernel(case, inputs, output, threads=1)))
        return sides

    def moving_sides(self, case, output, beyond):
        """The ceiling of a movement: a copy of as many bytes as its result has, from other memory."""
        if not self.bench.level:
            return []
        source = native.aligned(output.shape, output.dtype)
        call = self.bench.loop("move1", case.threads, [as_floats(source)], output, 1, output.nbytes // 4, beyond)
        return [Side("ceiling", call)]

    def product_sides(self, case, inputs, output):
        """The ceiling of a matrix product or a convolution: its products in registers, or for a single row the reading of
        the matrix."""
        if not self.bench.level:
            return []
        planes = [peer.planes(case, inputs, output) for peer in self.peers if case.operator.conv and peer.name == "onednn"]
        rows = case.shape[-3] if case.operator.product else 2
        rate = "bytes" if case.type in BYTES else "fma"
        loop, count = (rate, case.elements()) if rows > 1 else ("read1", as_floats(inputs[1]).size)
        call = self.bench.loop(loop, case.threads, [as_floats(inputs[1])] * 3, output, 1, count, False)
        sides = [Side("ceiling", call), *planes]
        if case.operator.product and 1 < rows <= MOST_ROWS:
            reading = self.bench.loop("read1", case.threads, [as_floats(inputs[1])] * 3, output, 1, as_floats(inputs[1]).size, False)
            sides.append(Side("reading", reading))
        if case.threads == 2:
            sides.append(Side("one thread", self.kernel(case, inputs, output, threads=1)))
            sides.append(Side("ceiling on one", self.bench.loop(loop, 1, [as_floats(inputs[1])] * 3, output, 1, count, False)))
        return sides

    def right(self, case, side, inputs, output):
        """Whether a side computes correct results; ceilings compute nothing."""
        if side.name in ("ceiling", "ceiling on one", "halves", "reading"):
            return True
        output.fill(-1 if case.result() == np.int32 else float("nan"))
        side.call.run(1)
        found = wrong(case, inputs, output)
        if found:
            self.absent[f"{side.name}: {case}"] = f"computes something else: {found}"
            self.say(f"{case}: {side.name} is left out, {found}")
        return not found

    def goal(self, case, side, ceiling, beyond):
        """The goal of a ratio against `side`; None for one that is for information only."""
        operator = case.operator
        if operator.moves:
            return operator.moves.goals.get(side.name)
        if operator.conv:
            return {"onnxruntime": 1.0, "onednn": 1.0, "onednn, planes": 0.8}.get(side.name)
        if operator.product:
            return self.goal_of_product(case, side)
        if side.name == "unfused pair":
            return 1.9
        if side.name == "one thread":
            return 1.8 if case.shape[1] in (128, 1000) else None
        if operator.turns:
            return TURNED_CEILINGS[case.shape] if side.name == "ceiling" else 1.0
        if operator.axis >= 0 or operator.positions:
            return 0.85 if side.name in ("ceiling", "halves") else 1.0
        if operator.rows:
            if side.name == "ceiling":
                return ROW_CEILINGS.get((operator.name, case.shape))
            if side.name == "hand":
                return 0.8 if case.shape == (1024, 128) else None
            return 1.0
        if side.name == "ceiling":
            return 0.95 if beyond else None
        if side.name == "hand":
            return 0.85 if not beyond else None
        # 1.2 times the peer, or 0.95 of the ceiling if the peer is closer to the ceiling than that.
        return min(1.2, 0.95 * ratio(ceiling, side, self.effort).value) if ceiling else 1.2

    def goal_of_product(self, case, side):
        if case.type in BYTES and side.name == "onnxruntime":
            return None  # its products of two operands with signs have no kernel of their own
        if side.name == "one thread":
            return 0.9 * self.gain
        if side.name == "reading":
            return 0.85 if case.shape[-3] <= MEMORY_ROWS else None  # from there on between memory and products
        if side.name == "ceiling" and case.shape[-3] in range(2, 33):
            return None  # likewise
        if side.name == "ceiling":
            return 0.85 if case.shape[-3] == 1 or self.bench.level != "x86-64-v4" else 0.9
        if case.operator.constants:
            return 1.0 if side.name in ("onnxruntime", "onednn") else None
        is_odd = case.shape in ODD_PRODUCTS or case.operator.product != "nn"
        return (0.95 if side.name == "onednn" else None) if is_odd else 1.0

    def told(self, case, ours, side, goal):
        found = ratio(ours, side, self.effort)
        note = "" if found.sure else f"{found.turns} of {len(ours.seconds)} turns had the cores for themselves; all are taken"
        return record(case.operator.name, case.shape, case.type, case.threads, found.one * 1e6, "us", side.name,
                      found.other * 1e6, found.value, goal or 0, sure=found.sure, info=goal is None, note=note,
                      low=round(found.low, 4), high=round(found.high, 4), turns=found.turns, dropped=found.dropped,
                      gb_per_s=round(case.bytes() / found.one * 1e-9, 2))


# Shares of the copy's bandwidth that transposes are to reach.
TURNED_CEILINGS = {(1000, 3000): 0.60, (4096, 4096): 0.45}

# Products of that many rows are compared with reading the matrix, and of that many they should take as long.
MOST_ROWS, MEMORY_ROWS = 16, 4
# Shares of the ordinary read-write ceiling.
ROW_CEILINGS = {
    ("layer_norm", (1024, 1000)): 0.92,
    ("layer_norm", (1024, 4096)): 0.92,
    ("rms_norm", (1024, 1000)): 0.92,
    ("rms_norm", (1024, 4096)): 0.92,
    ("softmax", (1024, 1000)): 0.90,
    ("softmax", (1024, 4096)): 0.90,
    ("softmax", (32, 50257)): 0.70,
}


def ceilings(kernels, bench, effort, say):
    """Bandwidths of the run, for information: 192 MB with non-temporal and with ordinary stores, and a quarter of the
    second-level cache. Sets the bandwidth of memory in `kernels`."""
    records = []
    large, small = 16 << 20, private_cache() // 16
    for elements, kind, stream in ((large, "streaming", True), (large, "ordinary", False), (small, "in cache", False)):
        a, b, y = (native.aligned((elements,)) for _ in range(3))
        for threads in (1, 2):
            for loop, tensors in (("move1", 2), ("move2", 3), ("read1", 1)):
                if loop == "read1" and stream:
                    continue
                side = Side("ceiling", bench.loop(loop, threads, [a, b], y, 1, elements, stream))
                race([side], threads, effort)
                found = ratio(side, side, effort)
                rate = 4e-9 * tensors * elements / found.one
                records.append(record(f"{loop} {kind}", [elements], "f32", threads, rate, "GB/s", "itself", rate, 1.0, 0.0,
                                      sure=found.sure, info=True, turns=found.turns, dropped=found.dropped))
                say(f"{loop} {kind}, {threads} thread(s): {rate:.1f} GB/s")
                if (loop, kind) == ("move1", "ordinary"):
                    kernels.memory[threads] = records[-1]
    return records


def measured(kernels, cases, say, out=sys.stderr):
    """The records of all cases; prints each one immediately."""
    records = []
    for number, case in enumerate(cases, 1):
        try:
            found = kernels.run(case)
        except native.Failed as error:
            raise SystemExit(f"bench: {case}: {error}") from error
        for one in found:
            records.append(one)
        told = "  ".join(f"{one['against']} {one['ratio']:.2f}" + ("?" if not one["sure"] else "!" if one["status"] == "missed" else "")
                         for one in found)
        say(f"{number}/{len(cases)} {case}: {found[0]['value']:.1f} us; {told}" if found else f"{case}: nothing")
    return records + of_pools(records)


def of_pools(records):
    """The geometric mean of all pools against each peer that has a goal, as if they were one case."""
    means = []
    for peer, goal in OF_POOLS.items():
        found = [one for one in records if one["name"] in POOLS and one["against"] == peer]
        if found:
            ours, theirs, ratio_ = (statistics.geometric_mean(one[key] for one in found) for key in ("value", "against_value", "ratio"))
            means.append(record("pools", [len(found)], "f32", 1, ours, "us", peer, theirs, ratio_, goal, sure=all(one["sure"] for one in found),
                                note="geometric mean", gb_per_s=statistics.geometric_mean(one["gb_per_s"] for one in found)))
    return means

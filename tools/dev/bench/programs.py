"""Figures of programs: opc measured from outside, the simulator's time, and the measurements of runtime_bench.

A figure with a limit has it as `against_value`; its ratio is limit over value (for shares: value over limit), its
goal is 1.
"""

import json
import resource
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from record import record

ELEMENTS = 1 << 20
# Names of figures of opc, of the simulator and of runtime_bench, to select some of them. Operators that are compiled
# separately: fused chains, rows, and two that broadcast, with 9 and 19 shape keys per type.
COMPILED = ("add_relu", "swish", "softmax", "add", "select")
# A matrix product: float32 for one vector level, and all that a folder has; with limits in ms.
COMPILED_PRODUCTS = {"opc_compile_mat_mul_float32": (("--dtype=float32", "--cpu-levels=v3"), 600.0), "opc_compile_mat_mul": ((), 4000.0)}
COMPILE = (*(f"opc_compile_{name}" for name in COMPILED), *COMPILED_PRODUCTS, "opc_compile_library")
SIMULATOR = ("simulator_add_relu", "pipe_busy_add_relu", "pipe_busy_swish", "pipe_busy_softmax", "pipe_busy_layer_norm",
             "cycles_add_relu", "cycles_swish")
# Movements of 1 MiB and more by blocks on the simulator: operator of the library, shapes of its inputs, attributes. The
# pipe that bounds them is busy 0.9 of the time.
BLOCKS = {
    "transpose_outer": ("transpose", "x:64,128,128", ("perm=[1,0,2]",)),
    "transpose_odd": ("transpose", "x:63,129,130", ("perm=[1,0,2]",)),
    "slice": ("slice", "x:1023,1031", ("start=5", "end=1001")),
    "concat_rows": ("concat", "x_0:500,1031;x_1:512,1031", ("axis=0",)),
    "concat_columns": ("concat", "x_0:1024,512;x_1:1024,512", ("axis=1",)),
    "pad2d": ("pad2d", "x:2,8,256,256", ()),
    "tile2d": ("tile2d", "x:256,512", ()),
    "expand3d": ("expand3d", "x:1,512,256", ("shape0=8", "shape1=512", "shape2=256")),
}
# Transposes: the gathers of the vector unit bound them, one for each element; the share of the time that these take.
GATHERED = {"transpose": ("1000,3000", "4096,4096")}
# Products and convolutions in float16 on the simulator: operator of the library, shapes of its inputs. The pipe that
# bounds them is busy 0.9 of the time: squares, layers of BERT, weights that a row or 16 rows stream, layers of ResNet-50.
MULTIPLIED = (
    ("mat_mul", "a:1024,1024;b:1024,1024"),
    ("mat_mul", "a:128,768;b:768,768"),
    ("mat_mul", "a:128,768;b:768,3072"),
    ("mat_mul", "a:128,3072;b:3072,768"),
    ("batch_mat_mul", "a:12,128,64;b:12,64,128"),
    ("mat_mul", "a:1,4096;b:4096,4096"),
    ("linear", "a:1,896;b:4864,896;bias:4864"),
    ("mat_mul_dequant", "a:16,4096;b:4096,4096;scale:4096;bias:4096"),
    ("conv2d", "x:1,64,56,56;w:256,64,1,1;bias:256"),
    ("conv2d", "x:1,64,56,56;w:64,64,3,3;bias:64"),
    ("conv2d", "x:1,128,28,28;w:128,128,3,3;bias:128"),
    ("conv2d", "x:1,512,7,7;w:512,512,3,3;bias:512"),
)
PRODUCTS = ("simulator_mat_mul", "simulator_mat_mul_sanitized", *{f"multiplied_{name}": None for name, _ in MULTIPLIED})
PACKED = (32768, 16384)  # a weight of 1 GiB in float16
MOVED = tuple(f"moved_{name}" for name in (*BLOCKS, *GATHERED))
RUNTIME = ("cached_launch_p50", "cached_launch_p99", "one_call_launch_p50", "one_call_launch_p99", "first_use", "pool_saves", "pool_against_malloc", "caches_steady",
         "caches_first_run", "memory_peak")


def call(*command):
    """Runs a command; ends the bench when it fails."""
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        print(" ".join(map(str, command)), done.stdout, done.stderr, sep="\n", file=sys.stderr)
        raise SystemExit(f"bench: the command above ended with exit code {done.returncode}")


def within(name, shape, type_, value, unit, limit, **more):
    """The record of a time with its upper limit."""
    return record(name, shape, type_, more.pop("threads", 1), value, unit, "limit", limit, limit / value, 1.0, **more)


def share(name, shape, type_, value, least, **more):
    """The record of a share with its lower limit."""
    return record(name, shape, type_, more.pop("threads", 1), value, "share", "least", least, value / least, 1.0, **more)


def spent(action):
    """Milliseconds of wall time, and of CPU time of the child processes."""
    def children():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    cpu, wall = children(), time.perf_counter()
    action()
    return (time.perf_counter() - wall) * 1e3, (children() - cpu) * 1e3


def medians(repeats, before=lambda: None, **actions):
    """Median (wall, CPU) of each action; actions run in turns, after one round to warm the caches. `before` runs before
    each of them and is not timed."""
    times = {name: [] for name in actions}
    for turn in range(repeats + 1):
        for name, action in actions.items():
            before()
            took = spent(action)
            if turn:
                times[name].append(took)
    return {name: tuple(statistics.median(column) for column in zip(*values)) for name, values in times.items()}


def compile_one(opc, contract, folder, *options):
    call(opc, "compile", contract, "--soc_version=Ascend310B", f"--output={folder}", *options)


def compile_figures(opc, source, work, repeats, everything):
    """`opc compile` of one operator (all types, both vector levels, simulator and Ascend C) and of the library."""
    library = source / "ops" / "library"
    for name in COMPILED:
        contract = library / name / "op_contract.yaml"
        wall, cpu = medians(repeats, one=lambda: compile_one(opc, contract, work / "compiled" / name, "--body=te"))["one"]
        yield of_wall(f"opc_compile_{name}", [], "all", wall, cpu, 250.0)
    for name, (options, limit) in COMPILED_PRODUCTS.items():
        contract, folder = library / "mat_mul" / "op_contract.yaml", work / "compiled" / name
        wall, cpu = medians(repeats, one=lambda: compile_one(opc, contract, folder, *options))["one"]
        yield of_wall(name, [], options[0].split("=")[1] if options else "all", wall, cpu, limit)
    if not everything:
        return
    contracts = sorted(library.glob("*/op_contract.yaml"))

    def all_of_them():
        with ThreadPoolExecutor(2) as two:
            list(two.map(lambda one: compile_one(opc, one, work / "compiled" / one.parent.name), contracts))

    wall, cpu = spent(all_of_them)
    yield of_wall("opc_compile_library", [len(contracts)], "all", wall, cpu, 45e3, cores=2, threads=2)


def of_wall(name, shape, type_, wall, cpu, limit, cores=1, **more):
    """The record of a program's time, in ms, with its upper limit. When a program that got less than 0.8 of its cores
    takes longer, the result is unsure, unless its CPU time alone exceeds the limit."""
    shared = cpu < 0.8 * cores * wall
    return within(name, shape, type_, wall, "ms", limit, cpu_ms=round(cpu, 1), sure=wall <= limit or not shared or cpu > cores * limit,
                  note=f"CPU time {cpu:.0f} ms" + (": the machine was busy" if shared else ""), **more)


class Simulator:
    """Runs operators on the simulator over seeded arrays."""

    def __init__(self, opc, source, work):
        self.opc, self.source, self.work = opc, source, work / "simulated"
        self.work.mkdir()

    def compile(self, name, body):
        folder = self.work / f"{name}_{body}"
        if not folder.exists():
            compile_one(self.opc, self.source / "ops" / "library" / name / "op_contract.yaml", folder, f"--body={body}")
        return folder

    def run(self, name, body, inputs, *extra):
        """`inputs`: arrays by name."""
        given = []
        for key, array in inputs.items():
            path = self.work / f"{key}.npy"
            np.save(path, array)
            given += ["--input", f"{key}=@{path}"]
        call(self.opc, "run", self.compile(name, body), "--device=sim", *given, "--output", f"y=@{self.work / 'y.npy'}",
             *extra)

    def trace(self, name, body, inputs):
        """The events of a run."""
        path = self.work / "trace.json"
        self.run(name, body, inputs, f"--trace={path}")
        return json.loads(path.read_text(encoding="utf-8"))["traceEvents"]


def busy(events):
    """Microseconds of a trace, and for each pipe the share of them in which it works (waiting for a flag is
    not work)."""
    pipes = {e["tid"]: e["args"]["name"].split(":")[0] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    spans = sorted((e["ts"], e["ts"] + e["dur"], e["tid"], e["cat"] == "work") for e in events if e["ph"] == "X")
    begin, end = min(span[0] for span in spans), max(span[1] for span in spans)
    covered, until = {}, {}
    for start, stop, thread, works in spans:
        pipe = pipes[thread]
        if works and stop > until.get(pipe, begin):
            covered[pipe] = covered.get(pipe, 0) + stop - max(start, until.get(pipe, begin))
            until[pipe] = stop
    return end - begin, {pipe: time / (end - begin) for pipe, time in covered.items()}


def simulator_figures(opc, source, work, repeats):
    simulator = Simulator(opc, source, work)
    random = np.random.default_rng(310)

    def normal(*shape):
        return random.normal(0.0, 2.0, shape).astype(np.float16)

    # The time of a run on a million elements minus that of a run on none (start, program, empty files).
    full = {"x1": normal(ELEMENTS), "x2": normal(ELEMENTS)}
    empty = {key: array[:0] for key, array in full.items()}
    found = medians(repeats, full=lambda: simulator.run("add_relu", "aicore", full),
                    empty=lambda: simulator.run("add_relu", "aicore", empty))
    wall, cpu = (found["full"][i] - found["empty"][i] for i in (0, 1))
    yield of_wall("simulator_add_relu", [ELEMENTS], "f16", max(wall, 1e-3), cpu, 50.0)

    rows = normal(1024, 1024)
    vectors = {key: normal(1024) for key in ("gamma", "beta")}
    for name, inputs in (("add_relu", full), ("swish", {"x": full["x1"]}), ("softmax", {"x": rows}),
                         ("layer_norm", {"x": rows, **vectors})):
        cycles, shares = busy(simulator.trace(name, "te", inputs))
        pipe = max(shares, key=shares.get)
        shape = list(next(iter(inputs.values())).shape)
        yield share(f"pipe_busy_{name}", shape, "f16", shares[pipe], 0.9, pipe=pipe, note=f"pipe {pipe}")
        if name in ("add_relu", "swish"):
            by_hand, _ = busy(simulator.trace(name, "aicore", inputs))
            yield record(f"cycles_{name}", shape, "f16", 1, cycles, "simulated us", "hand", by_hand, by_hand / cycles, 1.0)


def product_figures(opc, source, work, repeats, wanted):
    """The time in which the simulator runs a product of 1024 cubed, and the busy share of the pipe that bounds products
    and convolutions."""
    simulator = Simulator(opc, source, work)
    random = np.random.default_rng(310)
    a, b = (random.normal(0.0, 1.0, (1024, 1024)).astype(np.float16) for _ in "ab")
    empty = {"a": a[:0], "b": b}
    for name, options, limit in (("simulator_mat_mul", (), 1000.0), ("simulator_mat_mul_sanitized", ("--sanitize=mem,race,init,sync",), 3000.0)):
        if wanted(name):
            found = medians(repeats, full=lambda: simulator.run("mat_mul", "te", {"a": a, "b": b}, *options),
                            empty=lambda: simulator.run("mat_mul", "te", empty, *options))
            wall, cpu = (found["full"][i] - found["empty"][i] for i in (0, 1))
            yield of_wall(name, [1024, 1024, 1024], "f16", max(wall, 1e-3), cpu, limit)
    for name, shapes in MULTIPLIED:
        if wanted(f"multiplied_{name}"):
            type_ = "int8_int8_float32_float32_float16" if name == "mat_mul_dequant" else "float16"
            attributes = ("pads=0,0,0,0",) if ",1,1;" in shapes else ()
            bound = profiled(opc, source, work, name, type_, shapes, attributes)["bound"]
            yield share(f"multiplied_{name}", [], "f16", bound["busy_share"], 0.9, pipe=bound["pipe"],
                        note=f"{shapes}, pipe {bound['pipe'].upper()}")


def pack_figures(opc, source, work, repeats):
    """`opc pack` of 1 GiB against a copy of the file, in turns, both into a new file: a copy over an old file takes the
    memory that it frees, and a packed file replaces the old one at its end."""
    contract, given, folder = source / "ops" / "library" / "linear" / "op_contract.yaml", work / "weight.npy", work / "packs"
    rows = np.random.default_rng(310).integers(0, 1 << 14, (1024, PACKED[1]), np.uint16).view(np.float16)
    weight = np.lib.format.open_memmap(given, mode="w+", dtype=np.float16, shape=PACKED)
    for begin in range(0, PACKED[0], len(rows)):
        weight[begin:begin + len(rows)] = rows
    del weight
    compile_one(opc, contract, folder)
    weight, copy = work / "weight.opcw", work / "copy.npy"

    def remove():
        for file in (weight, copy):
            file.unlink(missing_ok=True)

    found = medians(repeats, remove, pack=lambda: call(opc, "pack", folder, "--input", f"b=@{given}", "-o", weight),
                    copy=lambda: call("cp", given, copy))
    packed, copied = found["pack"][0], found["copy"][0]
    remove()
    given.unlink()
    yield record("opc_pack", list(PACKED), "f16", 2, packed, "ms", "a copy", copied, copied / packed, 0.7,
                 note=f"CPU time {found['pack'][1]:.0f} ms, of the copy {found['copy'][1]:.0f} ms")


def profiled(opc, source, work, operator, type_, shapes, attributes):
    """What `opc profile` says of a launch on the simulator."""
    contract, given = source / "ops" / "library" / operator / "op_contract.yaml", [f"--attr={one}" for one in attributes]
    done = subprocess.run([str(opc), "profile", str(contract), f"--dtype={type_}", f"--input_shape={shapes}", *given,
                           "--no-effects", "--format=json", f"--cache-path={work / 'profiled'}"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, timeout=600)
    return json.loads(done.stdout.splitlines()[0])


def movement_figures(opc, source, work, wanted):
    """The busy share of the pipe that bounds a movement, and how near transposes come to their bound."""
    for type_, short in (("float16", "f16"), ("float32", "f32")):
        for name, (operator, shapes, attributes) in BLOCKS.items():
            if not wanted(f"moved_{name}"):
                continue
            bound = profiled(opc, source, work, operator, type_, shapes, attributes)["bound"]
            sizes = [int(size) for size in shapes.split(";")[0].split(":")[1].split(",")]
            yield share(f"moved_{name}", sizes, short, bound["busy_share"], 0.9, pipe=bound["pipe"],
                        note=f"{short}, pipe {bound['pipe'].upper()}")
        for name, shapes in GATHERED.items():
            for sizes in shapes if wanted(f"moved_{name}") else ():
                found = profiled(opc, source, work, name, type_, f"x:{sizes}", ("perm=[1,0]",))
                reached = found["roofline"]["roof_share"]
                yield share(f"moved_{name}", [int(size) for size in sizes.split(",")], short, reached, 0.8,
                            note=f"{short}, {sizes.replace(',', ' x ')}, of the {found['roofline']['limit']} bound")


def runtime_figures(program, work):
    """The figures in the output of runtime_bench."""
    (work / "runtime").mkdir()
    lines = subprocess.run([str(program), str(work / "runtime")], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                           check=True, timeout=600).stdout.splitlines()
    found = [json.loads(line) for line in lines]
    launch = {(f["form"], f["threads"], f["tensors"]): f for f in found if f["figure"] == "cached_launch"}
    first, pool, caches = (next(f for f in found if f["figure"] == name) for name in ("first_use", "pool", "caches"))
    for name, form in (("cached_launch", "prepared"), ("one_call_launch", "one_call")):
        few, many = launch[form, 2, 3], launch[form, 2, 16]
        for measured in (few, many):
            more = f"{(many['p50_ns'] - few['p50_ns']) / 13:.1f} ns for each of 13 tensors more" if measured is many else ""
            shape = [measured["tensors"]]
            yield within(f"{name}_p50", shape, "tensors", measured["p50_ns"], "ns", 60.0, threads=2, **shared(measured), note=more)
            yield within(f"{name}_p99", shape, "tensors", measured["p99_ns"], "ns", 200.0, threads=2, **shared(measured))
    yield within("first_use", [1024], "f32", first["p50_ms"], "ms", 0.5)
    saved = 1 - pool["pool_us"] / pool["device_us"]
    yield share("pool_saves", [], "ResNet-50", saved, 0.7,
                note=f"pool {pool['pool_us']:.0f} us, device {pool['device_us']:.0f} us, malloc {pool['malloc_us']:.0f} us")
    yield record("pool_against_malloc", [], "ResNet-50", 1, pool["pool_us"], "us", "malloc", pool["malloc_us"],
                 pool["malloc_us"] / pool["pool_us"], 0, info=True)
    for name, key, unit, goal in (("caches_steady", "", "ms", 6.5), ("caches_first_run", "first_", "ms", 1.0)):
        on, off = caches[f"{key}on_ms"], caches[f"{key}off_ms"]
        yield record(name, [12], "f32", 1, on, unit, "caches off", off, off / on, goal)
    peak = next(f for f in found if f["figure"] == "memory_peak")
    yield record("memory_peak", [12], "f32", 1, peak["pool_mb"], "MB", "no reuse", peak["kept_mb"],
                 peak["kept_mb"] / peak["pool_mb"], 1.0,
                 note=f"resident; memory given back to the system after each operator: {peak['at_once_mb']:.2f} MB")


def shared(figure):
    """The number of batches that were dropped because their thread had to share its core."""
    return {"dropped": figure["dropped"], "turns": figure["kept"], "sure": figure["kept"] >= 100}


def figures(opc, source, work, quick, wanted):
    """Yields the records of figures for whose name `wanted` returns true."""
    repeats = 3 if quick else 9

    def any_of(*names):
        return any(wanted(name) for name in names)

    if any_of(*COMPILE):
        yield from compile_figures(opc, source, work, repeats, not quick)
    if any_of(*SIMULATOR):
        yield from simulator_figures(opc, source, work, repeats)
    if any_of(*PRODUCTS):
        yield from product_figures(opc, source, work, 1 if quick else 3, wanted)
    if any_of("opc_pack") and not quick:
        yield from pack_figures(opc, source, work, 5)
    if any_of(*MOVED):
        yield from movement_figures(opc, source, work, wanted)
    if any_of(*RUNTIME):
        yield from runtime_figures(opc.parent / "runtime_bench", work)

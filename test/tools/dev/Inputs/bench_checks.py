"""The parts of tools/dev/bench that no clock decides: what is dropped, what a goal makes of a ratio, what a comparison
makes of samples, what is said of peers that are absent. Usage: bench_checks.py <tools/dev/bench> [<case>]"""

import hashlib
import math
import os
import pathlib
import sys
import threading
import time
import types

sys.path.insert(0, sys.argv[1])


def expect(found, wanted, what):
    if found != wanted:
        raise SystemExit(f"{what}: expected {wanted!r}, found {found!r}")


def side(name, seconds, kept):
    import race

    return race.Side(name, None, seconds=seconds, kept=kept)


def drops():
    """Samples that shared a core count for nothing while enough others are there; else the figure is not sure."""
    import race

    effort = race.Effort(enough=3)
    ours = side("opc", [1.0, 9.0, 1.0, 1.0, 1.0], [True, False, True, True, True])
    peer = side("peer", [2.0, 2.0, 90.0, 2.0, 2.0], [True, True, False, True, True])
    found = race.ratio(ours, peer, effort)
    expect((found.value, found.turns, found.dropped, found.sure), (2.0, 3, 2, True), "kept turns")
    few = race.ratio(side("opc", [1.0, 4.0, 4.0], [True, False, False]), side("peer", [4.0] * 3, [True] * 3), effort)
    expect((few.value, few.turns, few.sure), (1.0, 1, False), "too few kept turns: all are taken, and it is not sure")

    clocks = race.Clocks(wall=1.0, caller=0.96, process=1.0)
    expect(race.kept(clocks, 1, True, 0, False), False, "the caller had 0.96 of a core")
    expect(race.kept(clocks, 1, False, 0, False), True, "another thread worked for the caller")
    two = race.Clocks(wall=1.0, caller=0.6, process=1.5)
    expect(race.kept(two, 2, True, 0, False), True, "one of two threads rightly idle")
    expect(race.kept(two, 2, True, 0.059, False), True, "its threads waited for less than 0.03 of two cores")
    expect(race.kept(two, 2, True, 0.061, False), False, "its threads waited for more than 0.03 of two cores")
    expect(race.kept(two, 2, True, math.inf, False), False, "a thread had to make room, and nobody says for how long")
    expect(race.kept(two, 2, True, 0, True), False, "other programs wanted the cores")


def crowds():
    """Who else wants a core: own threads that fall asleep between two looks are nobody else, and the kernel's time in
    its queue is there when more threads want to run than there are cores."""
    import race

    def crowded(own, everybody, threads=2, cores=2):
        own, everybody = iter(own), iter(everybody)
        return race.crowded(threads, lambda: next(own), lambda: next(everybody), cores)

    expect(crowded([2, 2], [2]), False, "two threads of ours on two cores")
    expect(crowded([1, 1], [2]), True, "one of ours, and one of another program")
    expect(crowded([1, 1], [2], cores=4), False, "cores for everyone")
    expect(crowded([2, 1, 1, 1], [2, 1]), False, "a thread of ours fell asleep after all were counted")
    expect(crowded([2, 1, 1, 1], [2, 2]), True, "the same, and there is another program")
    expect(crowded([2, 1] * 8, [1] * 8), True, "threads of ours that never rest")
    expect(crowded([1, 1], [None]), False, "a system that does not say")

    began, done = threading.Barrier(3), threading.Barrier(3)

    def work():
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # of this thread alone
        began.wait()
        # hashlib lets other threads run: both want the one core.
        hashlib.pbkdf2_hmac("sha256", b"", b"", 200000)
        done.wait()
        done.wait()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for one in workers:
        one.start()
    queue = race.Queue()
    queue.start()
    began.wait()
    wall = time.perf_counter()
    done.wait()
    wall = time.perf_counter() - wall
    waited = queue.seconds()
    done.wait()
    for one in workers:
        one.join()
    if queue.files:
        expect(waited > 0.3 * wall, True, f"two threads on one core for {wall:.3f} s, {waited:.3f} s of it in its queue")
    queue.close()


def turns():
    """A race goes on until every side has kept enough turns, drops what shared its core, and ends on time."""
    import race

    class Scripted:
        """One in three samples has half of a core; calls take no time."""

        def __init__(self):
            self.runs = 0

        def run(self, repeats):
            self.runs += 1
            return race.Clocks(1e-3 * repeats, 1e-3 * repeats * (0.5 if self.runs % 3 == 0 else 1.0), 1e-3 * repeats)

    sides = [race.Side(name, Scripted()) for name in ("a", "b")]
    race.race(sides, 1, race.Effort(turns=6, enough=2))
    expect(all(sum(one.kept) >= 6 and not all(one.kept) for one in sides), True, "enough turns, some dropped")
    hopeless = race.Side("c", types.SimpleNamespace(run=lambda n: race.Clocks(1.0, 0.0, 0.0)))
    race.race([hopeless], 1, race.Effort(turns=6, enough=2, budget=0.0))
    expect((sum(hopeless.kept), len(hopeless.kept) <= 24), (0, True), "a race that nobody wins ends")


def status():
    """Met, missed, unsure, info; and the schema refuses what is not of it."""
    import record

    def one(ratio, goal, **more):
        return record.record("relu", (8,), "f32", 1, 1, "us", "hand", 1, ratio, goal, **more)

    expect(one(0.95, 0.95)["status"], "met", "at the goal")
    expect(one(0.94, 0.95)["status"], "missed", "below the goal")
    expect(one(2.0, 0.95, sure=False)["status"], "unsure", "met with too few samples")
    expect(one(0.1, 0, info=True)["status"], "info", "without a goal")
    expect(record.broken([one(1, 1)]), [], "a record of the schema")
    for key, value in (("shape", [1.5]), ("shape", None), ("threads", "1"), ("ratio", None), ("goal", "1"),
                       ("status", "fine"), ("name", 3), ("sure", 1)):
        expect(len(record.broken([{**one(1, 1), key: value}])), 1, f"'{key}' of {value!r}")


def absent():
    """A peer that is not installed is told by name, and the others run."""
    import peers

    sys.modules["openvino"] = None
    found, missing = peers.present(types.SimpleNamespace(folder=pathlib.Path("/nowhere")), ["numpy"])
    expect([peer.name for peer in found], ["onnxruntime"], "who is there")
    expect(sorted(missing), ["numpy", "onednn", "openvino"], "who is not")
    expect(missing["onednn"], "libdnnl-dev is not installed", "why")


def cases():
    """What a full run holds: the sizes, types and threads of the figures, at least 60 rows with a goal without any peer
    but NumPy; every operator is one of the library."""
    import workload

    found = workload.cases()
    library = pathlib.Path(sys.argv[1]).parents[2] / "ops" / "library"
    folders = [c.operator.folder or c.operator.name for c in found]
    expect([folder for folder in folders if not (library / folder / "op_contract.yaml").exists()], [], "folders")
    odd = {(n,) for sizes in workload.ODD_SIZES.values() for n in sizes}
    products = {c.shape for c in found if c.operator.product}
    expect(products, {*workload.SQUARES, *workload.LAYERS, *workload.ODD_PRODUCTS, *workload.VECTORS, *workload.FEW_ROWS, *workload.HEADS},
           "matrix products")
    expect({c.shape for c in found if c.operator.conv}, {*workload.CONVOLUTIONS, *workload.DEPTHWISE}, "convolutions")
    expect({c.operator.product for c in found if c.operator.product}, {"nn", "nt", "tn", "tt"}, "orders of operands")
    flat = {c.shape for c in found
            if not c.operator.rows and not c.operator.turns and not c.operator.product and not c.operator.conv
            and not c.operator.moves and c.operator.axis == -1}
    expect(flat, {(n,) for n in workload.SIZES} | odd, "sizes")
    goals = {(c.operator.folder, side, goal) for c in found if c.operator.moves for side, goal in c.operator.moves.goals.items()}
    expect(goals, {*((folder, "ceiling", 0.9) for folder in ("transpose", "slice", "concat", "pad2d", "tile2d")), ("gather", "ceiling", 0.85),
                   ("gather", "ceiling", 0.5), ("cum_sum", "ceiling", 0.8), ("top_k", "onnxruntime", 1.0)}, "goals of movements")
    odd = {shape for shapes in workload.ODD_ROWS.values() for shape in shapes}
    expect({c.shape for c in found if c.operator.rows and not c.operator.positions}, set(workload.ROWS) | odd, "rows")
    expect({(c.shape, c.type) for c in found if c.operator.positions},
           {(shape, type) for shape in workload.LINES for type in ("f32", "f16")}, "rows of positions")
    expect({c.shape for c in found if c.operator.turns}, set(workload.TURNED), "shapes of transposes")
    expect({c.operator.name: {d.shape for d in found if d.operator == c.operator} for c in found if c.operator.axis >= 0},
           {name: set(shapes) for name, shapes in workload.AXES.items()}, "shapes of reductions over other axes")
    expect(({c.type for c in found}, {c.threads for c in found}), ({"f32", "f16", "s8", "u8"}, {1, 2}), "types and threads")
    expect(len({str(c) for c in found}), len(found), "each case once")
    expect(sum(c.threads == 1 and c.operator.steps is not None for c in found) >= 60, True, "60 rows against NumPy alone")


def wrong():
    """A side that computes something else is seen: in the first elements, in the last, and by a NaN."""
    import numpy as np
    import workload
    from onnx import reference

    for name, shape in (("add_relu", (8192,)), ("softmax", (64, 128)), ("reduce_sum", (64, 128)), ("arg_max", (64, 128)), ("gelu", (5000,)), ("mat_mul_nt", (40, 30, 50)),
                        ("packed_mat_mul", (40, 30, 50)), ("packed_conv2d", (6, 9, 4, 3, 2, 2)), ("packed_conv2d", (5, 8, 5, 3, 1, 5))):
        case = workload.Case(workload.OPERATORS[name], shape)
        inputs = workload.inputs_of(case, lambda shape, dtype: np.empty(shape, dtype))
        if case.operator.conv:
            given = {f"x{i}": array for i, array in enumerate(workload.moving(case, inputs))}
            right = reference.ReferenceEvaluator(workload.onnx_model(case, inputs)).run(None, given)[0]
        else:
            right = case.operator.answer(*[array.astype(np.float64) for array in inputs]).astype(np.float32)
        expect(workload.wrong(case, inputs, right), None, f"{name}, right")
        for at, value in ((0, 7.0), (-1, 7.0), (3, np.nan)):
            bent = right.copy()
            bent.reshape(-1)[at] += value
            expect(workload.wrong(case, inputs, bent) is None, False, f"{name}, element {at} off by {value}")


for check in (drops, crowds, turns, status, absent, cases, wrong):
    if sys.argv[2:] in ([], [check.__name__]):
        check()

#!/usr/bin/env python3
"""./dev bench: measures what the project promises, and prints each figure beside its goal.

A figure is a ratio within one run, never a time alone: machines differ, and so does their load. Each measured program
is interleaved with what it is measured against, and medians are taken.

  opc_compile   `opc compile` of one operator, both types and both devices, from a warm page cache. Goal: 200 ms.
                Against: starting `opc` alone, the part no compile can save.
  simulator     `opc run --device=sim` of AddRelu f16 over 1M elements with the default checks, less the time of the
                same run over no elements (start, program, empty files). Goal: 50 ms. Against: NumPy's maximum(a + b, 0).
  cached_launch a prepared launch of a device that does nothing, from two threads at once: what a launch costs on top of its
                kernel. Goals: 60 ns for the median, 200 ns for the 99th percentile of batches, the same for 16 tensors as
                for 3. Against: one thread.
  first_use     an entry of the kernel cache read, checked, loaded and launched, from a warm page cache. Goal: 0.5 ms.
  pool          the share of time that the memory pool saves over mmap and munmap, over the allocations of a
                ResNet-50-sized run that touches every page. Goal: 0.7. Against: malloc's share, for information.
  caches        twelve operators over varying lengths, without caches and pool over with them. Goal: 6.5.
  mte2_busy     the share of the trace in which MTE2 moves data; waiting for a flag is not counted. Goal: 0.9 of the whole.

`ratio` is goal over value for times and value over goal for shares: 1 and above means met. Exits 0 also when a goal is
missed; a program that fails ends the bench with 1.
"""

import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

import numpy as np

ELEMENTS = 1 << 20


def timed(action):
    began = time.perf_counter()
    action()
    return (time.perf_counter() - began) * 1e3


def medians(repeats, **actions):
    """Median milliseconds of each action; the actions take turns, after one round that warms the caches."""
    times = {name: [] for name in actions}
    for turn in range(repeats + 1):
        for name, action in actions.items():
            spent = timed(action)
            if turn:
                times[name].append(spent)
    return {name: statistics.median(values) for name, values in times.items()}


def call(*command):
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        print(" ".join(map(str, command)), done.stdout, done.stderr, sep="\n", file=sys.stderr)
        raise SystemExit(f"bench: the command above ended with exit code {done.returncode}")


def compile_time(opc, source, work, repeats):
    """Records of `opc compile`, one for each operator."""
    for name in ("add_relu", "swish"):
        contract = source / "ops" / "library" / name / "op_contract.yaml"

        def compile_once():
            call(opc, "compile", contract, "--soc_version=Ascend310B", f"--output={work / name}")

        median = medians(repeats, compile=compile_once, start=lambda: call(opc, "--version"))
        yield record(f"opc_compile_{name}", [], "f16+f32", median["compile"], "ms", median["start"], "start of opc", 200.0)


def simulator_time(opc, work, repeats):
    """The record of AddRelu on the simulator; leaves a trace for mte2_busy."""
    random = np.random.default_rng(310)
    arrays = {}
    for size, tag in ((ELEMENTS, "full"), (0, "empty")):
        arrays[tag] = [random.normal(0.0, 2.0, size).astype(np.float16) for _ in range(2)]
        for index, array in enumerate(arrays[tag], 1):
            np.save(work / f"{tag}{index}.npy", array)

    def run(tag, *extra):
        call(opc, "run", work / "add_relu", "--device=sim", "--input", f"x1=@{work / tag}1.npy",
             "--input", f"x2=@{work / tag}2.npy", "--output", f"y=@{work / tag}_y.npy", *extra)

    a, b = arrays["full"]
    median = medians(repeats, full=lambda: run("full"), empty=lambda: run("empty"),
                     numpy=lambda: np.maximum(a + b, np.float16(0)))
    run("full", f"--trace={work / 'trace.json'}")
    return record("simulator_add_relu", [ELEMENTS], "f16", max(median["full"] - median["empty"], 0.0), "ms",
                  median["numpy"], "numpy", 50.0)


def busy_share(trace, pipe):
    """The part of a trace's whole span in which one pipe does work (waiting is none), counting no moment twice."""
    events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    threads = {e["tid"] for e in events
               if e["ph"] == "M" and e["name"] == "thread_name" and e["args"]["name"].startswith(pipe + ":")}
    spans = sorted((e["ts"], e["ts"] + e["dur"], e["tid"] in threads and e["cat"] == "work") for e in events
                   if e["ph"] == "X")
    begin, end = min(span[0] for span in spans), max(span[1] for span in spans)
    covered, until = 0.0, begin
    for start, stop, works in spans:
        if works and stop > until:
            covered += stop - max(start, until)
            until = stop
    return covered / (end - begin)


def record(name, shape, type_, value, unit, ceiling, against, goal):
    met = goal / value if unit in ("ms", "ns") and value > 0 else value / goal
    return {"schema_version": 1, "name": name, "shape": shape, "type": type_, "threads": 1, "value": round(value, 4),
            "unit": unit, "against": against, "against_value": round(ceiling, 4), "ratio": round(met, 3), "goal": goal}


def runtime_figures(program, work):
    """Records of the runtime, from the lines of runtime_bench."""
    lines = subprocess.run([str(program), str(work / "runtime")], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                           check=True, timeout=600).stdout.splitlines()
    found = [json.loads(line) for line in lines]
    launch = {(f["threads"], f["tensors"]): f for f in found if f["figure"] == "cached_launch"}
    first, pool, caches = (next(f for f in found if f["figure"] == name) for name in ("first_use", "pool", "caches"))
    two, one = launch[2, 3], launch[1, 3]
    yield record("cached_launch_p50", [3], "2 threads", two["p50_ns"], "ns", one["p50_ns"], "1 thread", 60.0)
    yield record("cached_launch_p99", [3], "2 threads", two["p99_ns"], "ns", one["p99_ns"], "1 thread", 200.0)
    yield record("cached_launch_p50_16", [16], "2 threads", launch[2, 16]["p50_ns"], "ns", two["p50_ns"], "3 tensors", 60.0)
    yield record("first_use", [1024], "f32", first["p50_ms"], "ms", first["p99_ms"], "99th percentile", 0.5)
    yield record("pool_saves", [], "f32", 1 - pool["pool_us"] / pool["device_us"], "share",
                 1 - pool["malloc_us"] / pool["device_us"], "malloc", 0.7)
    yield record("caches", [12], "f32", caches["off_ms"] / caches["on_ms"], "times",
                 caches["first_off_ms"] / caches["first_on_ms"], "first run", 6.5)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opc", type=pathlib.Path, required=True, help="the program")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for files, made anew")
    parser.add_argument("--json", type=pathlib.Path, help="write the records to this file")
    parser.add_argument("--repeats", type=int, default=11, help="runs of each program (default 11)")
    options = parser.parse_args()
    if options.repeats < 1:
        parser.error(f"--repeats expects 1 or more, found {options.repeats}")

    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    source = pathlib.Path(__file__).resolve().parents[2]
    records = [*compile_time(options.opc, source, options.work, options.repeats),
               simulator_time(options.opc, options.work, options.repeats)]
    records.append(record("mte2_busy_add_relu", [ELEMENTS], "f16", busy_share(options.work / "trace.json", "MTE2"), "share",
                          1.0, "whole trace", 0.9))

    (options.work / "runtime").mkdir()
    records += runtime_figures(options.opc.parent / "runtime_bench", options.work)

    if options.json:
        options.json.write_text(json.dumps(records, indent=2) + "\n", encoding="utf-8")
    print("| figure | type | value | against | goal | goal met |")
    print("|---|---|---:|---|---:|---|")
    for r in records:
        print(f"| {r['name']} | {r['type']} | {r['value']:.3g} {r['unit']} | {r['against']}: {r['against_value']:.3g} "
              f"| {r['goal']:g} | {'yes' if r['ratio'] >= 1 else 'NO'} (ratio {r['ratio']:.2f}) |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

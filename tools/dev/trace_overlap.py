"""How far the pipes of a simulated kernel overlap: shares of the steady state from a trace of `opc run --trace`.

trace_overlap.py TRACE [--json]: prints for each pipe, each pair and all three of MTE2, V and MTE3 the share of the
time in which they work simultaneously. The steady state begins with the first work of the pipe that starts last and
ends with the last load: outside of it a pipe has no work yet or no work left. Waiting for a flag is not work.
"""

import argparse
import itertools
import json
import sys

PIPES = ("MTE2", "V", "MTE3")


def intervals_of(trace):
    """Cycles in which each pipe works: {pipe: [(start, end)]}, in order."""
    names = {}
    for event in trace["traceEvents"]:
        if event["ph"] == "M" and event["name"] == "thread_name":
            names[event["tid"]] = event["args"]["name"].split(":")[0]
    found = {pipe: [] for pipe in PIPES}
    for event in trace["traceEvents"]:
        if event["ph"] == "X" and event.get("cat") == "work" and names.get(event["tid"]) in found:
            start = event["args"]["start_cycle"]
            found[names[event["tid"]]].append((start, start + event["args"]["cycles"]))
    return {pipe: sorted(work) for pipe, work in found.items()}


def busy_together(works, begin, end):
    """Cycles of [begin, end) in which every one of these pipes works."""
    changes = []
    for work in works:
        for start, stop in work:
            start, stop = max(start, begin), min(stop, end)
            if start < stop:
                changes += [(start, 1), (stop, -1)]
    total = count = 0
    last = begin
    for at, change in sorted(changes):
        if count == len(works):
            total += at - last
        count += change
        last = at
    return total


def overlap(trace):
    """Shares of the steady state: {"MTE2": 0.97, "MTE2 V": 0.05, ...} and its bounds in cycles."""
    work = intervals_of(trace)
    if not all(work.values()):
        return {}, (0, 0)
    begin = max(pipe[0][0] for pipe in work.values())
    end = work["MTE2"][-1][1]
    if end <= begin:
        return {}, (begin, end)
    shares = {}
    for size in range(1, len(PIPES) + 1):
        for pipes in itertools.combinations(PIPES, size):
            shares[" ".join(pipes)] = busy_together([work[p] for p in pipes], begin, end) / (end - begin)
    return shares, (begin, end)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trace", help="what `opc run --device=sim --trace=FILE` wrote")
    parser.add_argument("--json", action="store_true", help="one record instead of a table")
    options = parser.parse_args()
    with open(options.trace, encoding="utf-8") as file:
        shares, (begin, end) = overlap(json.load(file))
    if not shares:
        sys.exit("the kernel has no steady state: fewer tiles than pipes, or a pipe without work")
    if options.json:
        print(json.dumps({"schema_version": 1, "begin_cycle": begin, "end_cycle": end, "shares": shares}))
        return
    print(f"steady state: cycle {begin} to {end}")
    for pipes, share in shares.items():
        print(f"  {pipes:<12} {share:6.3f}")


if __name__ == "__main__":
    main()

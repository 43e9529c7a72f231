#!/usr/bin/env python3
"""./dev mutants: mistakes made in the library's kernels, one at a time, held against verifier and sanitizers.

Runs opc_mutants (test/mutants) for each operator, a few at a time, and adds up. Progress goes to stderr. The last line of
stdout is `killed/total`; the scores of verifier and sanitizer stand on the lines before. Exit 1 below all.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time

# test/mutants/Mutations.h defines the kinds.
KINDS = ["flag", "barrier", "half", "join", "move", "id", "address", "swap", "order", "tail", "slot", "stride", "layout", "zeros"]


def arguments():
    parser = argparse.ArgumentParser(prog="./dev mutants", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="OPERATOR", action="append", default=[],
                        help="this operator of the library, by the name of its folder; may be repeated")
    parser.add_argument("--sample", metavar="N", type=int, default=3,
                        help="at most N mutants of each kind a kernel, drawn by the seed; 0: all of them (default 3)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of draws and of inputs (default 1)")
    parser.add_argument("--kernel", metavar="TEXT", default="", help="only kernels with this in their name")
    parser.add_argument("--portable", action="store_true",
                        help="kernels with barriers on the vector pipe, held to the rules of chips that need them")
    parser.add_argument("--jobs", metavar="N", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--list", action="store_true", help="also the scores of each kernel")
    parser.add_argument("--numbers", action="store_true",
                        help="exchanged ops that make another kernel are mutants as well (kind `order`), killed by its results")
    parser.add_argument("--tool", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--library", required=True, type=pathlib.Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.sample < 0 or options.seed < 0 or options.jobs < 1:
        parser.error("expects --sample and --seed of 0 or more and --jobs of 1 or more")
    # Kernels of the AI Core: operators only for the CPU have none.
    known = sorted(path.parent.name for path in options.library.glob("*/op_contract.yaml")
                   if "\n    devices: cpu\n" not in path.read_text(encoding="utf-8"))
    for name in options.only:
        if name not in known:
            parser.error(f"--only expects an operator of {options.library}, found '{name}'")
    options.operators = options.only or known
    return options


def run(options, operator):
    """The records of an operator's kernels, and an error text ("" on success)."""
    command = [options.tool, str(options.library / operator / "op_contract.yaml"), f"--sample={options.sample}",
               f"--seed={options.seed}", f"--kernel={options.kernel}", *(["--numbers"] if options.numbers else []),
               *(["--portable"] if options.portable else [])]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    records = [json.loads(line) for line in result.stdout.splitlines()]
    problem = ""
    if result.returncode != 0:
        problem = result.stderr.strip() or f"opc_mutants ended with {result.returncode}"
    return records, problem


def tell(text):
    print(text, file=sys.stderr, flush=True)


def main():
    options = arguments()
    begin = time.monotonic()
    total = collections.Counter()
    kinds = {kind: [0, 0] for kind in KINDS}
    survivors, problems, kernels, done = [], [], 0, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        # The longest jobs first: operators with many inputs have a kernel for each combination of broadcasts.
        size = {operator: (options.library / operator / "op_contract.yaml").stat().st_size for operator in options.operators}
        futures = {pool.submit(run, options, operator): operator
                   for operator in sorted(options.operators, key=size.get, reverse=True)}
        for future in concurrent.futures.as_completed(futures):
            operator = futures[future]
            records, problem = future.result()
            if problem:
                problems.append(f"{operator}: {problem}")
            own = collections.Counter()
            for record in records:
                kernels += 1
                if "error" in record:
                    problems.append(f"{operator}, {record['kernel']}: {record['error']}")
                    continue
                for key in ("mutants", "killed", "verifier", "sanitizer", "numbers", "same", "other_flow", "impossible"):
                    own[key] += record[key]
                for kind, (killed, count) in record["kinds"].items():
                    kinds[kind][0] += killed
                    kinds[kind][1] += count
                survivors += [f"{record['kernel']}: {text}" for text in record["survivors"]]
                if options.list:
                    print(f"{record['kernel']:<44} {record['killed']}/{record['mutants']}")
            total += own
            done += 1
            tell(f"[{time.monotonic() - begin:3.0f}s] {done} of {len(futures)} operators: {operator}, "
                 f"{len(records)} kernels, {own['killed']}/{own['mutants']}")
    for survivor in sorted(survivors):
        print(f"survives: {survivor}")
    for problem in sorted(problems):
        print(f"error: {problem}")
    print(f"{kernels} kernels of {len(options.operators)} operators, seed {options.seed}, "
          f"{time.monotonic() - begin:.0f} s")
    print(f"no mutants: {total['same']} leave accesses and order as they were, {total['other_flow']} exchanged ops "
          f"make another kernel that is in order{' and has the same results' if options.numbers else ''}, "
          f"{total['impossible']} cannot be made")
    for kind, (killed, count) in kinds.items():
        if count:
            print(f"{kind + ':':<10} {killed}/{count}")
    print(f"verifier:  {total['verifier']}/{total['mutants']}")
    print(f"sanitizer: {total['sanitizer']}/{total['mutants']}")
    if options.numbers:
        print(f"numbers:   {total['numbers']}/{kinds['order'][1]}")
    print(f"{total['killed']}/{total['mutants']}")
    return 0 if total["mutants"] and total["killed"] == total["mutants"] and not problems else 1


if __name__ == "__main__":
    sys.exit(main())

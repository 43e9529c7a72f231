#!/usr/bin/env python3
"""Feeds broken files to a command and holds it to its promise: no crash, no hang, nothing on stdout but records, and an
error code for each file that it refuses.

    mutate.py --opc=build/bin/opc --kind=contract --count=500 --seed=1 SEED_CONTRACT...

A kind is a class with `mutant(random)`, `place(folder, data)` and `command(opc, path)`; what the command refuses has to end
with one of the exit codes of its errors. A file that failed is kept, and its path is told.
"""

import argparse
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from contract_mutator import ContractMutator

TIMEOUT = 20  # seconds; one contract takes milliseconds
CODE = re.compile(r"^OPC-E\d{4}$")


class Contracts(ContractMutator):
    """Contracts, read by `opc contract check`. The files that a seed names are there, so that a mutant's own mistake is the
    only one."""

    exits = {3}

    def __init__(self, seeds):
        super().__init__([seed.read_text() for seed in seeds])
        self.files = sorted({name for text in self.texts
                             for name in re.findall(r"^[ -]*(?:file|reference|schedule): (\S+)$", text, flags=re.M)})

    def place(self, folder, data):
        for name in self.files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).touch()
        path = folder / "op_contract.yaml"
        path.write_bytes(data)
        return path

    def command(self, opc, path):
        return [opc, "contract", "check", "--format=json", str(path)]


KINDS = {"contract": Contracts}


def problem(kind, done, path):
    """What the command did wrong, or None."""
    if done.returncode < 0:
        return f"ended by signal {-done.returncode}"
    if done.returncode not in kind.exits | {0}:
        return f"exit code {done.returncode}"
    try:
        records = [json.loads(line) for line in done.stdout.splitlines()]
    except ValueError as error:
        return f"stdout is not JSON: {error}"
    errors = [record for record in records if record.get("severity") == "error"]
    if done.returncode == 0:
        return "errors, and exit code 0" if errors else None
    if not errors:
        return "refused without an error"
    for error in errors:
        if not CODE.match(error["code"]) or not error["message"]:
            return f"an error without code or message: {error}"
        if error["file"] != str(path):
            return f"an error in another file: {error}"
    return None


def run(kind, opc, data, keep):
    """(whether the file was refused, what went wrong or None)"""
    with tempfile.TemporaryDirectory(prefix="opc-fuzz-") as name:
        path = kind.place(pathlib.Path(name), data)
        try:
            done = subprocess.run(kind.command(opc, path), stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            done, wrong = None, f"no answer within {TIMEOUT} s"
        else:
            wrong = problem(kind, done, path)
        if wrong:
            shutil.copy(path, keep)
            if done:
                wrong += "\n" + done.stderr.decode("utf-8", "replace")[-2000:]
        return done is not None and done.returncode != 0, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opc", required=True)
    parser.add_argument("--kind", choices=sorted(KINDS), required=True)
    parser.add_argument("--count", type=int, default=500, help="files that have to be refused")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default=".", help="folder for files that failed")
    parser.add_argument("seeds", nargs="+", type=pathlib.Path)
    options = parser.parse_args()

    kind = KINDS[options.kind](options.seeds)
    refused = accepted = failed = 0
    # A mutant may still be right; those do not count, and may not be the rule.
    while refused < options.count and accepted <= options.count:
        number = refused + accepted
        data = kind.mutant(random.Random(options.seed * 1_000_003 + number))
        keep = pathlib.Path(options.keep) / f"failed-{options.kind}-{options.seed}-{number}"
        was_refused, wrong = run(kind, options.opc, data, keep)
        refused += was_refused or bool(wrong)
        accepted += not was_refused and not wrong
        if wrong:
            failed += 1
            print(f"{options.kind} {number}: {wrong}\n  kept as {keep}")
    print(f"{options.kind}: {refused} broken files, {failed} failures, {accepted} still right")
    return 1 if failed or refused < options.count else 0


if __name__ == "__main__":
    sys.exit(main())

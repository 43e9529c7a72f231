#!/usr/bin/env python3
"""Runs the operators of corpus/, laid out as msopgen lays them out, through `opc run --source`.

A folder has op_kernel/<name>.cpp, op_host/<name>.cpp and <name>_tiling.h, reference.py (NumPy, as `opc test` takes it)
and cases.py with

  CASES      launches, made with inputs.py
  TOLERANCE  {type: (relative, absolute)}; a type that is missing has to be equal
  REMARKS    rules of the remarks that the correct form gets; any other finding is a failure
  REFUSED    "code rule": the first error that the correct form gets although it is right. The operator is then no test
             of results; once opc takes it, this test fails until the line is deleted.

Kernel or host file hold two wrong forms, chosen by --define=WRONG=1 and 2 and run on the first case. A line
`// finds 1: OPC-E0574 race_c1` says that the code line below it gets the first error of form 1;
`// finds 1: wrong result` says that this line is behind outputs that differ from the reference without a finding. A `;`
stands between two of them.

Each launch costs two runs of the compiler. So by default a seeded sample runs: --correct operators in their correct
form on one of their cases, and --wrong wrong forms; OPC_TEST_SEED chooses, else the day. All cases, all wrong forms
and two adversarial orders run with --full. --shard=I/N takes every N-th operator, --only=NAME one.
"""

import argparse
import datetime
import importlib.util
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import numpy as np

import inputs

CORPUS = pathlib.Path(__file__).parent / "corpus"
MARK = re.compile(r"finds (\d): (OPC-E\d+(?: \w+)?|wrong result)(?:; |$)")
FINDING = re.compile(r"^(?:(?P<file>[^\s:][^:]*):(?P<line>\d+):(?:\d+:)? )?(?P<severity>error|warning|remark): "
                     r"(?P<code>OPC-E\d+)?:? ?(?:\[(?P<rule>\w+)\])?")
SANITIZE = "--sanitize=mem,race,init,sync"


def load(path):
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def marks(folder):
    """What each wrong form has to get: (file, line, "code rule" or "wrong result")."""
    found = {}
    for file in sorted(folder.glob("op_*/*")):
        waiting = []
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if line.lstrip().startswith("// finds "):
                waiting += MARK.finditer(line)
            elif not line.startswith("#"):
                found.update({int(match[1]): (file, number, match[2]) for match in waiting})
                waiting = []
    return found


class Finding:
    def __init__(self, match, text):
        self.severity, self.rule, self.text = match["severity"], match["rule"] or "", text
        self.place = (pathlib.Path(match["file"]).resolve(), int(match["line"])) if match["file"] else None
        self.name = f"{match['code'] or ''} {self.rule}".strip()


class Launch:
    """One `opc run` of an operator: its exit code, its findings and its outputs by name."""

    def __init__(self, opc, folder, case, outputs, options=()):
        with tempfile.TemporaryDirectory() as name:
            work = pathlib.Path(name)
            command = [opc, "run", "--source", str(folder), SANITIZE, *options]
            for tensor, value in case["tensors"].items():
                np.save(work / tensor, value)
                command += ["--input", f"{tensor}=@{work / tensor}.npy"]
            for output in outputs:
                command += ["--output", f"{output}=@{work / output}.out.npy"]
            for attribute, value in case["attributes"].items():
                command += ["--attr", f"{attribute}={value if isinstance(value, str) else json.dumps(value)}"]
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
            self.code, self.text = done.returncode, done.stderr
            lines = done.stderr.splitlines()
            self.findings = [Finding(match, line) for line in lines if (match := FINDING.match(line))]
            files = {output: work / f"{output}.out.npy" for output in outputs}
            self.outputs = {output: np.load(file) for output, file in files.items() if file.exists()}

    def first_error(self):
        return next((finding for finding in self.findings if finding.severity == "error"), None)


class Operator:
    def __init__(self, opc, folder):
        self.opc, self.folder, self.name = opc, folder, folder.name
        self.reference = load(folder / "reference.py").reference
        table = load(folder / "cases.py")
        self.cases, self.tolerance = table.CASES, getattr(table, "TOLERANCE", {})
        self.remarks, self.refused = getattr(table, "REMARKS", []), getattr(table, "REFUSED", None)
        self.marks = marks(folder)

    def expected(self, case):
        with np.errstate(all="ignore"):
            found = self.reference(case["tensors"], case["attributes"])
        return {name: np.asarray(value) for name, value in found.items()}

    def differs(self, launch, expected):
        """The outputs that are missing or not near the reference."""
        return [name for name, value in expected.items()
                if name not in launch.outputs or not inputs.near(
                    launch.outputs[name], value, self.tolerance.get(launch.outputs[name].dtype.name))]

    def correct(self, number, options=()):
        """Why the correct form fails on a case; None when it does not."""
        case = self.cases[number]
        expected = self.expected(case)
        launch = Launch(self.opc, self.folder, case, expected, options)
        if self.refused:
            first = launch.first_error()
            if first is None and launch.code == 0:
                return "is taken now: delete REFUSED in cases.py"
            return None if first and first.name == self.refused else f"expects {self.refused}:\n{launch.text}"
        told = [finding.text for finding in launch.findings
                if finding.severity != "remark" or finding.rule not in self.remarks]
        if told or launch.code != 0:
            return f"expects no finding, found exit code {launch.code} and:\n{launch.text}"
        wrong = self.differs(launch, expected)
        return f"expects outputs near the reference, found others: {wrong}" if wrong else None

    def wrong(self, form):
        """Why a wrong form is not found as its mark says; None when it is."""
        file, line, what = self.marks[form]
        expected = self.expected(self.cases[0])
        launch = Launch(self.opc, self.folder, self.cases[0], expected, [f"--define=WRONG={form}"])
        first = launch.first_error()
        if what == "wrong result":
            if first is None and launch.code == 0 and self.differs(launch, expected):
                return None
            return f"expects a wrong result of line {line}, no error; found exit code {launch.code}:\n{launch.text}"
        if first is None or first.name != what or first.place != (file.resolve(), line):
            return f"expects {what} at {file.name}:{line}, found:\n{launch.text or 'nothing'}"
        return None


def tasks(operators, options):
    """(what it is, a function that returns why it fails or None)."""
    chance = random.Random(options.seed)
    cases = [(operator, number) for operator in operators
             for number in range(1 if operator.refused else len(operator.cases))]
    wrongs = [(operator, form) for operator in operators if not operator.refused for form in (1, 2)]
    if not options.full:
        chosen = chance.sample(operators, min(options.correct, len(operators)))
        cases = [chance.choice([case for case in cases if case[0] is operator]) for operator in chosen]
        wrongs = chance.sample(wrongs, min(options.wrong, len(wrongs)))
    for operator, number in cases:
        yield f"{operator.name} case {number}", lambda o=operator, n=number: o.correct(n)
        if options.full and number == 0 and not operator.refused:
            for seed in (1, 2):
                order = ["--order=adversarial", f"--seed={seed}"]
                yield f"{operator.name} order {seed}", lambda o=operator, s=order: o.correct(0, s)
    for operator, form in wrongs:
        yield f"{operator.name} wrong {form}", lambda o=operator, f=form: o.wrong(f)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opc", required=True)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--correct", type=int, default=3)
    parser.add_argument("--wrong", type=int, default=1)
    today = datetime.date.today().toordinal()
    parser.add_argument("--seed", type=int, default=int(os.environ.get("OPC_TEST_SEED") or today))
    parser.add_argument("--shard", default="0/1")
    parser.add_argument("--only")
    options = parser.parse_args()

    folders = sorted(path.parent.parent for path in CORPUS.glob("*/op_kernel/*.cpp"))
    if options.only:
        folders = [folder for folder in folders if folder.name == options.only]
    shard, shards = map(int, options.shard.split("/"))
    operators = [Operator(options.opc, folder) for folder in folders[shard::shards]]
    failed = done = 0
    for operator in operators:
        if set(operator.marks) != {1, 2}:
            failed += 1
            print(f"{operator.name}: expects a mark `// finds` for both wrong forms, found {sorted(operator.marks)}")
    for name, task in tasks(operators, options):
        why = task()
        done += 1
        if why:
            failed += 1
            print(f"{name}: {why}", flush=True)
    refused = [operator.name for operator in operators if operator.refused]
    print(f"{len(operators)} operators, {done} launches, {failed} failures, seed {options.seed}; refused though right: "
          f"{', '.join(refused) or 'none'}")
    return 1 if failed or not operators else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Checks that every labelled rule is described and tested by name.

A rule has a label, `placed_c18`, in the error that reports it: "[placed_c18] expects ..." at an op or in the summary of
a type constraint, or "placed_c18" as the rule of a diagnostic. Rule number NN of contracts, a line of Rules.def, is
contract_cNN, and is reported where a source names it. A rule that no test names can be lost unnoticed, one that no
source reports is lost already, and a label in a test's expectation that no source reports any more checks nothing.

Descriptions are in docs/reference, which is generated from .td files, runtime/diagnostic/codes/Rules.def and contract.def:
"(placed_c18) the flat tile ...", "`launch_c3`: ..." or the first cell of a table.

With --explain=PROGRAM it runs `PROGRAM explain` instead for every label that a source reports and for every
"OPC-E0320 [placed_c18]" that a test or a page expects: the label must have an explanation under that code.

Prints `label: where` for each breach and exits 1 when there is one.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

FOLDERS = ("runtime", "ops", "dialect", "lowering", "tools")
SOURCES = {".h", ".cpp", ".py", ".td"}
TESTS = {".h", ".cpp", ".c", ".py", ".test", ".mlir", ".yaml", ".md", ".txt"}
LABEL = r"[a-z]+(?:_[a-z]+)*_c[0-9]+"
REPORTED = re.compile(rf'\[({LABEL})\]|"({LABEL})"')
NAMED = re.compile(rf"(?<![a-z0-9_])({LABEL})(?![0-9a-z])")

CONTRACT_RULES = "ops/contract/Rules.def"
CONTRACT_RULE = re.compile(r"OPC_CONTRACT_RULE\((\w+), 02([0-9]{2})\)")
CONTRACT_USE = re.compile(r"\bContractRule::(\w+)")

DESCRIBED = re.compile(rf"\(({LABEL})\)|^\* `({LABEL})`: |^\| `({LABEL})` \|", re.M)

# What a lit test or a list of messages expects of an error.
EXPECTED = re.compile(rf"\\?\[({LABEL})\\?\]")

# In the form of messages, also in patterns of FileCheck.
PAIR = re.compile(rf"(OPC-E[0-9]{{4}})(?::error)? \\?\[({LABEL})\\?\]")

# Rules that a test cannot break, and why.
UNTESTED = {
    "sim_c44": "the host has no 256 KiB left",
    "ascendc_c13": "65,000 lines with a call each take a compiler longer than a test has",
}


def files(root, folders, suffixes):
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in suffixes and path.is_file():
                yield path


def reported(root):
    """Labels that sources report, with the first location of each."""
    labels = {}
    for path in files(root, FOLDERS, SOURCES):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for match in REPORTED.finditer(line):
                labels.setdefault(match[1] or match[2], f"{path.relative_to(root)}:{number}")
    return labels | contract_rules(root)


def contract_rules(root):
    """Labels of the rules of contracts that a source names, with the first location of each."""
    numbers = dict(CONTRACT_RULE.findall((root / CONTRACT_RULES).read_text(encoding="utf-8")))
    labels = {}
    for path in files(root, FOLDERS, SOURCES):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for name in CONTRACT_USE.findall(line):
                if name in numbers:
                    labels.setdefault(f"contract_c{int(numbers[name])}", f"{path.relative_to(root)}:{number}")
    return labels


def expected(root):
    """Labels in the expectations of lit tests and lists of messages, with the first file of each."""
    labels = {}
    for path in files(root, ("test",), {".test", ".mlir", ".txt"}):
        for label in EXPECTED.findall(path.read_text(encoding="utf-8", errors="replace")):
            labels.setdefault(label, path.relative_to(root))
    return labels


def named(root):
    labels = set()
    for path in files(root, ("test",), TESTS):
        labels.update(NAMED.findall(path.read_text(encoding="utf-8", errors="replace")))
    return labels


def described(root):
    labels = set()
    for path in files(root, ("docs/reference",), {".md"}):
        for match in DESCRIBED.finditer(path.read_text(encoding="utf-8")):
            labels.add(match[1] or match[2] or match[3])
    return labels


def check(root):
    rules, tests, pages = reported(root), named(root), described(root)
    problems = [f"{label}: {place} reports a rule that no test names" for label, place in sorted(rules.items())
                if label not in tests and label not in UNTESTED]
    problems += [f"{label}: {place} reports a rule that no page of docs/reference describes" for label, place in
                 sorted(rules.items()) if label not in pages]
    problems += [f"{label}: docs/reference describes a rule that no source reports" for label in sorted(pages) if label not in rules]
    problems += [f"{label}: {path} expects a rule that no source reports" for label, path in sorted(expected(root).items())
                 if label not in rules]
    problems += [f"{label}: has a test and is listed as untested" for label in sorted(UNTESTED) if label in tests]
    problems += [f"{label}: is listed as untested and is no rule" for label in sorted(UNTESTED) if label not in rules]
    return problems


def explained(program, labels):
    """The codes of each label that `opc explain` knows; each answer has the label that it is for."""
    done = subprocess.run([program, "explain", "--format=json", *labels], capture_output=True, text=True)
    codes = collections.defaultdict(set)
    for line in done.stdout.splitlines():
        record = json.loads(line)
        codes[record["rule"]].add(record["code"])
    return codes


def check_explained(root, program):
    rules, pairs = reported(root), {}
    for path in files(root, ("test", "docs"), TESTS):
        if "diagnostic" in path.parts:
            continue  # tests of the printer use made-up pairs
        for code, label in PAIR.findall(path.read_text(encoding="utf-8", errors="replace")):
            pairs.setdefault((label, code), path.relative_to(root))
    codes = explained(program, sorted(set(rules) | {label for label, _ in pairs}))
    problems = [f"{label}: {place} reports a rule that 'opc explain' does not know" for label, place in sorted(rules.items())
                if not codes[label]]
    problems += [f"{label}: {path} has it under {code}, 'opc explain' under {', '.join(sorted(codes[label])) or 'none'}"
                 for (label, code), path in sorted(pairs.items()) if code not in codes[label]]
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--explain", metavar="PROGRAM", help="opc, which is asked to explain every label")
    arguments = parser.parse_args()
    problems = check_explained(arguments.root, arguments.explain) if arguments.explain else check(arguments.root)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

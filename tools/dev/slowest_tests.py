#!/usr/bin/env python3
"""Prints the slowest tests of a run, from the JUnit file that ctest writes: seconds of each, and of all together. A group of
lit tests counts by its files, whose times are in the file of the group in the folder --lit."""

import argparse
import pathlib
import xml.etree.ElementTree

SHOWN = 10


def cases_of(text):
    """Seconds and element of each test in a JUnit file."""
    return [(float(case.get("time") or 0), case) for case in xml.etree.ElementTree.fromstring(text).iter("testcase")]


def files_of(report):
    """Seconds and name of each file of a group of lit tests that was run; nothing if the group left no report."""
    if not report.is_file():
        return []
    # lit has the folder of a file as its class, behind the suite's name.
    return [(seconds, f"lit.{case.get('classname', '').partition('.')[2]}/{case.get('name', '')}")
            for seconds, case in cases_of(report.read_text(encoding="utf-8")) if case.find("skipped") is None]


def slowest(text, lit):
    """The lines to print: the total time in seconds, then the slowest tests."""
    total, cases = 0.0, []
    for seconds, case in cases_of(text):
        name = case.get("name", "")
        total += seconds
        cases += (files_of(lit / (name.replace("/", ".") + ".xml")) if lit and name.startswith("lit.") else []) or [(seconds, name)]
    lines = [f"{total:.0f} s in {len(cases)} tests, the slowest:"]
    return lines + [f"{seconds:8.1f} s  {name}" for seconds, name in sorted(cases, key=lambda case: (-case[0], case[1]))[:SHOWN]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=pathlib.Path, help="tests.xml of a build")
    parser.add_argument("--lit", type=pathlib.Path, help="folder with the reports of lit's groups")
    arguments = parser.parse_args()
    print("\n".join(slowest(arguments.file.read_text(encoding="utf-8"), arguments.lit)))


if __name__ == "__main__":
    main()

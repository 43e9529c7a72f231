#!/usr/bin/env python3
"""Prints the slowest tests of a run, from the JUnit file that ctest writes: seconds of each, and of all together."""

import argparse
import pathlib
import xml.etree.ElementTree

SHOWN = 10


def slowest(text):
    """The lines to print: the total time in seconds, then the slowest tests."""
    cases = [(float(case.get("time") or 0), case.get("name", "")) for case in xml.etree.ElementTree.fromstring(text).iter("testcase")]
    lines = [f"{sum(seconds for seconds, _ in cases):.0f} s in {len(cases)} tests, the slowest:"]
    return lines + [f"{seconds:8.1f} s  {name}" for seconds, name in sorted(cases, key=lambda case: (-case[0], case[1]))[:SHOWN]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=pathlib.Path, help="tests.xml of a build")
    print("\n".join(slowest(parser.parse_args().file.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main()

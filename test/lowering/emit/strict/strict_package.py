#!/usr/bin/env python3
"""Builds the package that the strict tests share: of each third operator, by OPC_TEST_SEED; of all with OPC_TEST_FULL=1."""

import argparse
import pathlib
import shutil
import subprocess
import sys

import strict


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--opc", required=True, help="the program to build with")
    parser.add_argument("--output", type=pathlib.Path, required=True, help="folder of the package")
    parser.add_argument("contracts", nargs="+", help="op_contract.yaml of each operator")
    options = parser.parse_args()
    shutil.rmtree(options.output, ignore_errors=True)  # another seed packs other operators
    packed = strict.packed(options.contracts)
    print(f"packs {len(packed)} of {len(options.contracts)} operators", flush=True)
    return subprocess.run([options.opc, "pkg", "build", *packed, "--prefix=My", "--vendor=strict", "--version=1.0.0",
                           "--cpu-levels=v3", f"--output={options.output}"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

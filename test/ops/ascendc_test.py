"""The emitted Ascend C of one operator beside its simulator programs, every body of it: see AscendCTrace.cpp."""

import argparse
import re
import pathlib
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--opc", required=True, help="the program to compile with")
    parser.add_argument("--trace", required=True, help="the program ascendc_trace")
    parser.add_argument("--contract", required=True, help="op_contract.yaml of the operator")
    parser.add_argument("--full", action="store_true", help="every size and shape of every type row")
    parser.add_argument("--compile", action="append", default=[], help="an option for opc compile")
    arguments = parser.parse_args()
    text = pathlib.Path(arguments.contract).read_text(encoding="utf-8")
    bodies = re.findall(r"^\s*- level:\s*(te|aicore)\b", text, re.MULTILINE)
    if not bodies:
        print("FAILED: the contract names no body")
        return 1
    failed = False
    for body in bodies:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([arguments.opc, "compile", arguments.contract, "--soc_version=Ascend310B1", f"--body={body}",
                            f"--output={folder}/out", *arguments.compile], check=True)
            command = [arguments.trace, f"{folder}/out", arguments.contract, *(["--full"] if arguments.full else [])]
            failed = subprocess.run(command, check=False).returncode != 0 or failed
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

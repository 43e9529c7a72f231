"""The emitted Ascend C of one operator beside its simulator programs, every body of it: see AscendCTrace.cpp. Of its type rows,
each of which takes a compiler a second or two, OPC_TEST_SEED chooses every third, since they have the same kernels but for the
types of calls, which strict.kernels holds against the toolkit's; --full takes all.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile


def compile_source(arguments, body, rows, folder):
    """Compiles a body into folder/out: a third of its rows that has kernels for the AI Core."""
    first = int(os.environ.get("OPC_TEST_SEED", "1"))
    samples = [arguments.compile]
    if not arguments.full and not arguments.compile:
        thirds = [rows[(first + third) % 3::3] for third in range(3)]
        samples = [[f"--dtype={','.join(third)}"] for third in thirds if third]
    for options in samples:
        subprocess.run([arguments.opc, "compile", arguments.contract, "--soc_version=Ascend310B1", f"--body={body}",
                        "--cpu-levels=v3", f"--output={folder}/out", *options], check=True)
        if os.path.isdir(f"{folder}/out/ascendc"):
            return


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--opc", required=True, help="the program to compile with")
    parser.add_argument("--trace", required=True, help="the program ascendc_trace")
    parser.add_argument("--contract", required=True, help="op_contract.yaml of the operator")
    parser.add_argument("--full", action="store_true", help="every size and shape of every type row")
    parser.add_argument("--compile", action="append", default=[], help="an option for opc compile")
    arguments = parser.parse_args()
    checked = subprocess.run([arguments.opc, "contract", "check", arguments.contract, "--format=json"], stdout=subprocess.PIPE,
                             text=True, check=True)
    bodies = {}
    for body in json.loads(checked.stdout)["bodies"]:
        bodies.setdefault(body["level"], []).extend(body["types"])
    failed = False
    for body, rows in bodies.items():
        with tempfile.TemporaryDirectory() as folder:
            compile_source(arguments, body, rows, folder)
            command = [arguments.trace, f"{folder}/out", arguments.contract, *(["--full"] if arguments.full else [])]
            failed = subprocess.run(command, check=False).returncode != 0 or failed
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

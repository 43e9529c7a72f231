"""Makes each stage of a compilation fail in turn, by OPC_TEST_FAIL_STAGE, under every command that compiles:
stage_failures.py CONTRACT FOLDER PYTHON.

The stages are those that `opc compile --timing` names, so that a new one is tested from its first day. A stage that fails
without a word is an internal error (70); one that tells an error and says that it is done is a failure all the same. No
command leaves anything behind, and what was there before stays as it was.
"""

import filecmp
import json
import os
import pathlib
import shutil
import subprocess
import sys

contract, folder, python = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
chip = "--soc_version=Ascend310B"


def opc(*arguments, stage=""):
    environment = dict(os.environ, ASCEND_CACHE_PATH=str(folder / "cache"), OPC_TEST_FAIL_STAGE=stage)
    return subprocess.run(["opc", *map(str, arguments)], env=environment, capture_output=True, text=True, check=False)


def same(one, other):
    names = lambda path: sorted(str(file.relative_to(path)) for file in path.rglob("*") if file.is_file())
    return names(one) == names(other) and all(filecmp.cmp(one / name, other / name, shallow=False) for name in names(one))


def expect(condition, what, result):
    if not condition:
        sys.exit(f"{what}: exit code {result.returncode}\n{result.stdout}{result.stderr}")


def stages_of(body):
    """The stages of a compilation, with what the command itself does before and behind them left out."""
    result = opc("compile", contract, chip, f"--body={body}", "--timing", "--format=json", "-o", folder / body)
    expect(result.returncode == 0, "the compilation without a fault", result)
    stages = [stage for stage in json.loads(result.stdout)["milliseconds"] if stage not in ("contract", "write")]
    expect(len(stages) >= 6, f"only the stages {stages}", result)
    return stages


def check_compile(body, stage, told):
    """Into a folder that holds an earlier result, or, where the stage tells an error, into a new one."""
    place, before, new = folder / body, folder / "before", folder / "new"
    shutil.copytree(place, before)
    result = opc("compile", contract, chip, f"--body={body}", "-o", new if told else place,
                 stage=stage + (":told" if told else ""))
    what = f"compile, {body}, '{stage}'{' told' if told else ''}"
    expect(result.returncode == 70, what, result)
    expect("OPC-E0900" in result.stderr and f"the stage '{stage}'" in result.stderr, what + ": no reason", result)
    expect("compiled '" not in result.stderr, what + ": says that it is done", result)
    expect(same(place, before) and not new.exists(), what + ": files changed", result)
    shutil.rmtree(before)


def check_command(stage, *arguments, made=None):
    result = opc(*arguments, stage=stage)
    what = f"{arguments[0]} {arguments[1]}, '{stage}'"
    expect(result.returncode == 70 and f"the stage '{stage}'" in result.stderr, what, result)
    expect(made is None or not made.exists(), what + f": left {made}", result)


def main():
    listed = folder / "list.json"
    listed.write_text(json.dumps({"schema_version": 1, "kernels": [{"contract": contract, "types": ["float32", "float32"]}]}))
    for body in ("te", "aicore"):
        for stage in stages_of(body):
            for told in (False, True):
                check_compile(body, stage, told)
    stages = stages_of("te")
    for stage in (stages[0], stages[len(stages) // 2], stages[-1]):
        check_command(stage, "pkg", "build", contract, "--version=1.0.0", "--prefix=My", "-o", folder / "pkg", made=folder / "pkg")
        check_command(stage, "bench", contract, "--dtype=float32", "--runs=1", "-o", folder / "bench.json", made=folder / "bench.json")
        check_command(stage, "warmup", listed)
        check_command(stage, "test", contract, "--dtype=float32", "--sizes=1", "--body=te", f"--python={python}")
    # What is tested on the simulator alone is compiled for it alone.
    for body in ("te", "aicore"):
        for stage in ("cpu ir", "cpu"):
            result = opc("test", contract, "--device=sim", "--dtype=float32", "--sizes=1", "--seeds=1", f"--body={body}",
                         f"--python={python}", stage=stage)
            expect(result.returncode == 0, f"test --device=sim, {body}, '{stage}'", result)
    for stage in ("import", "te", "schedule", "passes", "tiling"):
        check_command(stage, "compile", contract, chip, "--explain-schedule")
        if stage != "tiling":
            check_command(stage, "compile", contract, chip, "--stop-after=synced", "-o", folder / "module", made=folder / "module")
    left = sorted(path.name for path in folder.iterdir())
    if left != ["aicore", "cache", "list.json", "te"] and left != ["aicore", "list.json", "te"]:
        sys.exit(f"left behind: {left}")


main()

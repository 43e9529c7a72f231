#!/usr/bin/env python3
"""Feeds broken files to a command and holds it to its promise: no crash, no hang, nothing on stdout but records, and an
error code for each file that it refuses.

    mutate.py --opc=build/bin/opc --kind=contract --count=500 --seed=1 SEED_CONTRACT...

A kind is a class with `files(random)`, the files of an operator's folder by name with one of them broken, and
`command(opc, folders)`, for up to `together` folders at once; what the command refuses has to end with one of the exit codes
of its errors. A folder that failed is kept, and its path is told.
"""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from body_mutator import BodyMutator, TeBodyMutator
from contract_mutator import ContractMutator
from json_mutator import JsonMutator

TIMEOUT = 30  # seconds; a contract takes milliseconds, a body some tens of them
MOST_FAILURES = 10
CODE = re.compile(r"^OPC-E\d{4}$")
CONTRACT = "op_contract.yaml"


def named_files(text):
    """Names of the files that a contract names."""
    return re.findall(r"^[ -]*(?:file|reference|schedule): (\S+)$", text, flags=re.M)


class Contracts:
    """Contracts, read by `opc contract check`. The files that a seed names are there, so that a mutant's own mistake is the
    only one."""

    exits = {3}
    together = 25

    def __init__(self, seeds):
        texts = [seed.read_text() for seed in seeds]
        self.mutator = ContractMutator(texts)
        self.others = {name: b"" for text in texts for name in named_files(text)}

    def files(self, random):
        return {**self.others, CONTRACT: self.mutator.mutant(random)}

    def command(self, opc, folders):
        return [opc, "contract", "check", "--format=json", *(str(folder / CONTRACT) for folder in folders)]


class Bodies:
    """Bodies of right contracts, compiled as far as there are decisions to make."""

    exits = {3, 4, 5}
    together = 1
    foreign = None
    level, mutator = "aicore", BodyMutator

    def __init__(self, seeds):
        self.operators = []
        for seed in seeds:
            paths = {name: seed.parent / name for name in named_files(seed.read_text())}
            others = {CONTRACT: seed.read_bytes(),
                      **{name: path.read_bytes() if path.exists() else b"" for name, path in paths.items()}}
            self.operators += [(others, name) for name in others if self.is_body(name)]
        self.mutator = self.mutator([others[name].decode() for others, name in self.operators])

    def is_body(self, name):
        return name.endswith(".aicore.mlir")

    def files(self, random):
        others, name = random.choice(self.operators)
        return {**others, name: self.mutator.mutant(random, others[name].decode())}

    def command(self, opc, folders):
        folder, = folders
        return [opc, "compile", str(folder / CONTRACT), "--soc_version=Ascend310B", f"--output={folder / 'out'}",
                f"--body={self.level}", "--format=json"]


class TeBodies(Bodies):
    """Bodies at level te, as far as the phase that devices share. What is told of them has no word of the compiler's own."""

    level, mutator = "te", TeBodyMutator
    # As in test/unit/lowering/pipelines/MessagesTest.cpp.
    foreign = re.compile(r"linalg|bufferization|memref|tensor<|\barith\b|\bscf\b|\baicore\b|\bllvm\b|\bSSA\b|"
                         r"\bfunc\.(?!func)\w+|'func\.func' op|\bbuiltin\b|\bmath\.\w+|\bregion\b|terminator|custom op|"
                         r"attribute dictionary|\bloops? [0-9]|'v[a-z_]+' of")

    def is_body(self, name):
        return name.endswith(".mlir") and not name.endswith(".aicore.mlir")

    def command(self, opc, folders):
        folder, = folders
        # The module would stand between the records.
        return ["sh", "-c", '"$0" "$@" > "$OUT" && exit 0; status=$?; cat "$OUT"; exit $status', opc, "compile",
                str(folder / CONTRACT), "--soc_version=Ascend310B", "--body=te", "--stop-after=fused", "--format=json"]


class Protos:
    """The vendor's operator JSON, read by `opc proto import`."""

    exits = {2, 3}
    together = 1

    def __init__(self, seeds):
        self.mutator = JsonMutator([seed.read_text() for seed in seeds])

    def files(self, random):
        return {"op.json": self.mutator.mutant(random)}

    def command(self, opc, folders):
        folder, = folders
        return [opc, "proto", "import", str(folder / "op.json"), f"--output={folder / 'out'}", "--format=json"]


KINDS = {"contract": Contracts, "body": Bodies, "te": TeBodies, "proto": Protos}


class Failure(Exception):
    """The command broke its promise."""


def records_of(kind, opc, folders):
    """What the command says of the folders: its exit code and the records of errors."""
    try:
        done = subprocess.run(kind.command(opc, folders), stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT,
                              env={**os.environ, "OUT": str(folders[0] / "module")})
    except subprocess.TimeoutExpired:
        raise Failure(f"no answer within {TIMEOUT} s") from None
    tail = "\n" + done.stderr.decode("utf-8", "replace")[-2000:]
    if done.returncode < 0:
        raise Failure(f"ended by signal {-done.returncode}{tail}")
    if done.returncode not in kind.exits | {0}:
        raise Failure(f"exit code {done.returncode}{tail}")
    try:
        records = [json.loads(line) for line in done.stdout.splitlines()]
    except ValueError as error:
        raise Failure(f"stdout is not JSON: {error}{tail}") from None
    errors = [record for record in records if record.get("severity") == "error"]
    if bool(errors) != (done.returncode != 0):
        raise Failure(f"exit code {done.returncode} with {len(errors)} errors{tail}")
    for error in errors:
        if not CODE.match(error["code"] or "") or not error["message"]:
            raise Failure(f"an error without code or message: {error}")
    return records, errors


def check_words(kind, folder, errors):
    """Fails where an error has a word that the author neither wrote nor can know."""
    pattern = getattr(kind, "foreign", None)
    if not pattern:
        return
    written = "".join(path.read_bytes().decode("utf-8", "replace") for path in folder.iterdir() if path.is_file())
    for error in errors:
        for text in (error["message"], error.get("fix") or "", *(note["message"] for note in error.get("notes", []))):
            for word in pattern.findall(text):
                if word not in written:
                    raise Failure(f"'{word}' in what an author is told: {text}")


def judge(kind, opc, folders):
    """For each folder whether it was refused, or a Failure. Where several fail together each is asked alone."""
    try:
        records, errors = records_of(kind, opc, folders)
        check_words(kind, folders[0], errors)
    except Failure as failure:
        return [failure] if len(folders) == 1 else [judge(kind, opc, [folder])[0] for folder in folders]
    verdicts = []
    for folder in folders:
        inside = f"{folder}/"
        refused = any(error["file"].startswith(inside) for error in errors) or (len(folders) == 1 and bool(errors))
        accepted = any(str(record.get("contract", "")).startswith(inside) for record in records)
        if len(folders) > 1 and refused == accepted:
            verdicts.append(Failure("neither refused nor accepted, or both"))
        elif refused and (folder / "out").exists():
            verdicts.append(Failure("refused, and left an output folder"))
        else:
            verdicts.append(refused)
    return verdicts


def place(folder, files):
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opc", required=True)
    parser.add_argument("--kind", choices=sorted(KINDS), required=True)
    parser.add_argument("--count", type=int, default=500, help="how many have to be refused")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default=".", help="folder for those that failed")
    parser.add_argument("seeds", nargs="+", type=pathlib.Path)
    options = parser.parse_args()

    kind = KINDS[options.kind](options.seeds)
    refused = accepted = failed = 0
    # A mutant may still be right; those do not count, and may not be the rule.
    while refused < options.count and accepted <= options.count and failed < MOST_FAILURES:
        with tempfile.TemporaryDirectory(prefix="opc-fuzz-") as name:
            first = refused + accepted + failed
            numbers = range(first, first + kind.together)
            folders = [place(pathlib.Path(name) / str(number),
                             kind.files(random.Random(options.seed * 1_000_003 + number))) for number in numbers]
            for number, folder, verdict in zip(numbers, folders, judge(kind, options.opc, folders)):
                if not isinstance(verdict, Failure):
                    refused += verdict
                    accepted += not verdict
                    continue
                failed += 1
                keep = pathlib.Path(options.keep) / f"failed-{options.kind}-{options.seed}-{number}"
                shutil.copytree(folder, keep, dirs_exist_ok=True)
                print(f"{options.kind} {number}: {verdict}\n  kept as {keep}")
    print(f"{options.kind}: {refused} broken, {failed} failures, {accepted} still right")
    return 1 if failed or refused < options.count else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Checks who includes whom: each source file may include only what its layer may know.

The layers, from the bottom:

  runtime/diagnostic, target, program; runtime/compiler.h   leaves: they include each other, everyone includes them
  runtime   no MLIR, no LLVM: a board without them runs it
  ops       what an operator is; no MLIR, no LLVM
  dialect   the languages
  lowering  may include ops and dialect; its stages do not include each other, only lowering/pipelines sees them all, and
            all see lowering/diagnostic
  tools     may include everything
  test      may include everything; nobody includes test or tools

Folders have floors: where files of one folder include files of another, in one step or through others, nothing leads
back. Folders of ROUND_TRIPS are one thing in several folders.

Two libraries that throw are kept where they were let in: yaml-cpp in ops/contract, CLI11 in tools.

An include of the project is written as its path from the root of the tree. Prints `file:line: rule` for each breach and
exits 1 when there is one.
"""

import argparse
import pathlib
import re
import sys

SOURCE_SUFFIXES = {".h", ".hpp", ".cpp", ".c", ".td", ".def", ".inc"}
LAYERS = ("runtime", "ops", "dialect", "lowering", "tools", "test")
LEAVES = ("runtime/diagnostic/", "runtime/target/", "runtime/program/", "runtime/compiler.h")
MAY_INCLUDE = {
    "runtime": ("runtime",),
    "ops": ("ops",),
    "dialect": ("dialect",),
    "lowering": ("lowering", "ops", "dialect"),
    "tools": LAYERS,
    "test": LAYERS,
}
WITHOUT_MLIR = ("runtime", "ops")
KEPT_IN = {"yaml-cpp": "ops/contract/", "CLI": "tools/"}

# Folders that include each other, and why.
ROUND_TRIPS = {
    # The machine calls its observers, and observers read what the machine shows of a launch.
    "runtime/device/sim": ("profile", "sanitize"),
}

INCLUDE = re.compile(r'^\s*#?\s*include\s*([<"])([^>"]+)[>"]')


def breach(file: str, quote: str, included: str):
    """The rule that `file` breaks by including `included`, or None. Paths are relative to the root, with slashes."""
    layer, top = file.split("/")[0], included.split("/")[0]
    if layer == "test":
        return None
    if top in ("mlir", "llvm", "mlir-c", "llvm-c") and layer in WITHOUT_MLIR:
        return f"{layer} knows no MLIR and no LLVM, found '{included}'"
    if top in KEPT_IN and not file.startswith(KEPT_IN[top]):
        return f"'{top}/' is included below {KEPT_IN[top]} only, found '{included}'"
    if ".." in included.split("/"):
        return f"an include is a path from the root of the tree, found '{included}'"
    if top not in LAYERS:
        if quote == '"' and "/" not in included:
            return f"an include is a path from the root of the tree, found '{included}'"
        return None
    if included.startswith(LEAVES):
        return None
    if file.startswith(LEAVES):
        return f"a leaf includes leaves only, found '{included}'"
    if top not in MAY_INCLUDE[layer]:
        return f"{layer} may include {', '.join(MAY_INCLUDE[layer])} and the leaves, found '{included}'"
    if layer == top == "lowering":
        stage, other = file.split("/")[1], included.split("/")[1]
        if stage != other and stage != "pipelines" and other != "diagnostic":
            return f"stages of lowering do not include each other, found '{included}'"
    return None


def check(root: pathlib.Path):
    """All breaches below `root` as (file, line, rule), in the order of the files."""
    found = []
    for layer in LAYERS:
        for path in sorted((root / layer).rglob("*")):
            if path.suffix not in SOURCE_SUFFIXES or not path.is_file():
                continue
            file = path.relative_to(root).as_posix()
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                rule = match and breach(file, *match.groups())
                if rule:
                    found.append((file, number, rule))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path, help="root of the tree")
    root = parser.parse_args().root
    if not (root / "CMakeLists.txt").is_file():
        parser.error(f"expects the root of a source tree, found '{root}'")
    found = check(root)
    for file, line, rule in found:
        print(f"{file}:{line}: {rule}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

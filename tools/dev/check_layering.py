#!/usr/bin/env python3
"""Checks who includes whom: each source file may include only what its layer may know.

The layers, from the bottom:

  runtime/diagnostic, target, program; runtime/compiler.h   leaves: they include each other, every layer includes them
  runtime   no MLIR, no LLVM: it runs on boards without them
  ops       what an operator is; no MLIR, no LLVM
  dialect   the dialects
  lowering  may include ops and dialect; its stages do not include each other, only lowering/pipelines includes
            all, and all include lowering/diagnostic
  tools     may include everything
  test      may include everything; no layer includes test or tools

Includes between folders have no cycles, also within layers and stages: when files of one folder include files of
another, directly or through others, no include leads back. Headers have none within their folder either.

Three libraries that throw are allowed in one place each: yaml-cpp in ops/contract, protozero in ops/onnx, CLI11 in tools.

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
KEPT_IN = {"yaml-cpp": "ops/contract/", "protozero": "ops/onnx/", "CLI": "tools/"}

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


def circles(edges: dict):
    """Cycles of folders, or of headers, by includes, as sorted lists (Tarjan's strongly connected components)."""
    index, low, stack, found = {}, {}, [], []

    def visit(folder):
        index[folder] = low[folder] = len(index)
        stack.append(folder)
        for other in edges.get(folder, ()):
            if other not in index:
                visit(other)
                low[folder] = min(low[folder], low[other])
            elif other in stack:
                low[folder] = min(low[folder], index[other])
        if low[folder] == index[folder]:
            start = stack.index(folder)
            found.append(sorted(stack[start:]))
            del stack[start:]

    for folder in sorted(edges):
        if folder not in index:
            visit(folder)
    return [circle for circle in found if len(circle) > 1]


def circle_breaches(edges: dict, what: str):
    """The includes that form cycles of folders, or of headers, as (file, line, rule). `edges`: folder -> folder -> includes."""
    found = []
    for circle in circles(edges):
        for folder in circle:
            for other in circle:
                for file, line, included in edges.get(folder, {}).get(other, ()):
                    found.append((file, line, f"the {what} {', '.join(circle)} include each other: found '{included}'"))
    return found


def check(root: pathlib.Path):
    """All breaches below `root` as (file, line, rule), in the order of the files."""
    found, edges, headers = [], {}, {}
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
                if match and layer != "test" and match[2].split("/")[0] in LAYERS:
                    folder, other = file.rpartition("/")[0], match[2].rpartition("/")[0]
                    if folder != other:
                        edges.setdefault(folder, {}).setdefault(other, []).append((file, number, match[2]))
                    elif path.suffix == ".h":
                        headers.setdefault(file, {}).setdefault(match[2], []).append((file, number, match[2]))
    return found + circle_breaches(edges, "folders") + circle_breaches(headers, "headers")


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

#!/usr/bin/env python3
"""Checks that docs/architecture.md is true of the tree.

  folder   each folder of dialect, lowering, ops, runtime and tools with sources has a row in a table of folders, and
           each row is such a folder; operators of the library are not listed
  phase    the tables of phases have the phases of the dialects in their order (the enums Phase of their .td files), with
           `tiled` after the last of te and `emitted` after those of aicore, as `opc compile --stop-after` takes them
  path     each path that the page names in backquotes exists
  test     each `tree.*` test of the page is registered, and each one that is registered is on the page

Prints `docs/architecture.md: rule` for each breach and exits 1 when there is one.
"""

import argparse
import pathlib
import re
import sys

PAGE = "docs/architecture.md"
LAYERS = ("dialect", "lowering", "ops", "runtime", "tools")
SOURCES = {".c", ".cpp", ".def", ".h", ".js", ".py", ".sh", ".td", ".cmake"}
LISTED_AS_ONE = ("ops/library", "ops/template")
PATH = re.compile(r"`((?:dialect|docs|lowering|ops|runtime|test|tools)(?:/[\w.\-]+)*)`")


def folders_of(root):
    """Folders with sources, in the form of the tables."""
    found = set()
    for layer in LAYERS:
        for path in (root / layer).rglob("*"):
            if path.suffix not in SOURCES or not path.is_file() or "__pycache__" in path.parts:
                continue
            folder = path.parent.relative_to(root).as_posix()
            found.add(next((whole for whole in LISTED_AS_ONE if folder.startswith(whole)), folder))
    return found


def rows_of(text, heading):
    """The cells of the rows of all tables below a heading of second level."""
    part = re.split(r"^## ", text, flags=re.M)
    section = next((one for one in part if one.startswith(heading + "\n")), "")
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in section.splitlines() if line.startswith("|")]
    return [row for row in rows if not set(row[0]) <= {"-", " "}]


def phases(root):
    """The phases in the order in which a te body passes them, then those of models."""
    names = []
    for file in ("dialect/te/TeAttrs.td", "dialect/aicore/AICoreAttrs.td", "dialect/graph/GraphAttrs.td"):
        enum = (root / file).read_text(encoding="utf-8").split('Enum<"Phase"', 1)[1].split("]>", 1)[0]
        names.append(re.findall(r'EnumCase<"\w+", \d+, "(\w+)">', enum))
    return names[0] + ["tiled"] + names[1] + ["emitted"] + names[2]


def check(root):
    text = (root / PAGE).read_text(encoding="utf-8")
    problems = []
    listed = [name for row in rows_of(text, "Folders") for name in re.findall(r"`([^`]+)`", row[0])]
    tree = folders_of(root)
    problems += [f"folder: '{name}' holds sources and has no row" for name in sorted(tree - set(listed))]
    problems += [f"folder: the row '{name}' is no folder with sources" for name in sorted(set(listed) - tree)]
    problems += [f"folder: '{name}' has two rows" for name in sorted(set(listed)) if listed.count(name) > 1]
    told = [name for row in rows_of(text, "Phases") for name in re.findall(r"^`(\w+)`$", row[0])]
    if told != phases(root):
        problems.append(f"phase: the table has {', '.join(told)}, the dialects have {', '.join(phases(root))}")
    problems += [f"path: there is no '{path}'" for path in sorted(set(PATH.findall(text))) if not (root / path).exists()]
    registered = set(re.findall(r"add_test\(\s*NAME (tree\.\w+)", "\n".join(
        file.read_text(encoding="utf-8") for folder in ("test", "docs") for file in (root / folder).rglob("CMakeLists.txt"))))
    named = set(re.findall(r"`(tree\.\w+)`", text))
    problems += [f"test: '{name}' is registered and not on the page" for name in sorted(registered - named)]
    problems += [f"test: '{name}' is on the page and not registered" for name in sorted(named - registered)]
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    problems = check(parser.parse_args().root)
    for problem in problems:
        print(f"{PAGE}: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

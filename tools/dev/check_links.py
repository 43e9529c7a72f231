#!/usr/bin/env python3
"""Checks the links of every Markdown page: a relative one must lead to a file of the tree, and to a heading it has.

Each page below docs/ must also be reachable from docs/README.md, directly or through other pages. A file that a comment
or a page names by its path from the root (`ops/contract/Shapes.h`) must exist, too. Prints `file:line: error` for each
error and exits 1 when there is one.
"""

import argparse
import pathlib
import re
import sys

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FOLDERS = ("dialect", "docs", "lowering", "ops", "runtime", "test", "tools")
NAMED = re.compile(rf"(?<![\w./-])(?:{'|'.join(FOLDERS)})/[\w./-]+\.(?:cpp|def|h|md|mlir|py|td|test|toml)\b")
COMMENTS = {".cpp": "//", ".def": "//", ".h": "//", ".td": "//", ".py": "#", ".txt": "#"}
WRITTEN = {"runtime/ascendc/MissingCalls.h"}  # by the build


def pages(root):
    """The pages in the root and all pages below docs/."""
    return sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md")])


def anchor(heading):
    """The anchor of a heading on common hosts."""
    text = re.sub(r"[`*]", "", heading.strip()).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def outside_code(text):
    """The lines of a page with their numbers, without fenced blocks."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchors(path):
    lines = (line for _, line in outside_code(path.read_text(encoding="utf-8")))
    return {anchor(line.lstrip("#")) for line in lines if line.startswith("#")}


def named(root):
    """Where a comment or a page names a file by its path: file, line and path."""
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            mark = COMMENTS.get(file.suffix)
            if not mark or not file.is_file():
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
                before, found, text = line.partition(mark)
                if found and (mark == "//" or not before.strip()):
                    yield from ((file, number, path) for path in NAMED.findall(text))
    for page in pages(root):
        for number, line in outside_code(page.read_text(encoding="utf-8")):
            for code in re.findall(r"`([^`]*)`", line):
                yield from ((page, number, path) for path in NAMED.findall(code))


def check(root):
    found, reached, leads_to = [], set(), {}
    for file, number, path in named(root):
        if not (root / path).exists() and path not in WRITTEN:
            found.append(f"{file.relative_to(root).as_posix()}:{number}: names '{path}', which is no file of the tree")
    for page in pages(root):
        leads_to[page.resolve()] = set()
        for number, line in outside_code(page.read_text(encoding="utf-8")):
            for target in LINK.findall(line):
                if "://" in target or target.startswith("mailto:"):
                    continue
                path, _, wanted = target.partition("#")
                file = (page.parent / path).resolve() if path else page.resolve()
                where = f"{page.relative_to(root).as_posix()}:{number}"
                if not file.exists() or root.resolve() not in (file, *file.parents):
                    found.append(f"{where}: leads to '{target}', which is no file of the tree")
                elif wanted and file.suffix == ".md" and wanted not in anchors(file):
                    found.append(f"{where}: leads to '{target}', but that page has no such heading")
                leads_to[page.resolve()].add(file)
    follow = [(root / "docs" / "README.md").resolve()]
    while follow:
        page = follow.pop()
        if page not in reached:
            reached.add(page)
            follow += leads_to.get(page, ())
    for page in sorted((root / "docs").rglob("*.md")):
        if page.resolve() not in reached:
            found.append(f"{page.relative_to(root).as_posix()}:1: no link leads here from docs/README.md")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path, help="root of the tree")
    root = parser.parse_args().root
    if not (root / "docs" / "README.md").is_file():
        parser.error(f"expects the root of a source tree, found '{root}'")
    found = check(root)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Checks what git tracks: no binaries, nothing large, nothing generated out of place, no file without a reference.

  size        a tracked file has at least one byte and at most 256 KiB
  text        a tracked file is UTF-8 text without zero bytes; inputs that a fuzzer found, below test/fuzz/regressions,
              may contain any bytes
  generated   wheels, objects, libraries, caches and pictures of builds are not in the tree; plots are in
              docs/performance
  referred    another tracked file names the file, its folder or a pattern that matches it
  crowded     a folder has at most 25 sources (.h, .cpp, .td, .def); larger ones should be divided

Prints `file: rule` for each breach and exits 1 when there is one.
"""

import argparse
import pathlib
import re
import subprocess
import sys

LARGEST = 256 * 1024  # bytes

MOST_SOURCES = 25  # in one folder, without subfolders
SOURCES = {".cpp", ".def", ".h", ".td"}

# Files that a build, a test run or a package manager creates.
GENERATED = {
    ".a", ".bak", ".bin", ".deb", ".dll", ".dylib", ".exe", ".gcda", ".gcno", ".gz", ".log", ".o", ".obj", ".onnx", ".opcsim",
    ".orig", ".pch", ".profraw", ".pyc", ".rej", ".run", ".so", ".swp", ".tar", ".tgz", ".whl", ".xz", ".zip",
}
PICTURES = {".gif", ".jpeg", ".jpg", ".pdf", ".png", ".svg"}
PICTURES_IN = "docs/performance/"
FOUND_BY_FUZZING = "test/fuzz/regressions/"

# Files that are found without being named: by git and the formatter, by lit (*.mlir and *.test below test), by
# CMake's globs for Python tests, by the operator library and the corpus of Ascend C (a folder for each operator) and by
# the fuzzers (a folder for each reader).
TAKEN_BY_KIND = [
    re.compile(pattern)
    for pattern in (
        r"^(CMakeLists\.txt|LICENSE|README(\.\w+)?\.md|dev|\.(clang-format|clang-tidy|gitignore))$",
        r"^\.ci/run$",
        r"(^|/)CMakeLists\.txt$",
        r"^test/(?!.*/?Inputs/).*\.(mlir|test)$",
        r"^test/.*_test\.py$",
        r"^test/(.*/)?lit(\.local|\.site)?\.cfg(\.py)?(\.in)?$",
        r"^test/fuzz/(regressions|seeds)/",
        r"^test/tools/opc/run/corpus/[^/]+/(op_(host|kernel)/[^/]+\.(cpp|h)|(cases|reference)\.py)$",
        r"^ops/library/[^/]+/(op_contract\.yaml|reference\.py|[^/]+\.mlir)$",
        r"^docs/.*\.md$",  # tree.links checks that each page is reachable
    )
]


def tracked(root):
    """Paths that git tracks below `root`, relative and sorted; None when `root` is not a work tree of git."""
    if not (root / ".git").exists():
        return None
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, check=False)
    if listed.returncode != 0:
        return None
    return sorted(path for path in listed.stdout.decode("utf-8", "surrogateescape").split("\0") if path)


def breach_of_content(file, content):
    """The rule of size, text or location that `file` with these bytes breaks, or None."""
    suffix = pathlib.PurePosixPath(file).suffix.lower()
    fuzzed = file.startswith(FOUND_BY_FUZZING)
    if not content:
        return "size: expects at least one byte, found none"
    if len(content) > LARGEST:
        return f"size: expects at most {LARGEST} bytes, found {len(content)}"
    if suffix in GENERATED and not fuzzed:
        return f"generated: a file of kind '{suffix}' is made, not written"
    if suffix in PICTURES and not file.startswith(PICTURES_IN):
        return f"generated: a picture lies in {PICTURES_IN}"
    if fuzzed:
        return None
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"text: expects UTF-8, found the byte {content[error.start]:#04x} at {error.start}"
    if "\0" in text:
        return f"text: expects no zero byte, found one at {text.index(chr(0))}"
    return None


def words_of(contents):
    """For each word that may name a file, the files that contain it. A word consists of letters, digits, '_', '-'
    and '.'."""
    holders = {}
    for file, content in contents.items():
        if file.startswith(FOUND_BY_FUZZING):
            continue
        for word in set(re.findall(r"[\w.\-]+", content.decode("utf-8", "replace"))):
            for form in {word, word.strip("."), word.split(".")[0]}:
                holders.setdefault(form, set()).add(file)
    return holders


def is_referred(file, holders):
    """Whether another file names `file`, with or without its suffix, or its Inputs folder."""
    if any(pattern.search(file) for pattern in TAKEN_BY_KIND):
        return True
    path = pathlib.PurePosixPath(file)
    names = {path.name, path.stem, path.name.split(".")[0]}
    parents = path.parts[:-1]
    if "Inputs" in parents:
        names.update(parents[parents.index("Inputs") + 1 :])
    return any(holders.get(name, set()) - {file} for name in names)


def crowded(files):
    """The folders with too many sources. Tests mirror the tree and are not counted."""
    counts = {}
    for file in files:
        path = pathlib.PurePosixPath(file)
        if path.suffix in SOURCES and path.parts[0] != "test":
            counts[str(path.parent)] = counts.get(str(path.parent), 0) + 1
    return [f"{folder}: crowded: expects at most {MOST_SOURCES} sources in one folder, found {count}"
            for folder, count in sorted(counts.items()) if count > MOST_SOURCES]


def check(root, files):
    contents = {}
    for file in files:
        path = root / file
        if path.is_file() and not path.is_symlink():
            contents[file] = path.read_bytes()
    breaches = {file: breach_of_content(file, content) for file, content in contents.items()}
    holders = words_of(contents)
    for file in contents:
        if not breaches[file] and not is_referred(file, holders):
            breaches[file] = "referred: no other tracked file names it"
    return [f"{file}: {rule}" for file, rule in breaches.items() if rule] + crowded(contents)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    root = parser.parse_args().root
    files = tracked(root)
    if files is None:
        print(f"note: '{root}' is no work tree of git: which files are tracked is unknown")
        return 0
    problems = check(root, files)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Measures the tree: lengths of files and functions, folders, passes with a source and a test of their name, labels, text.

Prints a table, one line a measure; `./dev house` calls it. With --list it also names the longest files and functions, and
functions that several files have with the same body. Nothing here fails: what must hold is checked by the tests tree.*.
Functions are counted by layout, from a line at the margin that ends with "{" to the next "}" at the margin; a body within a class
is not counted.
"""

import argparse
import collections
import pathlib
import re
import statistics
import subprocess

import check_labels

SOURCES = ("runtime", "ops", "dialect", "lowering", "tools")
CROWDED = 20  # sources a folder, from here on it is named
LONG_FILE, LONG_FUNCTION = 500, 60  # lines
LISTED = 30  # functions


def tracked(root):
    names = subprocess.run(["git", "-C", str(root), "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    return [name for name in names if name and (root / name).exists()]  # a file that was deleted is listed until the commit


def percentile(values, share):
    """The smallest value that `share` of all do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, int(share * len(ordered) + 0.999999) - 1))]


def functions(text):
    """The functions of a file: each with its first line, from 1 on, and its lines."""
    found, start, lines = [], None, text.splitlines()
    for number, line in enumerate(lines):
        if line.startswith("}"):
            if start is not None and not line.startswith("};"):
                found.append((start + 1, lines[start:number + 1]))
            start = None
        elif re.match(r"[A-Za-z_~\[]", line) and not re.match(r"(namespace|class|struct|enum|union|extern|template|using)\b", line):
            begins = "(" in line
            start = number if begins and start is None else start
            if line.endswith(";"):
                start = None
    return found


def function_lengths(text):
    return [len(lines) for _, lines in functions(text)]


def name_of(head):
    """The name of a function, from the line that its text begins with."""
    match = re.search(r"([\w:~]+)\(", head)
    return match[1] if match else head.strip()


def copies(texts):
    """The functions with the same body in several files, the longest first. `texts`: by file. Comments, blanks and names of
    functions do not count, nor do bodies of one line."""
    places = collections.defaultdict(list)
    for file, text in texts.items():
        for start, lines in functions(text):
            head = next(i for i, line in enumerate(lines) if line.endswith("{"))
            body = [re.sub(r"\s+", " ", re.sub(r"//.*", "", line)).strip() for line in lines[head + 1:-1]]
            if len(body) > 1:
                places["\n".join(body)].append((file, start, name_of(lines[0])))
    repeated = [(body.count("\n") + 1, found) for body, found in places.items() if len({file for file, _, _ in found}) > 1]
    return sorted(repeated, key=lambda copy: (-copy[0], copy[1]))


def lines_of(root, names):
    return sum(len((root / name).read_text(encoding="utf-8", errors="replace").splitlines()) for name in names)


def passes(root, names):
    """(class, argument) of each pass, its sources and its tests by name."""
    found = []
    for name in names:
        if name.endswith("Passes.td"):
            text = (root / name).read_text(encoding="utf-8")
            found += re.findall(r'^def (\w+)Pass : \w*Pass<"([\w-]+)"', text, re.M)
    return found


def has_source(kind, names):
    return any(pathlib.PurePath(name).stem == kind for name in names if name.startswith("lowering/") and name.endswith(".cpp"))


def has_test(kind, argument, names):
    wanted = {argument, re.sub(r"^(aicore|cpu|te|convert)-", "", argument), re.sub(r"(?<!^)(?=[A-Z])", "-", kind).lower()}
    wanted |= {word + "-invalid" for word in wanted}
    return any(pathlib.PurePath(name).stem in wanted for name in names if name.startswith("test/lowering/"))


def measure(root):
    """(what, value) in the order of the table."""
    names = tracked(root)
    own = [name for name in names if name.startswith(tuple(folder + "/" for folder in SOURCES))]
    bodies = [name for name in own if name.endswith(".cpp")]
    lengths = [lines_of(root, [name]) for name in bodies]
    sizes = [length for name in bodies for length in function_lengths((root / name).read_text(encoding="utf-8"))]
    code = [name for name in own if name.endswith((".cpp", ".h", ".td", ".def"))]
    folders = collections.Counter(str(pathlib.PurePath(name).parent) for name in code)
    tests = [name for name in names if name.startswith("test/") and name.endswith((".mlir", ".cpp", ".h", ".py", ".test", ".txt"))]
    kinds = passes(root, names)
    labels, pages, named = check_labels.reported(root), check_labels.described(root), check_labels.named(root)
    comments = sum(bool(re.match(r"\s*//", line)) for name in code if not name.endswith(".def")
                   for line in (root / name).read_text(encoding="utf-8").splitlines())
    filled = sum(bool(line.strip()) for name in code if not name.endswith(".def")
                 for line in (root / name).read_text(encoding="utf-8").splitlines())
    orders = {name for name in bodies if re.search(r"\baddPass\(|\baddNestedPass", (root / name).read_text(encoding="utf-8"))}
    crowded = sorted(folder for folder, count in folders.items() if count > CROWDED)
    by_hand = [name for name in names if name.startswith("docs/") and name.endswith(".md")
               and "Generated by" not in (root / name).read_text(encoding="utf-8").split("\n", 1)[0]]
    return [
        (".cpp lines: median / 95 % / most", f"{statistics.median(lengths):.0f} / {percentile(lengths, 0.95)} / {max(lengths)}"),
        (f".cpp files beyond {LONG_FILE} lines", f"{sum(n > LONG_FILE for n in lengths)} of {len(lengths)}"),
        ("function lines: median / 95 % / 99 % / most",
         f"{statistics.median(sizes):.0f} / {percentile(sizes, 0.95)} / {percentile(sizes, 0.99)} / {max(sizes)}"),
        (f"functions beyond {LONG_FUNCTION} lines",
         f"{sum(n > LONG_FUNCTION for n in sizes)} of {len(sizes)}, {100 * sum(n > LONG_FUNCTION for n in sizes) / len(sizes):.1f} %"),
        ("functions that several files have", str(len(copies(texts_of(root, bodies))))),
        ("sources a folder: most / median", f"{max(folders.values())} / {statistics.median(folders.values()):.0f}"),
        (f"folders of more than {CROWDED} sources", f"{len(crowded)} of {len(folders)}" + (": " + ", ".join(crowded) if crowded else "")),
        ("passes with a source of their name", f"{sum(has_source(kind, names) for kind, _ in kinds)} of {len(kinds)}"),
        ("passes with a test of their name", f"{sum(has_test(kind, argument, names) for kind, argument in kinds)} of {len(kinds)}"),
        ("files with an order of passes", ", ".join(sorted(orders))),
        ("labels reported / described / tested",
         f"{len(labels)} / {sum(label in pages for label in labels)} / {sum(label in named for label in labels)}"),
        ("comment lines of filled lines", f"{100 * comments / filled:.1f} %"),
        ("lines: sources / tests / pages by hand", f"{lines_of(root, code)} / {lines_of(root, tests)} / {lines_of(root, by_hand)}"),
    ]


def texts_of(root, names):
    return {name: (root / name).read_text(encoding="utf-8") for name in names}


def listing(root):
    """Lines that name the longest files and functions, and copies of functions."""
    names = [name for name in tracked(root) if name.startswith(tuple(folder + "/" for folder in SOURCES)) and name.endswith(".cpp")]
    texts = texts_of(root, names)
    files = sorted(((len(text.splitlines()), name) for name, text in texts.items()), reverse=True)
    lengths = sorted(((len(lines), f"{name}:{start}: {name_of(lines[0])}") for name, text in texts.items()
                      for start, lines in functions(text)), reverse=True)
    yield f"\nFiles beyond {LONG_FILE} lines:"
    yield from (f"{count:5}  {name}" for count, name in files if count > LONG_FILE)
    yield f"\nThe {LISTED} longest functions:"
    yield from (f"{count:5}  {place}" for count, place in lengths[:LISTED])
    yield "\nFunctions that several files have, with the lines of their body:"
    yield from (f"{count:5}  " + ", ".join(f"{file}:{start}: {name}" for file, start, name in found)
                for count, found in copies(texts))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true", help="also name the longest files and functions, and copies of functions")
    options = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parents[2]
    rows = measure(root)
    width = max(len(what) for what, _ in rows)
    print("\n".join(f"{what:<{width}}  {value}" for what, value in rows))
    if options.list:
        print("\n".join(listing(root)))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Checks how comments of C++ and TableGen are wrapped, which clang-format leaves alone (ReflowComments: Never).

  width    a line with a comment has at most 120 columns
  orphan   no paragraph ends with a line of one word that would fit if the other lines were filled
  torn     no line of a paragraph has fewer than 60 columns if the next one starts in lower case and both fit one line

A paragraph is prose at the margin of its comment. Lists, tables, pictures and code are not paragraphs: they are
indented further, or recognised by list marks, gaps between columns and the ends of statements. Text in strings is not
a comment.

Prints `file:line: rule` for each breach and exits 1 when there is one.
"""

import argparse
import pathlib
import re
import subprocess
import sys

FOLDERS = ("dialect", "lowering", "ops", "runtime", "test", "tools")
INPUTS = "/Inputs/"  # kernels whose lines tests name
SOURCES = {".cpp", ".def", ".h", ".td"}
WIDTH = 120  # columns
SHORT = 60  # columns

# The first token in a line: a string, in which slashes have no meaning, or a comment. "[{" starts a string of
# TableGen, unless it contains declarations of C++.
STRINGS = r'R"(?P<raw>\w*)\(|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\''
COMMENT = r"(?P<marker>///?<?)(?![/<])"
CPP = re.compile(f"{STRINGS}|{COMMENT}")
TABLEGEN = re.compile(rf"(?P<text>(?<!Declaration = )\[\{{)|{STRINGS}|{COMMENT}")

ITEM = re.compile(r"[-*+] |\d+[.)] ")
COLUMNS = re.compile(r"\S {2,}\S")
STATEMENT = re.compile(r"^(\S+ ){0,3}\S*[;{}\\]$")
PICTURE = re.compile(r"^([=~_-]{3}|[^\x00-\x7f])")
DIRECTIVE = re.compile(r"^(RUN|CHECK[\w-]*|NOLINT\w*|clang-format \w+|expected-\w+)\b")


def comments(lines, tokens):
    """Yields (index, column, marker, text, whether the line has only a comment) of each line with a comment; indices
    count from 0."""
    until = None  # the end of the string that the line is in
    for index, line in enumerate(lines):
        at = 0
        while at < len(line):
            if until:
                end = line.find(until, at)
                if end < 0:
                    break
                at, until = end + len(until), None
                continue
            token = tokens.search(line, at)
            if not token:
                break
            at, found = token.end(), token.groupdict()
            if found["marker"]:
                yield index, token.start(), found["marker"], line[at:], not line[: token.start()].strip()
                break
            if found["raw"] is not None:
                until = f'){found["raw"]}"'
            elif found.get("text"):
                until = "}]"


def is_prose(text):
    """Whether the text after a marker can be a line of a paragraph. True also for items of lists."""
    stripped = text.strip()
    others = (COLUMNS, STATEMENT, PICTURE, DIRECTIVE)
    return re.match(r" \S", text) is not None and not any(other.search(stripped) for other in others)


def paragraphs(lines, tokens):
    """Yields paragraphs: consecutive lines of prose in one column, as (index, column, marker, text) of each line."""
    run = []
    for index, column, marker, text, alone in comments(lines, tokens):
        prose, item = is_prose(text), ITEM.match(text.strip()) is not None
        follows = run and alone and run[-1][:3] == (index - 1, column, marker)
        if run and not (follows and prose and not item):
            yield run
            run = []
        if prose and not item:
            run.append((index, column, marker, text.strip()))
    if run:
        yield run


def fill(words, width):
    """Fills lines of at most `width` columns with words."""
    filled = []
    for word in words:
        if filled and len(filled[-1]) + 1 + len(word) <= width:
            filled[-1] += " " + word
        else:
            filled.append(word)
    return filled


def breaches(lines, tokens):
    """Yields (index, rule) of each breach, unordered."""
    for index, _, _, text, _ in comments(lines, tokens):
        if len(lines[index]) > WIDTH and " " in text.strip():
            yield index, f"width: expects at most {WIDTH} columns, found {len(lines[index])}"
    for run in paragraphs(lines, tokens):
        texts = [text for _, _, _, text in run]
        width = WIDTH - run[0][1] - len(run[0][2]) - 1
        pairs = list(zip(run, texts[1:]))
        if pairs and " " not in texts[-1] and len(fill(" ".join(texts).split(), width)) < len(run):
            yield run[-1][0], f"orphan: '{texts[-1]}' fits the lines before"
            pairs.pop()
        for (index, _, _, text), following in pairs:
            if len(lines[index]) < SHORT and following[0].islower() and len(text) + 1 + len(following) <= width:
                yield index, "torn: this line and the next one fit one"


def check(root):
    """The breaches of the tracked files; None when `root` is not a work tree of git."""
    if not (root / ".git").exists():
        return None
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z", *FOLDERS], capture_output=True, check=False)
    if listed.returncode != 0:
        return None
    problems = []
    for file in sorted(listed.stdout.decode("utf-8", "surrogateescape").split("\0")):
        path = root / file
        if path.suffix not in SOURCES or INPUTS in file or not path.is_file():
            continue
        lines = path.read_text(encoding="utf-8").split("\n")
        found = breaches(lines, TABLEGEN if path.suffix == ".td" else CPP)
        problems += [f"{file}:{index + 1}: {rule}" for index, rule in sorted(found)]
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    root = parser.parse_args().root
    problems = check(root)
    if problems is None:
        print(f"note: '{root}' is no work tree of git: which files are tracked is unknown")
        return 0
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

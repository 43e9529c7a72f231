#!/usr/bin/env python3
"""Runs the commands of a Markdown page, and compares their output with the page.

The text after the opening backticks determines the kind of a fenced block:

  ```sh              a script; it must exit with 0. All blocks of a page run in order in a scratch folder that looks
                     like a built tree: ops/library is a copy, build/bin and build/venv are those of the build.
  ```text            right after a ```sh block: its output on stdout and stderr. `...` matches any text in a line and,
                     alone on a line, any lines.
  ```mlir PATH       an excerpt: its lines are consecutive in the file PATH of the scratch folder, whatever the language
                     before PATH.

Other blocks are ignored. Exits 1 with `page:line: error` at the first block that fails.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass

SECONDS_A_BLOCK = 300


@dataclass
class Block:
    line: int  # of the opening backticks, from 1
    language: str
    path: str  # of an excerpt, else empty
    lines: list
    follows: bool  # only blank lines between the previous block and this one


def blocks(text):
    """The fenced blocks of a page. An unclosed fence is an error."""
    found, fence, between = [], None, True
    for number, line in enumerate(text.splitlines(), 1):
        if fence is None and line.startswith("```"):
            words = line[3:].split()
            fence = Block(number, words[0] if words else "", words[1] if len(words) > 1 else "", [], not between)
        elif fence is not None and line.rstrip() == "```":
            found.append(fence)
            fence, between = None, False
        elif fence is not None:
            fence.lines.append(line)
        elif line.strip():
            between = True
    if fence is not None:
        raise Wrong(fence.line, "expects closing backticks for this block")
    return found


class Wrong(Exception):
    def __init__(self, line, what):
        super().__init__(what)
        self.line = line


def pattern(lines):
    """A regular expression for an expected output."""
    parts = []
    for line in lines:
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(r"[^\n]*".join(re.escape(piece) for piece in line.rstrip().split("...")) + r"[ \t]*\n")
    return re.compile("".join(parts))


def run(block, scratch):
    """Runs a script, which must exit with 0, and returns its output."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPC_")}
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", "\n".join(block.lines)], cwd=scratch, env=environment,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=SECONDS_A_BLOCK)
    if done.returncode != 0:
        raise Wrong(block.line, f"this script ended with exit code {done.returncode}:\n{done.stdout}")
    return done.stdout


def check_excerpt(block, scratch):
    file = scratch / block.path
    if not file.is_file():
        raise Wrong(block.line, f"expects the file '{block.path}', found none")
    whole = "\n" + "\n".join(line.rstrip() for line in file.read_text(encoding="utf-8").splitlines()) + "\n"
    if "\n" + "\n".join(line.rstrip() for line in block.lines) + "\n" not in whole:
        raise Wrong(block.line, f"expects an excerpt of '{block.path}'; it does not contain these lines")


def check(text, scratch):
    """Checks a page; returns the number of scripts that were run."""
    output, scripts = None, 0
    for block in blocks(text):
        if block.path:
            check_excerpt(block, scratch)
        elif block.language == "sh":
            output = run(block, scratch)
            scripts += 1
            continue
        elif block.language == "text" and block.follows and output is not None:
            if not pattern(block.lines).fullmatch(output):
                raise Wrong(block.line, f"expects this output, found:\n{output}")
        output = None
    return scripts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--source", type=pathlib.Path, required=True, help="the source tree")
    parser.add_argument("--binary", type=pathlib.Path, required=True, help="the build folder")
    parser.add_argument("--python", type=pathlib.Path, required=True, help="stands for build/venv/bin/python3")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="opc-page-") as folder:
        scratch = pathlib.Path(folder)
        shutil.copytree(options.source / "ops" / "library", scratch / "ops" / "library")
        (scratch / "build" / "venv" / "bin").mkdir(parents=True)
        (scratch / "build" / "bin").symlink_to(options.binary.resolve() / "bin")
        python = scratch / "build" / "venv" / "bin" / "python3"
        # Not a link, since an interpreter finds its environment by the path that it was started with.
        python.write_text(f'#!/bin/sh\nexec "{options.python.absolute()}" "$@"\n', encoding="utf-8")
        python.chmod(0o755)
        try:
            scripts = check(options.page.read_text(encoding="utf-8"), scratch)
        except Wrong as wrong:
            print(f"{options.page}:{wrong.line}: {wrong}", file=sys.stderr)
            return 1
        except subprocess.TimeoutExpired as expired:
            print(f"{options.page}: a script took longer than {expired.timeout:.0f} s", file=sys.stderr)
            return 1
    if scripts == 0:
        print(f"{options.page}: expects a page with scripts, found none", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Takes what unit_messages says of the corpus as what is expected: `accept.py build/test/bin/unit_messages`.

Every case whose messages differ gets the lines that were told instead of those it had. Read the difference before it is
committed: a message that moved, lost its fix or names another rule shows there and nowhere else.
"""

import pathlib
import re
import subprocess
import sys

CORPUS = pathlib.Path(__file__).resolve().parent
TOLD = re.compile(r"^@@ (\S+):(\d+)\n((?:> .*\n)*)@@$", re.M)


def main():
    done = subprocess.run([sys.argv[1], "--gtest_filter=Messages.AreInTheAuthorsWords"], capture_output=True, text=True)
    told = {}
    for name, line, lines in TOLD.findall(done.stdout):
        told.setdefault(name, {})[int(line)] = lines.splitlines()
    for name, cases in told.items():
        path = CORPUS / name
        # A case begins at its '='; blank lines and comments behind it belong to the next one.
        lines, result, start = path.read_text().splitlines(), [], 0
        for number, line in enumerate(lines, 1):
            start = number if line.startswith("=") else start
            if start not in cases or not line.startswith(">"):
                result.append(line)
            following = lines[number] if number < len(lines) else ""
            if start in cases and not following.startswith((">", "body:", "contract:", "page:")):
                result += cases.pop(start)
        path.write_text("\n".join(result) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Writes host files that include every name of HeaderNames.txt, in order and in reverse, beside an operator's own.

  header_names.py NAMES HOST TO
"""
import pathlib
import shutil
import sys

names, host, to = map(pathlib.Path, sys.argv[1:])
listed = [line.split()[0] for line in names.read_text().splitlines() if line.strip() and not line.startswith("#")]
assert len(listed) > 20, listed
to.mkdir(parents=True)
for file in host.iterdir():
    shutil.copy(file, to)
for name, order in (("forward", listed), ("backward", listed[::-1])):
    (to / f"{name}.cpp").write_text("".join(f'#include "{header}"\n' for header in order))

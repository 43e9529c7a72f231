"""Copies a package and changes one value of its package.json: break_package.py FROM TO 'files[0].path=../x'."""

import json
import pathlib
import re
import shutil
import sys

source, target, change = sys.argv[1:]
shutil.rmtree(target, ignore_errors=True)
shutil.copytree(source, target)
file = next(pathlib.Path(target).glob("vendors/*/package.json"))
manifest = json.loads(file.read_text())
where, value = change.split("=", 1)
steps = [int(step) if step.isdigit() else step for step in re.findall(r"\w+", where)]
at = manifest
for step in steps[:-1]:
    at = at[step]
at[steps[-1]] = int(value) if isinstance(at[steps[-1]], int) else value
file.write_text(json.dumps(manifest))

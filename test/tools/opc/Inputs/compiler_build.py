"""The build of the compiler as `opc doctor` tells it, against the build ids that llvm-readelf finds in the libraries:
compiler_build.py READELF LIBRARY_FOLDER, with the output of `opc doctor --format=json` on stdin."""

import hashlib
import json
import pathlib
import re
import subprocess
import sys

readelf, folder = sys.argv[1], pathlib.Path(sys.argv[2])


def said(option, path):
    return subprocess.run([readelf, option, path], capture_output=True, text=True, check=True).stdout


def path_of(name, searched):
    return next(path for path in (pathlib.Path(place) / name for place in searched) if path.exists())


# Each library by its name, with the folders in which what needs it is searched.
ids, names = {}, [("libopc_pipelines.so", [folder])]
while names:
    name, searched = names.pop()
    if name in ids:
        continue
    path = path_of(name, searched)
    ids[name] = bytes.fromhex(re.search(r"Build ID: ([0-9a-f]+)", said("-n", path)).group(1))
    dynamic = said("-d", path)
    runpath = re.search(r"(?:RUNPATH|RPATH).*\[(.*)\]", dynamic)
    places = [place for place in (runpath.group(1) if runpath else "").split(":") if place]
    places = [place.replace("$ORIGIN", str(path.resolve().parent)) for place in places]
    for needed in re.findall(r"NEEDED.*\[(.*)\]", dynamic):
        if re.match(r"lib(opc|MLIR|LLVM)", needed):
            names.append((needed, [*places, *searched]))

expected = hashlib.sha256(b"".join(name.encode() + ids[name] for name in sorted(ids))).hexdigest()[:16]
found = next(finding["found"] for finding in json.load(sys.stdin)["findings"] if finding["name"] == "compiler")
assert len(ids) > 10 and {"libLLVM", "libopc_mlir"} <= {name.split(".")[0] for name in ids}, sorted(ids)
assert found.split()[-1] == expected, f"opc says {found}, the libraries {expected}"
print("the compiler is its libraries")

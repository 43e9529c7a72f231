"""swap_library.py FOLDER NEW LIBRARY: a copy of a model folder with another library of kernels, and its checksum; `cut` is the
half of its own."""

import hashlib
import json
import pathlib
import shutil
import sys

folder, new, library = sys.argv[1:]
shutil.copytree(folder, new)
path = pathlib.Path(new) / "kernels.so"
data = path.read_bytes()
data = data[:len(data) // 2] if library == "cut" else pathlib.Path(library).read_bytes()
path.write_bytes(data)
manifest = pathlib.Path(new) / "model.json"
record = json.loads(manifest.read_text())
for file in record["files"]:
    if file["path"] == "kernels.so":
        file |= {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
manifest.write_text(json.dumps(record))

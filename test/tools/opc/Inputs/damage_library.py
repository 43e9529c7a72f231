"""Overwrites the code of an op folder's CPU library, and corrects its checksum in the manifest.

damage_library.py FOLDER HEX: the bytes HEX, again and again, fill every segment that is executed.
"""

import hashlib
import json
import pathlib
import struct
import sys

folder, filling = pathlib.Path(sys.argv[1]), bytes.fromhex(sys.argv[2])
manifest = json.loads((folder / "manifest.json").read_text())
name = manifest["cpu_library"]
library = bytearray((folder / name).read_bytes())
(headers,) = struct.unpack_from("<Q", library, 32)
size, count = struct.unpack_from("<HH", library, 54)
filled = 0
for i in range(count):
    kind, flags, offset, _, _, length = struct.unpack_from("<IIQQQQ", library, headers + i * size)
    if kind == 1 and flags & 1:
        filled += length
        library[offset : offset + length] = (filling * length)[:length]
assert filled, "the library has no code"
(folder / name).write_bytes(library)
for file in manifest["files"]:
    if file["path"] == name:
        file["sha256"] = hashlib.sha256(library).hexdigest()
(folder / "manifest.json").write_text(json.dumps(manifest))

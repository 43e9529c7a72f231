"""Whether the kernels of an op folder for the AI Core ask for one block on any chip: one_block.py FOLDER."""

import json
import pathlib
import sys

MANIFEST = json.loads((pathlib.Path(sys.argv[1]) / "manifest.json").read_text())
for kernel in MANIFEST["kernels"]:
    inputs = MANIFEST["tilings"][kernel["tiling"]]["inputs"]
    assert inputs and all(source["kind"] != "max_blocks" for source in inputs), f"{kernel['name']} asks for blocks"

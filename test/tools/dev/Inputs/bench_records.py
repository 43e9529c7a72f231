"""Holds what `./dev bench --json` wrote against its form, in other words than the bench's own: a list of records whose
names are folders of the library. Usage: bench_records.py <records> <ops/library>"""

import json
import math
import pathlib
import sys

records = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
library = pathlib.Path(sys.argv[2])
assert isinstance(records, list) and len(records) >= 6, records
for one in records:
    assert (library / one["name"]).is_dir(), one
    assert one["shape"] in ([4096], [300007], [1024, 128]) and one["type"] == "f32" and one["threads"] == 1, one
    assert one["against"] in ("ceiling", "hand", "onnxruntime", "numpy"), one
    for key in ("value", "against_value", "ratio", "goal"):
        assert type(one[key]) in (int, float) and math.isfinite(one[key]) and one[key] >= 0, one
    assert one["value"] > 0 and one["ratio"] > 0 and one["unit"] == "us", one
    assert one["status"] == ("info" if one["goal"] == 0 else "unsure" if not one["sure"] else
                             "met" if one["ratio"] >= one["goal"] else "missed"), one
sides = {(one["name"], one["against"]) for one in records}
assert sides >= {(name, peer) for name in ("add_relu", "relu", "sigmoid", "softmax") for peer in ("onnxruntime", "numpy")}
# A machine without AVX2 has no loops by hand. Those of any length compute all elements: wrong ones are left out.
hand = {name for name, side in sides if side == "hand"}
assert not hand or "sigmoid" in hand, hand

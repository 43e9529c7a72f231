"""Writes samples and records made up for bench.test into a folder."""

import json
import pathlib
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
random = np.random.default_rng(7)


def turns(factor, noise=0.01, count=30):
    """Pairs of seconds: the second `factor` times the first; both drift together, as a busy machine makes them."""
    drift = np.exp(random.normal(0, 0.2, count))
    a = drift * np.exp(random.normal(0, noise, count))
    b = factor * drift * np.exp(random.normal(0, noise, count))
    return np.stack([a, b], axis=1).tolist()


def write(name, data):
    (folder / name).write_text(json.dumps(data), encoding="utf-8")


write("slower.json", {"relu 4096 f32 t1": turns(1.0), "softmax 1024x128 f32 t1": turns(1.08),
                      "add 4096 f32 t1": turns(0.85), "exp 4096 f32 t1": turns(1.5, count=7),
                      "swish 4096 f32 t1": turns(1.03)})
write("same.json", {"relu 4096 f32 t1": turns(1.0), "exp 4096 f32 t1": turns(1.03),
                    "swish 4096 f32 t1": turns(1.08, noise=0.6)})


def record(name, ratio, status, sure=True, threads=1):
    return {"schema_version": 2, "name": name, "shape": [4096], "type": "f32", "threads": threads, "value": 2.0, "unit": "us",
            "against": "onnxruntime", "against_value": 2.0 * ratio, "ratio": ratio, "goal": 1.2, "status": status,
            "sure": sure, "note": "", "gb_per_s": 10.0}


write("records.json", {
    "story": {"date": "2026-01-01 00:00 UTC", "minutes": 1, "reduced": False, "commit": "0", "cpu": "of a processor",
              "cores": 2, "caches": "L1", "memory": "1 GiB", "system": "none", "load_before": 0, "load_after": 0,
              "peers": {"onnxruntime": "1"}, "absent": {"openvino": "no network"}, "left_out": {}, "samples": 10,
              "dropped": 1},
    "records": [record("add", 1.5, "met"), record("exp", 0.6, "missed"), record("tanh", 0.7, "missed"),
                record("sqrt", 0.5, "unsure", sure=False, threads=2)]})
(folder / "why.toml").write_text("[[missed]]\nfigures = '^exp .*, onnxruntime$'\nbecause = 'gradual underflow has its price'\n",
                                 encoding="utf-8")
(folder / "broken.toml").write_text("[[missed]]\nfigures = '('\nbecause = 'x'\n", encoding="utf-8")

"""Runs the model `detector` of models.py with scores that leave many, few and no rows, on both devices, against ONNX Runtime."""

import pathlib
import subprocess
import sys

import numpy as np
import onnxruntime

opc, model, folder = sys.argv[1:]
work = pathlib.Path(folder)
session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
names = [output.name for output in session.get_outputs()]
for lowered, least, most in ((0, 40, 119), (1.5, 1, 20), (4, 0, 0)):
    random = np.random.default_rng(1)
    given = {"b": random.uniform(0, 4, (2, 40, 4)).astype(np.float32),
             "s": (random.standard_normal((2, 3, 40)) - lowered).astype(np.float32)}
    for name, array in given.items():
        np.save(work / f"{name}.npy", array)
    wanted = dict(zip(names, session.run(names, given)))
    assert least <= len(wanted["kept"]) <= most, len(wanted["kept"])
    for device in ("cpu", "sim"):
        command = [opc, "run", folder, f"--device={device}"]
        command += [part for name in given for part in ("--input", f"{name}=@{work / name}.npy")]
        command += [part for name in names for part in ("--output", f"{name}=@{work / name}.out.npy")]
        subprocess.run(command, check=True)
        for name in names:
            found = np.load(work / f"{name}.out.npy")
            assert found.dtype == wanted[name].dtype and found.shape == wanted[name].shape, (name, found.shape, wanted[name].shape)
            assert np.allclose(found, wanted[name], rtol=1e-5, atol=1e-5), (device, lowered, name)

"""Quantize and Dequantize, per tensor and per channel, on both devices against ONNX Runtime, which tests of operators do not
ask where inputs are whole numbers. Scales are powers of two, so that quotients are exact and ties are ties.

quantize.py FOLDER LIBRARY
"""

import pathlib
import subprocess
import sys

import numpy as np
import onnxruntime
from onnx import TensorProto, helper

folder, library = map(pathlib.Path, sys.argv[1:])
random = np.random.default_rng(3)


def by_onnx(x, scale, zero_point, attributes):
    """QuantizeLinear, and DequantizeLinear of its result."""
    kind = TensorProto.INT8 if zero_point.dtype == np.int8 else TensorProto.UINT8
    graph = helper.make_graph(
        [helper.make_node("QuantizeLinear", ["x", "scale", "zero_point"], ["whole"], **attributes),
         helper.make_node("DequantizeLinear", ["whole", "scale", "zero_point"], ["number"], **attributes)], "both",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, x.shape),
         helper.make_tensor_value_info("scale", TensorProto.FLOAT, scale.shape),
         helper.make_tensor_value_info("zero_point", kind, zero_point.shape)],
        [helper.make_tensor_value_info("whole", kind, None), helper.make_tensor_value_info("number", TensorProto.FLOAT, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    return onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": x, "scale": scale, "zero_point": zero_point})


def by_opc(operator, device, **inputs):
    arguments = []
    for name, array in inputs.items():
        np.save(folder / f"{name}.npy", array)
        arguments += ["--input", f"{name}=@{folder / name}.npy"]
    subprocess.run(["opc", "run", library / operator / "op_contract.yaml", f"--device={device}", *arguments, "--output",
                    f"y=@{folder / 'y.npy'}"], check=True, stdout=subprocess.DEVNULL)
    return np.load(folder / "y.npy")


for channels in (False, True):
    for dtype in (np.int8, np.uint8):
        x = (random.standard_normal((2, 5, 33)) * 40).astype(np.float32)
        x[0, 0, :6] = [np.inf, -np.inf, 1e30, 0.5, 1.5, -2.5]
        count = (5,) if channels else ()
        scale = np.asarray(2.0 ** random.integers(-4, 1, count), np.float32)
        zero_point = np.asarray(random.integers(0, 100, count), dtype)
        whole, number = by_onnx(x, scale, zero_point, {"axis": 1} if channels else {})
        suffix = "_channels" if channels else ""
        for device in ("cpu", "sim"):
            what = f"{dtype.__name__}{suffix} on {device}"
            assert np.array_equal(by_opc("quantize" + suffix, device, x=x, scale=scale, zero_point=zero_point), whole), what
            assert np.array_equal(by_opc("dequantize" + suffix, device, x=whole, scale=scale, zero_point=zero_point), number), what
            print("equal:", what)

"""A model of two nodes that centre rows and columns, and an input for it; or its results beside NumPy's.

    center_model.py write|check
"""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper


def centred(x):
    x = x - x.mean(axis=1, keepdims=True)
    return x - x.mean(axis=0, keepdims=True)


def main():
    if sys.argv[1] == "write":
        nodes = [helper.make_node("Center", ["x"], ["a"], domain="own"), helper.make_node("Add", ["a", "x"], ["b"]),
                 helper.make_node("Center", ["b"], ["y"], domain="own")]
        values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [37, 53]) for name in "xy"]
        graph = helper.make_graph(nodes, "centred", values[:1], values[1:])
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
        onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9), "model.onnx")
        np.save("in.npy", np.random.default_rng(5).normal(3, 2, (37, 53)).astype(np.float32))
        return
    x = np.load("in.npy").astype(np.float64)
    for device in ("cpu", "sim"):
        error = np.abs(np.load(f"{device}.npy") - centred(centred(x) + x)).max()
        assert error < 1e-5, f"{device}: off by {error}"


if __name__ == "__main__":
    main()

"""AddRelu by ONNX Runtime: Add, then Relu, in float32. Sums of float16 numbers rounded to float32 and then to float16 are the
sums rounded once, so that one graph serves both types."""

import numpy as np
import onnxruntime
from onnx import TensorProto, helper

VECTOR = ["n"]
graph = helper.make_graph(
    [helper.make_node("Add", ["x1", "x2"], ["sum"]), helper.make_node("Relu", ["sum"], ["y"])],
    "add_relu",
    [helper.make_tensor_value_info(name, TensorProto.FLOAT, VECTOR) for name in ("x1", "x2")],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, VECTOR)],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])


def reference(inputs, attributes):
    feeds = {name: np.atleast_1d(array).astype(np.float32).reshape(-1) for name, array in inputs.items()}
    (y,) = session.run(["y"], feeds)
    return {"y": y.astype(np.float64).reshape(inputs["x1"].shape)}

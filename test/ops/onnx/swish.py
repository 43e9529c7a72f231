"""Swish by ONNX Runtime: x * sigmoid(z) with z = beta * x, in float64, as x * Exp(Min(z, 0)) * Sigmoid(|z|).

Its Sigmoid is right to the last bits of 1 only, which leaves no digit of a small result: below zero, where sigmoid(z) is
exp(z) * sigmoid(-z), the smallness comes from Exp.
"""

import numpy as np
import onnxruntime
from onnx import TensorProto, helper

VECTOR, SCALAR = ["n"], []
graph = helper.make_graph(
    [
        helper.make_node("Mul", ["x", "beta"], ["z"]),
        helper.make_node("Abs", ["z"], ["size"]),
        helper.make_node("Sigmoid", ["size"], ["gate"]),
        helper.make_node("Min", ["z", "zero"], ["below"]),
        helper.make_node("Exp", ["below"], ["small"]),
        helper.make_node("Mul", ["gate", "small"], ["factor"]),
        helper.make_node("Mul", ["x", "factor"], ["y"]),
    ],
    "swish",
    [
        helper.make_tensor_value_info("x", TensorProto.DOUBLE, VECTOR),
        helper.make_tensor_value_info("beta", TensorProto.DOUBLE, SCALAR),
    ],
    [helper.make_tensor_value_info("y", TensorProto.DOUBLE, VECTOR)],
    [helper.make_tensor("zero", TensorProto.DOUBLE, SCALAR, [0.0])],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])


def reference(inputs, attributes):
    x = np.asarray(inputs["x"])
    (y,) = session.run(["y"], {"x": x.reshape(-1), "beta": np.array(attributes["beta"], dtype=np.float64)})
    return {"y": y.reshape(x.shape)}

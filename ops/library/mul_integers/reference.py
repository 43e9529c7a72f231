"""MulIntegers: y = The product of two tensors of integers."""


def reference(inputs, attributes):
    return {"y": inputs["x1"] * inputs["x2"]}

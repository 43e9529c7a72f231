"""AddIntegers: y = The sum of two tensors of integers."""


def reference(inputs, attributes):
    return {"y": inputs["x1"] + inputs["x2"]}

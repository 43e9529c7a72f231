"""SubIntegers: y = The difference of two tensors of integers."""


def reference(inputs, attributes):
    return {"y": inputs["x1"] - inputs["x2"]}

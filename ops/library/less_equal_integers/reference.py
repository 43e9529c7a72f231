"""LessEqualIntegers: y = Whether x1 is at most x2, of integers."""


def reference(inputs, attributes):
    return {"y": inputs["x1"] <= inputs["x2"]}

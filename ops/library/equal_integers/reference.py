"""EqualIntegers: y = Whether x1 equals x2, of integers and truth values."""


def reference(inputs, attributes):
    return {"y": inputs["x1"] == inputs["x2"]}

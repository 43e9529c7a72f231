"""GreaterIntegers: y = Whether x1 is greater than x2, of integers."""


def reference(inputs, attributes):
    return {"y": inputs["x1"] > inputs["x2"]}

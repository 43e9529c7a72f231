import numpy as np

TARGET = {"float16": "float32", "int32": "float32", "uint8": "float16", "int8": "float32", "int16": "float16"}


def reference(inputs, attributes):
    x = inputs["x"]
    return {"y": x.astype(TARGET.get(x.dtype.name, "float16"))}

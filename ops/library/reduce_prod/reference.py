"""ReduceProd in float64: y = the product over some axes. Integers wrap."""

import numpy as np


def reference(inputs, attributes):
    axes = tuple(attributes["axes"]) or None
    return {"y": np.prod(inputs["x"], axis=axes, keepdims=attributes["keepdims"])}


def scale(inputs, attributes):
    """Each factor rounds: above 64 of them errors are in units of y times a 64th of their number. Where the product of all
    factors above 1, or of those below, leaves float32, the result depends on the order and is unspecified."""
    x = inputs["x"]
    axes = tuple(attributes["axes"]) or None

    def total(values):
        return np.sum(values, axis=axes, keepdims=attributes["keepdims"])

    if x.dtype.kind != "f":
        return {"y": total(np.zeros(x.shape))}
    size = np.abs(x)
    bits = np.log2(np.where(np.isfinite(size) & (size > 0.0), size, 1.0))
    leaves = (total(np.maximum(bits, 0.0)) > 127.0) | (total(np.maximum(-bits, 0.0)) > 126.0)
    product = np.abs(np.prod(np.where(np.isfinite(size), size, 1.0), axis=axes, keepdims=attributes["keepdims"]))
    return {"y": np.where(leaves, np.inf, product * np.maximum(1.0, total(np.ones(x.shape)) / 64.0))}

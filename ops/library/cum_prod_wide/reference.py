"""CumProdWide: the products of all elements up to each one along an axis. Integers wrap."""

import numpy as np


def running(x, attributes, combine, first):
    axis = attributes["axis"]
    x = np.flip(x, axis) if attributes["reverse"] else x
    results = combine.accumulate(x, axis=axis, dtype=x.dtype)
    if attributes["exclusive"] and x.shape[axis]:
        results = np.roll(results, 1, axis=axis)
        np.moveaxis(results, axis, 0)[0] = first
    return np.flip(results, axis) if attributes["reverse"] else results


def reference(inputs, attributes):
    return {"y": running(inputs["x"], attributes, np.multiply, 1)}


def scale(inputs, attributes):
    """Each factor rounds: above 64 of them errors are in units of y times a 64th of their number. Where the product of all
    factors above 1, or of those below, leaves float64, the result depends on the order and is unspecified."""
    x = inputs["x"]

    def total(values):
        return running(values, attributes, np.add, 0)

    if x.dtype.kind != "f":
        return {"y": np.zeros(x.shape)}
    size = np.abs(x)
    bits = np.log2(np.where(np.isfinite(size) & (size > 0.0), size, 1.0))
    leaves = (total(np.maximum(bits, 0.0)) > 1023.0) | (total(np.maximum(-bits, 0.0)) > 1022.0)
    product = np.abs(running(np.where(np.isfinite(size), size, 1.0), attributes, np.multiply, 1))
    return {"y": np.where(leaves, np.inf, product * np.maximum(1.0, total(np.ones(x.shape)) / 64.0))}


def inputs(arrays, random):
    """Factors near 1 and -1, whose products stay in float64; zeros, infinities and NaN as they are."""
    x = arrays["x"]
    if x.dtype.kind != "f":
        return arrays
    near = np.sign(x) * np.exp2(np.clip(x, -1.0, 1.0) * 0.03)
    return {**arrays, "x": np.where(np.isfinite(x), near, x).astype(x.dtype)}

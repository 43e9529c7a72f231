"""TopK: the k greatest or least elements along an axis, in order; equal ones in the order of their places."""

import numpy as np


def order(x):
    """Ranks of elements: equal elements have one rank, NaN the greatest."""
    numbers = np.where(np.isnan(x), 0, x) if x.dtype.kind == "f" else x
    ranks = np.unique(numbers, return_inverse=True)[1].reshape(x.shape).astype(np.int64)
    return np.where(np.isnan(x), x.size, ranks) if x.dtype.kind == "f" else ranks


def reference(inputs, attributes):
    x, axis = inputs["x"], attributes["axis"]
    ranks = order(x)
    places = np.argsort(-ranks if attributes["largest"] else ranks, axis=axis, kind="stable")
    places = np.take(places, np.arange(min(attributes["k"], x.shape[axis])), axis=axis)
    return {"values": np.take_along_axis(x, places, axis=axis), "indices": places}


def inputs(arrays, random):
    """Some elements of a line are equal."""
    x = arrays["x"]
    few = random.random(x.shape) < 0.25
    return {**arrays, "x": np.where(few, np.asarray(random.integers(0, 4, x.shape), x.dtype), x)}

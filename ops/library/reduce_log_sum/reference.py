"""ReduceLogSum in float64: y = the logarithm of the sum over some axes."""

import numpy as np


def reference(inputs, attributes):
    axes = tuple(attributes["axes"]) or None
    with np.errstate(divide="ignore", invalid="ignore"):
        return {"y": np.log(np.sum(inputs["x"], axis=axes, keepdims=attributes["keepdims"]))}


def scale(inputs, attributes):
    """Sums cancel: errors are in units of what the sum of magnitudes, each off by 2^-20 of it, does to the logarithm. A sum
    that is so small beside it that its sign is open, or that exceeds float32, is unspecified."""
    x = inputs["x"]
    axes = tuple(attributes["axes"]) or None
    finite = np.where(np.isfinite(x), x, 0.0)
    total = np.sum(np.abs(finite), axis=axes, keepdims=attributes["keepdims"])
    exact = np.abs(np.sum(finite, axis=axes, keepdims=attributes["keepdims"]))
    # No more than the magnitudes themselves, where nothing cancels: a sum of one element is exact.
    part = np.divide(total, exact, out=np.ones_like(total), where=exact > 0.0)
    with np.errstate(divide="ignore"):
        result = np.abs(np.log(np.where(exact > 0.0, exact, 1.0)))
    open_ = (total > 3e38) | (exact < total * 2.0**-10) & (total > 0.0) & (exact != total)
    return {"y": np.where(open_, np.inf, np.maximum(result, part))}

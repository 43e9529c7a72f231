"""MyOperator in float64: y = max(convolution of x with w + bias, 0). Only `opc test` runs this file."""

import numpy as np


def convolution(x, w, stride, pad, outside=0.0):
    """Each result is the sum of a filter's products with its window; `outside` is the value of the padding."""
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)), constant_values=outside)
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], axis=(2, 3))[:, :, ::stride, ::stride]
    with np.errstate(invalid="ignore"):
        return np.einsum("nchwij,mcij->nmhw", windows, w)


def reference(inputs, attributes):
    y = convolution(inputs["x"], inputs["w"], attributes["stride"], attributes["pad"])
    with np.errstate(invalid="ignore"):
        return {"y": np.maximum(y + inputs["bias"][:, None, None], 0.0)}


def scale(inputs, attributes):
    """The magnitudes of all that is added: the tolerance is relative to them, since sums may cancel. Where a filter has
    an infinity or NaN, the contract leaves open whether the padding takes part."""
    y = convolution(np.abs(inputs["x"]), np.abs(inputs["w"]), attributes["stride"], attributes["pad"])
    y = y + np.abs(inputs["bias"])[:, None, None]
    beside = convolution(np.zeros_like(inputs["x"]), 1.0 - np.isfinite(inputs["w"]), attributes["stride"], attributes["pad"], 1.0)
    return {"y": np.where((beside > 0) | (y > 3e37), np.inf, y)}

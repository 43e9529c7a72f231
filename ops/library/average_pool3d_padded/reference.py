"""AveragePool3dPadded in float64: the sum of each window divided by its size, padding counted."""

import numpy as np


def windows(x, attributes, outside):
    """x [N, C, ...] as [N, C, places ..., positions ...], with one value for positions beside it."""
    rank = x.ndim - 2
    for axis in range(rank):
        size, stride = attributes["kernel_shape"][axis], attributes["strides"][axis]
        dilation, begin = attributes["dilations"][axis], attributes["pads"][axis]
        length = x.shape[2 + axis]
        room = length + begin + attributes["pads"][rank + axis] - dilation * (size - 1) - 1
        places = room // stride + 1
        at = np.arange(places)[:, None] * stride + np.arange(size) * dilation - begin
        inside = (at >= 0) & (at < length)
        x = np.take(x, np.clip(at, 0, max(length - 1, 0)), axis=2 + axis)
        x = np.where(inside.reshape(inside.shape + (1,) * (x.ndim - 4 - axis)), x, outside)
        x = np.moveaxis(x, 3 + axis, -1)
    return x


def mean(x, attributes):
    axes = tuple(range(-len(attributes["kernel_shape"]), 0))
    with np.errstate(invalid="ignore"):
        return np.sum(windows(x, attributes, 0.0), axis=axes) / np.prod(attributes["kernel_shape"])


def reference(inputs, attributes):
    return {"y": mean(inputs["x"], attributes)}


def scale(inputs, attributes):
    """Sums cancel: errors are in units of the mean of magnitudes. Sums that exceed float32 are unspecified."""
    magnitude = np.abs(np.where(np.isfinite(inputs["x"]), inputs["x"], 0.0))
    total = np.sum(windows(magnitude, attributes, 0.0), axis=tuple(range(-len(attributes["kernel_shape"]), 0)))
    return {"y": np.where(total > 3e38, np.inf, mean(magnitude, attributes))}

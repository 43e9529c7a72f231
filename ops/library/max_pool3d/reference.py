"""MaxPool3d in float64: the maximum of each window."""

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
        if attributes["ceil_mode"]:
            places = min(-(-room // stride) + 1, -(-(length + begin) // stride))
        at = np.arange(places)[:, None] * stride + np.arange(size) * dilation - begin
        inside = (at >= 0) & (at < length)
        x = np.take(x, np.clip(at, 0, max(length - 1, 0)), axis=2 + axis)
        x = np.where(inside.reshape(inside.shape + (1,) * (x.ndim - 4 - axis)), x, outside)
        x = np.moveaxis(x, 3 + axis, -1)
    return x


def reference(inputs, attributes):
    x = inputs["x"]
    axes = tuple(range(-len(attributes["kernel_shape"]), 0))
    return {"y": np.max(windows(x, attributes, -np.inf), axis=axes)}

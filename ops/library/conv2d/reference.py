"""Conv2d in float64: convolution of planes."""

import numpy as np


def windows(x, shape, attributes):
    """x [N, C, ...] as [N, C, places ..., positions ...], with 0 for positions beside it."""
    rank = x.ndim - 2
    for axis in range(rank):
        size, stride = shape[axis], attributes["strides"][axis]
        dilation, begin = attributes["dilations"][axis], attributes["pads"][axis]
        length = x.shape[2 + axis]
        room = length + begin + attributes["pads"][rank + axis] - dilation * (size - 1) - 1
        at = np.arange(room // stride + 1)[:, None] * stride + np.arange(size) * dilation - begin
        inside = (at >= 0) & (at < length)
        x = np.take(x, np.clip(at, 0, max(length - 1, 0)), axis=2 + axis)
        x = np.where(inside.reshape(inside.shape + (1,) * (x.ndim - 4 - axis)), x, 0.0)
        x = np.moveaxis(x, 3 + axis, -1)
    return x


def convolution(x, w, attributes, groups):
    rank = x.ndim - 2
    channels, filters = x.shape[1] // groups, w.shape[0] // groups
    places = windows(x, w.shape[2:], attributes)
    results = []
    with np.errstate(invalid="ignore"):
        for group in range(groups):
            own = places[:, group * channels : (group + 1) * channels]
            weights = w[group * filters : (group + 1) * filters]
            sums = np.tensordot(own, weights, axes=([1, *range(-rank, 0)], list(range(1, rank + 2))))
            results.append(np.moveaxis(sums, -1, 1))
    return np.concatenate(results, axis=1)


def reference(inputs, attributes):
    y = convolution(inputs["x"], inputs["w"], attributes, attributes["group"])
    return {"y": y}


def scale(inputs, attributes):
    """The magnitudes of all that is added."""
    y = convolution(np.abs(inputs["x"]), np.abs(inputs["w"]), attributes, attributes["group"])
    return {"y": y}

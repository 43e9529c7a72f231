"""Conv3dBiasAdd in float64: convolution of volumes with a bias and a residual."""

import numpy as np


def windows(x, shape, attributes, outside):
    """x [N, C, ...] as [N, C, places ..., positions ...], with one value for positions beside it."""
    rank = x.ndim - 2
    for axis in range(rank):
        size, stride = shape[axis], attributes["strides"][axis]
        dilation, begin = attributes["dilations"][axis], attributes["pads"][axis]
        length = x.shape[2 + axis]
        room = length + begin + attributes["pads"][rank + axis] - dilation * (size - 1) - 1
        at = np.arange(room // stride + 1)[:, None] * stride + np.arange(size) * dilation - begin
        inside = (at >= 0) & (at < length)
        x = np.take(x, np.clip(at, 0, max(length - 1, 0)), axis=2 + axis)
        x = np.where(inside.reshape(inside.shape + (1,) * (x.ndim - 4 - axis)), x, outside)
        x = np.moveaxis(x, 3 + axis, -1)
    return x


def convolution(x, w, attributes, groups, outside=0.0):
    rank = x.ndim - 2
    channels, filters = x.shape[1] // groups, w.shape[0] // groups
    places = windows(x, w.shape[2:], attributes, outside)
    results = []
    with np.errstate(invalid="ignore"):
        for group in range(groups):
            own = places[:, group * channels : (group + 1) * channels]
            weights = w[group * filters : (group + 1) * filters]
            at, size = np.prod(own.shape[2 : 2 + rank]), np.prod(w.shape[2:])
            own = own.reshape(*own.shape[:2], at, size).swapaxes(2, 3).reshape(len(own), channels * size, at)
            weights = weights.reshape(filters, channels * size)
            # A library of matrices may leave products with 0 out, also where the other factor is infinite.
            finite = np.isfinite(own).all() and np.isfinite(weights).all()
            sums = weights @ own if finite else np.einsum("mk,nkp->nmp", weights, own)
            results.append(sums.reshape(*sums.shape[:2], *places.shape[2 : 2 + rank]))
    return np.concatenate(results, axis=1)


def reference(inputs, attributes):
    y = convolution(inputs["x"], inputs["w"], attributes, attributes["group"])
    if "bias" in inputs:
        y = y + inputs["bias"].reshape((-1,) + (1,) * 3)
    y = y + inputs["residual"]
    return {"y": y}


def scale(inputs, attributes):
    """The magnitudes of all that is added. Open where that overflows, or NaN weighs what is beside x."""
    y = convolution(np.abs(inputs["x"]), np.abs(inputs["w"]), attributes, attributes["group"])
    beside = 0.0
    if not np.isfinite(inputs["w"]).all():
        beside = convolution(np.zeros_like(inputs["x"]), 1.0 - np.isfinite(inputs["w"]), attributes, attributes["group"], 1.0)
    if "bias" in inputs:
        y = y + 4.0 * np.abs(inputs["bias"].reshape((-1,) + (1,) * 3))
    y = y + 4.0 * np.abs(inputs["residual"])
    return {"y": np.where((beside > 0) | (y > 3e37), np.inf, y)}

"""GatherElements: elements along one axis, each at a place of its own; the nearest place where an index is none."""

import numpy as np


def reference(inputs, attributes):
    data, indices, axis = inputs["data"], inputs["indices"], attributes["axis"]
    count = data.shape[axis]
    places = np.clip(np.where(indices < 0, indices + count, indices), 0, max(count - 1, 0)).astype(np.int64)
    return {"y": np.take_along_axis(data, places, axis=axis)}


def inputs(arrays, random):
    """Most indices are places, some lie on both sides of them."""
    most = max(arrays["data"].shape, default=1) + 1
    indices = random.integers(-most, most + 1, arrays["indices"].shape)
    return {**arrays, "indices": np.asarray(indices, arrays["indices"].dtype)}

"""GatherNd1: slices at places that indices give; the nearest place where an index is none."""

import numpy as np


def reference(inputs, attributes):
    data, indices = inputs["data"], inputs["indices"]
    at = []
    for axis in range(1):
        count = data.shape[axis]
        own = indices[..., axis]
        at.append(np.clip(np.where(own < 0, own + count, own), 0, max(count - 1, 0)).astype(np.int64))
    return {"y": data[tuple(at)]}


def inputs(arrays, random):
    """Most indices are places, some lie on both sides of them."""
    most = max(arrays["data"].shape[:1]) + 1
    return {**arrays, "indices": random.integers(-most, most + 1, arrays["indices"].shape).astype(np.int64)}

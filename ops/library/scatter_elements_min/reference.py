"""ScatterElementsMin: elements of a copy of the data and updates, the lesser of each two."""

import numpy as np


def reference(inputs, attributes):
    data, indices, axis = inputs["data"], inputs["indices"], attributes["axis"]
    y, count = np.array(data), data.shape[axis]
    places = np.clip(np.where(indices < 0, indices + count, indices), 0, count - 1)
    lines, updates = np.moveaxis(y, axis, 0), np.moveaxis(inputs["updates"], axis, 0)
    others = np.indices(lines.shape[1:])
    for place, update in zip(np.moveaxis(places, axis, 0), updates):
        at = (place, *others)
        lines[at] = np.minimum(lines[at], update)
    return {"y": y}


def inputs(arrays, random):
    """Most indices are places, some lie on both sides of them."""
    most = max(arrays["data"].shape) + 1
    indices = random.integers(-most, most + 1, arrays["indices"].shape)
    return {**arrays, "indices": np.asarray(indices, arrays["indices"].dtype)}

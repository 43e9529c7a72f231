"""ScatterNDMax: rows of a copy of the data and updates, the greater of each two."""

import numpy as np


def reference(inputs, attributes):
    data, indices, updates = inputs["data"], inputs["indices"], inputs["updates"]
    y, count = np.array(data), data.shape[0]
    places = np.clip(np.where(indices < 0, indices + count, indices), 0, count - 1)[:, 0]
    for place, update in zip(places, updates):
        y[place] = np.maximum(y[place], update)
    return {"y": y}


def inputs(arrays, random):
    """Most indices are places, some lie on both sides of them."""
    most = arrays["data"].shape[0] + 1
    indices = random.integers(-most, most + 1, arrays["indices"].shape)
    return {**arrays, "indices": np.asarray(indices, arrays["indices"].dtype)}

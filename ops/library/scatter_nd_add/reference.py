"""ScatterNDAdd: rows of a copy of the data and updates, added one after the other."""

import numpy as np


def scattered(inputs, attributes, combine):
    data, indices, updates = inputs["data"], inputs["indices"], inputs["updates"]
    y, count = np.array(data), data.shape[0]
    places = np.clip(np.where(indices < 0, indices + count, indices), 0, count - 1)[:, 0]
    for place, update in zip(places, updates):
        y[place] = combine(y[place], update)
    return y


def reference(inputs, attributes):
    return {"y": scattered(inputs, attributes, np.add)}


def scale(inputs, attributes):
    """Sums cancel: errors are in units of the sum of magnitudes. Sums that exceed float32 are unspecified."""
    sizes = {name: np.abs(np.where(np.isfinite(value), value, 0.0)) for name, value in inputs.items()}
    sizes["indices"] = inputs["indices"]
    total = scattered(sizes, attributes, np.add)
    return {"y": np.where(total > 3e38, np.inf, total)}


def inputs(arrays, random):
    """Most indices are places, some lie on both sides of them."""
    most = arrays["data"].shape[0] + 1
    indices = random.integers(-most, most + 1, arrays["indices"].shape)
    return {**arrays, "indices": np.asarray(indices, arrays["indices"].dtype)}

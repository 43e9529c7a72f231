"""ScatterElementsAdd: elements of a copy of the data and updates, added one after the other."""

import numpy as np


def scattered(inputs, attributes, combine):
    data, indices, axis = inputs["data"], inputs["indices"], attributes["axis"]
    y, count = np.array(data), data.shape[axis]
    places = np.clip(np.where(indices < 0, indices + count, indices), 0, count - 1)
    lines, updates = np.moveaxis(y, axis, 0), np.moveaxis(inputs["updates"], axis, 0)
    others = np.indices(lines.shape[1:])
    for place, update in zip(np.moveaxis(places, axis, 0), updates):
        at = (place, *others)
        lines[at] = combine(lines[at], update)
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
    most = max(arrays["data"].shape) + 1
    indices = random.integers(-most, most + 1, arrays["indices"].shape)
    return {**arrays, "indices": np.asarray(indices, arrays["indices"].dtype)}

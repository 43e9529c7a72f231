"""ScatterElementsMul: elements of a copy of the data and updates, multiplied one after the other."""

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
    return {"y": scattered(inputs, attributes, np.multiply)}


def scale(inputs, attributes):
    """Each factor rounds: above 64 of them errors are in units of y times a 64th of their number. Where partial
    products may leave float32, the result is unspecified."""
    def of(change, combine):
        changed = {name: value if name == "indices" else change(value) for name, value in inputs.items()}
        return scattered(changed, attributes, combine)

    def bits(x):
        size = np.abs(x)
        return np.log2(np.where(np.isfinite(size) & (size > 0.0), size, 1.0))

    if inputs["data"].dtype.kind != "f":
        return {"y": np.zeros(inputs["data"].shape)}
    above = of(lambda x: np.maximum(bits(x), 0.0), np.add)
    below = of(lambda x: np.maximum(-bits(x), 0.0), np.add)
    leaves = (above > 127.0) | (below > 126.0)
    product = np.abs(of(lambda x: np.where(np.isfinite(x), x, 1.0), np.multiply))
    return {"y": np.where(leaves, np.inf, product * np.maximum(1.0, of(np.ones_like, np.add) / 64.0))}


def inputs(arrays, random):
    """Most indices are places, some lie on both sides of them."""
    most = max(arrays["data"].shape) + 1
    indices = random.integers(-most, most + 1, arrays["indices"].shape)
    return {**arrays, "indices": np.asarray(indices, arrays["indices"].dtype)}

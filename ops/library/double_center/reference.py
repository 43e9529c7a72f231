"""DoubleCenter in float64. The columns are centred after the rows are."""

import numpy as np


def reference(inputs, attributes):
    x = inputs["x"]
    with np.errstate(all="ignore"):
        rows = np.mean(x, axis=-1, keepdims=True)
        rest = x - rows
        return {"y": rest - np.mean(rest, axis=-2, keepdims=True), "row_mean": rows[..., 0],
                "column_mean": np.mean(x, axis=-2)}


def inputs(arrays, random):
    """A sum that exceeds float32 leaves a whole matrix open, so most matrices have none."""
    x = arrays["x"]
    if random.random() < 0.25:
        return arrays
    with np.errstate(all="ignore"):
        wide = x.astype(np.float64)
        large = np.isfinite(wide) & (np.abs(wide) * max(x.shape[-2:]) > 1e37)
        return {"x": np.where(large, wide * 2.0**-100, wide).astype(x.dtype)}


def scale(inputs, attributes):
    """Sums cancel: errors are in units of the largest magnitude. Sums that exceed float32 are unspecified."""
    x = inputs["x"]
    size = np.abs(np.where(np.isfinite(x), x, 0.0))
    largest = np.max(size, axis=(-2, -1), keepdims=True, initial=0.0)
    largest = np.where(largest * max(x.shape[-2:]) > 1e38, np.inf, largest)
    return {"y": np.broadcast_to(2.0 * largest, x.shape), "row_mean": np.broadcast_to(largest[..., 0], x.shape[:-1]),
            "column_mean": np.broadcast_to(largest[..., 0, :], x.shape[:-2] + x.shape[-1:])}

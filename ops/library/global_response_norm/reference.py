"""GlobalResponseNorm in float64."""

import numpy as np


def parts(inputs, attributes):
    x = inputs["x"]
    axes = tuple(range(2, x.ndim))
    wide = (slice(None), *(None for _ in axes))
    with np.errstate(all="ignore"):
        norm = np.sqrt(np.sum(x * x, axis=axes, keepdims=True))
        factor = norm / (np.mean(norm, axis=1, keepdims=True) + np.float64(np.float32(attributes["epsilon"])))
        return x, norm, x * factor * inputs["gamma"][wide], inputs["beta"][wide]


def reference(inputs, attributes):
    x, _, scaled, beta = parts(inputs, attributes)
    with np.errstate(all="ignore"):
        return {"y": scaled + beta + x}


def inputs(arrays, random):
    """A square that exceeds float32, or vanishes in it, leaves a whole batch open, so most cases have none."""
    x = arrays["x"]
    if random.random() < 0.25:
        return arrays
    with np.errstate(all="ignore"):
        wide = x.astype(np.float64)
        size = np.abs(wide)
        open_ = (np.isfinite(wide) & (size > 1e12)) | ((size < 1e-12) & (size > 0))
        wide = np.where(open_, np.sign(wide), wide)
        return {**arrays, "x": wide.astype(x.dtype)}


def scale(inputs, attributes):
    """Summands cancel: errors are in units of their magnitudes. Squares that exceed float32, or vanish in it, are unspecified."""
    x, norm, scaled, beta = parts(inputs, attributes)
    with np.errstate(all="ignore"):
        size = np.abs(scaled) + np.abs(beta) + np.abs(x)
        good = (norm < 1e18) & ((norm > 1e-15) | (norm == 0)) & (np.abs(scaled) < 1e37)
        bad = np.any(~good, axis=tuple(range(1, x.ndim)), keepdims=True)
        return {"y": np.where(bad | ~np.isfinite(size), np.inf, size)}

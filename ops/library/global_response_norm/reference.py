"""GlobalResponseNorm in float64."""

import numpy as np


def parts(inputs, attributes):
    x = inputs["x"]
    axes = tuple(range(2, x.ndim))
    wide = (slice(None), *(None for _ in axes))
    with np.errstate(all="ignore"):
        norm = np.sqrt(np.sum(x * x, axis=axes, keepdims=True))
        factor = norm / (np.mean(norm, axis=1, keepdims=True) + attributes["epsilon"])
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
    """Summands cancel: errors are in units of their magnitudes. A channel whose squares exceed float32, or vanish in it, leaves
    its batch open, and a product near the end of float32 its element."""
    x, _, scaled, beta = parts(inputs, attributes)
    axes = tuple(range(2, x.ndim))
    with np.errstate(all="ignore"):
        own = np.sqrt(np.sum(np.square(np.where(np.isfinite(x), x, 0.0)), axis=axes, keepdims=True))
        far = np.any((own >= 1e18) | ((own > 0) & (own <= 1e-15)), axis=1, keepdims=True)
        size = np.abs(scaled) + np.abs(beta) + np.abs(x)
        return {"y": np.where(far | (np.isfinite(size) & (size > 1e37)), np.inf, np.nan_to_num(size, nan=0.0, posinf=0.0))}

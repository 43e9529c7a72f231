"""PowIntegers: y = x1^x2, which wraps; 0 where x2 is negative, unless x1 is 1 or -1."""

import numpy as np


def inputs(arrays, random):
    # Most exponents are small, and most bases are small or odd: others give 0 or 1 for most pairs.
    x1, x2 = arrays["x1"], arrays["x2"]
    small = random.integers(-3 if x2.dtype.kind == "i" else 0, 40, x2.shape).astype(x2.dtype)
    near = random.integers(-3, 4, x1.shape).astype(x1.dtype)
    kind = random.random(x1.shape)
    base = np.where(kind < 0.3, near, np.where(kind < 0.7, x1 | 1, x1))
    return {"x1": base, "x2": np.where(random.random(x2.shape) < 0.7, small, x2)}


def reference(inputs, attributes):
    x1, x2 = np.broadcast_arrays(inputs["x1"], inputs["x2"])
    powers = np.power(x1, np.where(x2 < 0, 0, x2))
    # NumPy takes no negative exponent: 1 / x1 to the power of its size, truncated.
    signs = np.where(x2 % 2 == 0, 1, x1)
    return {"y": np.where(x2 < 0, np.where(abs(x1) == 1, signs, 0), powers).astype(x1.dtype)}

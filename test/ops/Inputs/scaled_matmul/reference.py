"""ScaledMatmul in float64: y = relu((x @ w.T + bias) * scale)."""

import numpy as np


def inputs(arrays, random):
    """Biases of the size of the sums, and scales of 19 bits that bring those into the range of float16; each has a zero after
    it, and some are negative."""
    columns = arrays["bias"].shape[0]
    scales = (random.uniform(1e-3, 1e-2, columns) * random.choice([-1, 1], columns)).astype(np.float32)
    pairs = np.zeros_like(arrays["scale"])
    pairs[:, 0] = (scales.view(np.uint32) & np.uint32(0xffffe000)).view(np.float32)
    bias = random.integers(-5000, 5001, columns).astype(np.int32)
    # The sums of two columns leave int32 where the products have the sign of the bias.
    for column, limit in zip((0, columns - 1), (2**31 - 1, -(2**31))):
        bias[column : column + 1], pairs[column : column + 1, 0] = limit, np.copysign(2.0**-17, limit)
    return {**arrays, "bias": bias, "scale": pairs}


def reference(inputs, attributes):
    sums = inputs["x"].astype(np.int64) @ inputs["w"].astype(np.int64).T + inputs["bias"]
    sums = np.clip(sums, -(2**31), 2**31 - 1)
    return {"y": np.maximum(sums * inputs["scale"][:, 0], 0)}

import numpy as np


def reference(inputs, attributes):
    x1, x2 = inputs["x1"], inputs["x2"]
    if x1.dtype == np.int8:
        return {"y": np.clip(x1.astype(int) + x2, -128, 127)}
    return {"y": x1 + x2}

import numpy as np


def reference(inputs, attributes):
    x = inputs["x"].astype(float)
    norm = np.sqrt(np.sum(x * x, axis=-1, keepdims=True))
    return {"y": x / np.maximum(norm, attributes.get("eps", 1e-12))}

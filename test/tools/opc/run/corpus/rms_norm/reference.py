import numpy as np


def reference(inputs, attributes):
    x = inputs["x"].astype(float)
    rms = np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + attributes.get("eps", 1e-6))
    return {"y": x / rms * inputs["gamma"]}

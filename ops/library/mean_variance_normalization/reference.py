"""MeanVarianceNormalization in float64: each channel is normalised over the whole batch."""

import numpy as np

AXES = (0, 2, 3)


def reference(inputs, attributes):
    centred = inputs["x"] - np.mean(inputs["x"], axis=AXES, keepdims=True)
    deviation = np.sqrt(np.mean(centred * centred, axis=AXES, keepdims=True))
    return {"y": centred / (deviation + 1e-9)}


def scale(inputs, attributes):
    """Differences from the mean cancel. Sets whose squares exceed float32 are unspecified, and those that hardly differ."""
    x = inputs["x"]
    size = np.abs(x) + np.mean(np.abs(x), axis=AXES, keepdims=True)
    centred = x - np.mean(x, axis=AXES, keepdims=True)
    deviation = np.sqrt(np.mean(centred * centred, axis=AXES, keepdims=True)) + 1e-9
    most = np.max(size, axis=AXES, keepdims=True, initial=0.0)
    share = 1.0 + most / deviation
    unspecified = (np.sum(size * size, axis=AXES, keepdims=True) > 1e38) | (deviation < most * 1e-5) | (deviation < 1e-18)
    return {"y": np.where(unspecified, np.inf, (size + np.abs(centred) * share) / deviation)}

"""BatchNorm in float64: y = (x - mean) / sqrt(variance + epsilon) * gamma + beta, where dimension 1 is the channel."""

import numpy as np


def of_channels(inputs, name):
    """A parameter with dimensions of size 1 after the channel."""
    parameter = inputs[name]
    return parameter.reshape(parameter.shape + (1,) * (inputs["x"].ndim - 2))


def reference(inputs, attributes):
    gamma, beta, mean, variance = (of_channels(inputs, name) for name in ("gamma", "beta", "mean", "variance"))
    return {"y": (inputs["x"] - mean) / np.sqrt(variance + attributes["epsilon"]) * gamma + beta}


def scale(inputs, attributes):
    """x and the mean cancel, and so do the product and beta. What overflows float32 on the way is unspecified."""
    gamma, beta, mean, variance = (of_channels(inputs, name) for name in ("gamma", "beta", "mean", "variance"))
    factor = np.abs(gamma) / np.sqrt(np.abs(variance + attributes["epsilon"]))
    size = (np.abs(inputs["x"]) + np.abs(mean)) * factor + np.abs(beta)
    return {"y": np.where(factor > 1e38, np.inf, size)}

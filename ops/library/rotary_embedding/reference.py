"""RotaryEmbedding: (low, high) of each head becomes (low cos - high sin, high cos + low sin)."""

import numpy as np


def reference(inputs, attributes):
    low, high = np.split(inputs["x"], 2, axis=-1)
    cos, sin = inputs["cos"][:, None], inputs["sin"][:, None]
    with np.errstate(over="ignore", invalid="ignore"):
        return {"y": np.concatenate([low * cos - high * sin, high * cos + low * sin], axis=-1)}


def scale(inputs, attributes):
    """Two products may cancel."""
    low, high = np.abs(np.split(inputs["x"], 2, axis=-1))
    cos, sin = np.abs(inputs["cos"])[:, None], np.abs(inputs["sin"])[:, None]
    with np.errstate(over="ignore", invalid="ignore"):
        return {"y": np.concatenate([low * cos + high * sin, high * cos + low * sin], axis=-1)}

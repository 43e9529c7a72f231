"""SplitHeads: [N, L, H * D] to [N, H, L, D]."""

import numpy as np


def reference(inputs, attributes):
    x, heads = inputs["x"], attributes["heads"]
    n, tokens, features = x.shape
    return {"y": np.swapaxes(x.reshape(n, tokens, heads, features // heads), 1, 2)}

"""DepthToSpace, mode DCR: blocks of channels become blocks of pixels."""

import numpy as np


def reference(inputs, attributes):
    x, size = inputs["x"], attributes["blocksize"]
    n, channels, h, w = x.shape
    blocks = x.reshape(n, size, size, channels // size**2, h, w)
    return {"y": np.transpose(blocks, (0, 3, 4, 1, 5, 2)).reshape(n, channels // size**2, h * size, w * size)}

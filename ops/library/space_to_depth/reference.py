"""SpaceToDepth: blocks of pixels become channels."""

import numpy as np


def reference(inputs, attributes):
    x, size = inputs["x"], attributes["blocksize"]
    n, c, height, width = x.shape
    h, w = height // size, width // size
    blocks = x.reshape(n, c, h, size, w, size)
    return {"y": np.transpose(blocks, (0, 3, 5, 1, 2, 4)).reshape(n, size**2 * c, h, w)}

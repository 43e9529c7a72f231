"""ChannelShuffle: the channels of groups interleaved."""

import numpy as np


def reference(inputs, attributes):
    x, groups = inputs["x"], attributes["groups"]
    parts = x.reshape((x.shape[0], groups, x.shape[1] // groups) + x.shape[2:])
    return {"y": np.swapaxes(parts, 1, 2).reshape(x.shape)}

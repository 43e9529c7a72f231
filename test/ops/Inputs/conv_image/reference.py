"""ConvImage in float64: y = relu(conv(x, w) + bias), written over the planes of NumPy's own order."""

import numpy as np

STRIDES, DILATIONS, PADS = (2, 1), (1, 2), ((1, 2), (3, 0))


def planes(x):
    """From [N, C1, H, W, C0] to [N, C1*C0, H, W]."""
    n, c1, h, w, c0 = x.shape
    return x.transpose(0, 1, 4, 2, 3).reshape(n, c1 * c0, h, w)


def conv(x, w, bias):
    c1, kh, kw, o, c0 = w.shape
    filters = w.transpose(3, 0, 4, 1, 2).reshape(o, c1 * c0, kh, kw)
    image = np.pad(planes(x), ((0, 0), (0, 0), *PADS))
    down = max(0, (image.shape[2] - DILATIONS[0] * (kh - 1) - 1) // STRIDES[0] + 1)
    across = max(0, (image.shape[3] - DILATIONS[1] * (kw - 1) - 1) // STRIDES[1] + 1)
    y = np.zeros((x.shape[0], o, down, across)) + bias[:, None, None]
    for i in range(kh):
        for j in range(kw):
            rows = slice(i * DILATIONS[0], i * DILATIONS[0] + (down - 1) * STRIDES[0] + 1, STRIDES[0])
            columns = slice(j * DILATIONS[1], j * DILATIONS[1] + (across - 1) * STRIDES[1] + 1, STRIDES[1])
            if down and across:
                y += np.einsum("nchw,oc->nohw", image[:, :, rows, columns], filters[:, :, i, j])
    return y.reshape(x.shape[0], o // 16, 16, down, across).transpose(0, 1, 3, 4, 2)


def reference(inputs, attributes):
    return {"y": np.maximum(conv(inputs["x"], inputs["w"], inputs["bias"]), 0)}


def scale(inputs, attributes):
    """What a rounding error is measured by: the sum of the magnitudes that an element adds up."""
    return {"y": conv(np.abs(inputs["x"]), np.abs(inputs["w"]), np.abs(inputs["bias"]))}

import numpy as np


def reference(inputs, attributes):
    x = inputs["x"].astype(np.float32)
    most = np.max(np.abs(x), axis=-1)
    return {"y": np.rint(x * (np.float32(127) / most)[..., None]).astype("i1"), "scale": most / 127}

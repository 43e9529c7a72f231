import numpy as np


def reference(inputs, attributes):
    var = inputs["var"].astype(float)
    np.add.at(var, inputs["index"], attributes.get("alpha", 1.0) * inputs["source"].astype(float))
    return {"var": var}

import numpy as np


def reference(inputs, attributes):
    hot = inputs["x"][..., None] == np.arange(attributes["depth"])
    return {"y": np.where(hot, attributes.get("on_value", 1.0), attributes.get("off_value", 0.0))}

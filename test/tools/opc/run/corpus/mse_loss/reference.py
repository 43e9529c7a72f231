import numpy as np


def reference(inputs, attributes):
    square = (inputs["predict"].astype(float) - inputs["label"].astype(float)) ** 2
    reduction = attributes.get("reduction", "mean")
    if reduction == "none":
        return {"y": square}
    return {"y": np.reshape(np.sum(square) if reduction == "sum" else np.mean(square), [1])}

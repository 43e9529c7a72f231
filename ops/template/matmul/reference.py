"""MyOperator in float64: y = max(a b + bias, 0). Only `opc test` runs this file."""

import numpy as np


def reference(inputs, attributes):
    with np.errstate(invalid="ignore"):
        return {"y": np.maximum(inputs["a"] @ inputs["b"] + inputs["bias"], 0.0)}


def scale(inputs, attributes):
    """The magnitudes of all that is added: the tolerance is relative to them, since sums may cancel."""
    with np.errstate(invalid="ignore"):
        return {"y": np.abs(inputs["a"]) @ np.abs(inputs["b"]) + np.abs(inputs["bias"])}

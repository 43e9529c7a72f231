"""MyOperator in float64: y = |x1 - x2|. Only `opc test` runs this file."""

import numpy as np


def reference(inputs, attributes):
    with np.errstate(invalid="ignore"):
        return {"y": np.abs(inputs["x1"] - inputs["x2"])}

"""Writes a reference of AddRelu that is some units in the last place away at its largest element."""

import sys

print(f"""import numpy as np


def reference(inputs, attributes):
    exact = inputs["x1"] + inputs["x2"]
    y = np.maximum(exact, 0.0)
    if y.shape == (33,):
        # The stored type is not told: float16 inputs are those that float16 holds.
        half = all((x == x.astype(np.float16)).all() for x in inputs.values())
        stored = np.float16 if half else np.float32
        index = np.argmax(y)
        value = y.astype(stored)[index]
        for _ in range({int(sys.argv[1])}):
            value = np.nextafter(value, stored(np.inf))
        y[index] = value
    return {{"y": y}}
""", end="")

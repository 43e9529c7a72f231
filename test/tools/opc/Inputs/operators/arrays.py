"""arrays.py DIR writes inputs; arrays.py DIR X Y ALPHA Z checks Z = X + ALPHA * Y, computed by NumPy in Z's type."""
import sys

import numpy as np

folder, names = sys.argv[1], sys.argv[2:]
if not names:
    random = np.random.default_rng(7)
    for dtype, suffix in ((np.float16, "16"), (np.float32, "32")):
        for name in "xy":
            np.save(f"{folder}/{name}{suffix}.npy", random.standard_normal((7, 733)).astype(dtype))
    np.save(f"{folder}/one16.npy", np.ones(1, np.float16))
else:
    x, y, z = (np.load(f"{folder}/{name}.npy") for name in (names[0], names[1], names[3]))
    alpha = z.dtype.type(float(names[2]))
    expected = x.astype(z.dtype) + alpha * y.astype(z.dtype)
    assert z.shape == x.shape and np.array_equal(z, expected), np.abs(z - expected).max()

import numpy as np
from inputs import case, normal


def special(dtype, *shape):
    x = normal(dtype, *shape)
    x.reshape(-1)[::7] = np.nan
    x.reshape(-1)[1::11] = np.inf
    x.reshape(-1)[2::13] = -np.inf
    return x


CASES = [
    case({"posinf": 100.0}, x=special("f4", 4099)),
    case(x=special("f2", 8, 1024)),
    case({"nan": 2.0, "neginf": -5.0}, x=special("f2", 10)),
    case(x=special("f4", 3, 5, 457)),
]

import numpy as np
from inputs import case, integers, normal

TOLERANCE = {"float32": (1e-5, 1e-5), "float16": (4e-3, 4e-3)}
CASES = [
    case(var=normal("f4", 5, 33), index=np.array([0, 4, 4, 1, 0, 3, 4], "i4"), source=normal("f4", 7, 33, seed=1)),
    case({"alpha": 2.0}, var=normal("f2", 8, 64), index=integers("i4", 0, 7, 16), source=normal("f2", 16, 64, seed=1)),
    case({"alpha": -1.0}, var=integers("i4", -9, 9, 2, 3), index=integers("i4", 0, 1, 1),
         source=integers("i4", -9, 9, 1, 3)),
]

from inputs import case, normal

TOLERANCE = {"float32": (1e-6, 1e-6), "float16": (4e-3, 4e-3)}
CASES = [
    case(start=normal("f4", 6007), end=normal("f4", 6007, seed=1), weight=normal("f4", 1)),
    case(start=normal("f2", 7, 289), end=normal("f2", 7, 289, seed=1), weight=normal("f2", 7, 289, seed=2)),
    case(start=normal("f2", 4, 4032), end=normal("f2", 4, 4032, seed=1), weight=normal("f2", 1)),
    case(start=normal("f4", 1), end=normal("f4", 1, seed=1), weight=normal("f4", 1, seed=2)),
]

from inputs import case, normal

TOLERANCE = {"float32": (1e-5, 1e-6), "float16": (1e-3, 1e-4)}
CASES = [
    case(x=normal("f4", 7, 1531)),
    case(x=normal("f2", 16, 2, 512)),
    case(x=normal("f2", 1, 3)),
    case(x=normal("f4", 5, 3, 1361)),
]

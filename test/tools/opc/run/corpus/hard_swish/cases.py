from inputs import case, normal

TOLERANCE = {"float32": (1e-6, 1e-6), "float16": (4e-3, 4e-3)}
CASES = [
    case(x=normal("f4", 11, 967, scale=4)),
    case(x=normal("f2", 32, 496, scale=4)),
    case(x=normal("f2", 1)),
    case(x=normal("f4", 40000, scale=4)),
]

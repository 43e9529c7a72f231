from inputs import case, normal

TOLERANCE = {"float32": (2e-6, 0.0), "float16": (1e-3, 1e-7)}
CASES = [
    case(x=normal("f2", 5, 3001, scale=4)),
    case(x=normal("f4", 4, 2048, scale=4)),
    case(x=normal("f4", 6)),
    case(x=normal("f2", 65536)),
]

from inputs import case, normal

TOLERANCE = {"float32": (1e-5, 1e-4), "float16": (1e-3, 1e-3)}
CASES = [
    case(x=normal("f4", 37, 301)),
    case(x=normal("f2", 64, 128)),
    case(x=normal("f2", 3, 5)),
    case(x=normal("f4", 2, 9, 4099)),
]

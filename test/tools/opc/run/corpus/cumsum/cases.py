from inputs import case, normal

TOLERANCE = {"float32": (1e-5, 1e-5), "float16": (2e-3, 2e-3)}
CASES = [
    case({"exclusive": True}, x=normal("f4", 11, 1301)),
    case(x=normal("f2", 8, 2, 512)),
    case(x=normal("f2", 3, 1)),
    case({"exclusive": True, "reverse": True}, x=normal("f4", 5, 3, 1009)),
]

from inputs import case, normal

TOLERANCE = {"float32": (1e-6, 0.0), "float16": (2e-3, 1e-7)}
CASES = [
    case({"negative_slope": 0.25}, x=normal("f4", 3, 8192)),
    case(x=normal("f2", 8191)),
    case(x=normal("f2", 30011)),
    case(x=normal("f4", 2, 2)),
]

from inputs import case, normal

TOLERANCE = {"float32": (1e-5, 1e-7)}
CASES = [
    case(x=normal("f4", 29, 77)),
    case({"eps": 100.0}, x=normal("f4", 24, 64)),
    case(x=normal("f4", 1, 2)),
    case(x=normal("f4", 3, 5, 3001)),
]

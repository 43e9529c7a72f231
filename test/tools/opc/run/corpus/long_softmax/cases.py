from inputs import case, normal

TOLERANCE = {"float32": (1e-5, 1e-9)}
CASES = [
    case(x=normal("f4", 3, 3001)),
    case(x=normal("f4", 2, 2048)),
    case(x=normal("f4", 1, 5)),
]

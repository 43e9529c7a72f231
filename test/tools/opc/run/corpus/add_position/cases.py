from inputs import case, normal

TOLERANCE = {"float32": (1e-6, 1e-6), "float16": (2e-3, 2e-3)}
CASES = [
    case({"start": 1.0}, x=normal("f2", 3, 5, 131)),
    case(x=normal("f4", 16, 256)),
    case({"step": 0.5}, x=normal("f2", 2, 1)),
    case({"start": -3.0, "step": 0.25}, x=normal("f4", 3, 10007)),
]

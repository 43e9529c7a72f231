from inputs import case, normal

TOLERANCE = {"float32": (1e-6, 1e-6), "float16": (2e-3, 2e-3)}
CASES = [
    case({"scale": 2.5}, a=normal("f4", 13, 173), b=normal("f4", 13, 173, seed=1)),
    case(a=normal("f4", 8192), b=normal("f4", 8192, seed=1)),
    case({"scale": -0.5}, a=normal("f2", 1037), b=normal("f2", 1037, seed=1)),
    case(a=normal("f2", 5, 7), b=normal("f2", 5, 7, seed=1)),
]

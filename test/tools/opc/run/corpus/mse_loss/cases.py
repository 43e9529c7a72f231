from inputs import case, normal

TOLERANCE = {"float32": (1e-5, 1e-6), "float16": (2e-3, 1e-5)}
CASES = [
    case(predict=normal("f4", 5003), label=normal("f4", 5003, seed=1)),
    case({"reduction": "sum"}, predict=normal("f2", 4, 1024), label=normal("f2", 4, 1024, seed=1)),
    case({"reduction": "none"}, predict=normal("f2", 3, 2011), label=normal("f2", 3, 2011, seed=1)),
    case({"reduction": "none"}, predict=normal("f4", 2), label=normal("f4", 2, seed=1)),
]

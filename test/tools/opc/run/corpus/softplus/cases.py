from inputs import case, normal

TOLERANCE = {"float32": (2e-6, 1e-6), "float16": (1e-3, 1e-6)}
CASES = [
    case({"beta": 2.0, "threshold": 5.0}, x=normal("f4", 14011, scale=4)),
    case(x=normal("f2", 16, 1024, scale=12)),
    case(x=normal("f4", 3)),
    case({"threshold": 1.5}, x=normal("f2", 7, 919)),
]

from inputs import case, normal

TOLERANCE = {"float32": (1e-6, 1e-6), "float16": (2e-3, 2e-3)}
CASES = [
    case({"alpha": 0.5, "beta": -2.0}, x=normal("f4", 20011), y0=normal("f4", 20011, seed=1)),
    case(x=normal("f2", 8, 4, 128), y0=normal("f2", 8, 4, 128, seed=1)),
    case({"beta": 0.25}, x=normal("f2", 3), y0=normal("f2", 3, seed=1)),
    case({"alpha": 3.0}, x=normal("f4", 257, 19), y0=normal("f4", 257, 19, seed=1)),
]

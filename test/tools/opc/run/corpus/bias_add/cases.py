from inputs import case, normal

TOLERANCE = {"float32": (1e-6, 1e-6), "float16": (3e-3, 3e-3)}
CASES = [
    case(x=normal("f4", 10, 131), scale=normal("f4", 131), bias=normal("f4", 131, seed=1)),
    case(x=normal("f2", 2, 8, 256), scale=normal("f2", 256), bias=normal("f2", 256, seed=1)),
    case(x=normal("f2", 1, 3), scale=normal("f2", 3), bias=normal("f2", 3, seed=1)),
    case(x=normal("f4", 4, 5, 1009), scale=normal("f4", 1009)),
]

from inputs import case, uniform

TOLERANCE = {"float32": (1e-5, 1e-6), "float16": (2e-3, 1e-6)}
CASES = [
    case(x=uniform("f4", -4, 4, 9001)),
    case(x=uniform("f2", -4, 4, 16, 1024)),
    case(x=uniform("f2", -4, 4, 13)),
    case(x=uniform("f4", -4, 4, 2, 3, 5, 1021)),
]

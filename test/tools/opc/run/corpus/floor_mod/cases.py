from inputs import case, integers, uniform

TOLERANCE = {"float32": (0.0, 2e-5), "float16": (1e-3, 1e-3)}
CASES = [
    case(x1=integers("i4", -3000, 3000, 5009), x2=integers("i4", 1, 50, 5009)),
    case(x1=uniform("f4", -50, 50, 128, 64), x2=uniform("f4", 3, 9, 128, 64)),
    case(x1=integers("f2", -60, 60, 4), x2=integers("f2", 1, 9, 4)),
    case(x1=integers("f2", -60, 60, 3, 4099), x2=integers("f2", 1, 9, 3, 4099)),
]

from inputs import case, normal

REMARKS = ["ascendc_c24"]
TOLERANCE = {"float32": (1e-6, 0.0)}
CASES = [
    case(x=normal("f4", 11, 301)),
    case(x=normal("f2", 2, 8, 128)),
    case(x=normal("f2", 1, 3)),
    case(x=normal("f4", 2, 5003)),
]

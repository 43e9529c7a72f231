from inputs import case, normal

REMARKS = ["ascendc_c24"]
TOLERANCE = {"float32": (1e-5, 1e-5)}
CASES = [
    case(x=normal("f4", 13, 5)),
    case(x=normal("f4", 64, 3, scale=4)),
    case(x=normal("f4", 1, 7)),
    case(x=normal("f4", 201, 2)),
]

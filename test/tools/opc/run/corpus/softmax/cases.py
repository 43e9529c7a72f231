from inputs import case, normal

REMARKS = ["ascendc_c24"]
TOLERANCE = {"float32": (1e-5, 1e-9), "float16": (2e-3, 1e-6)}
CASES = [
    case(x=normal("f4", 13, 77, scale=3)),
    case(x=normal("f2", 8, 4, 128, scale=3)),
    case({"axis": -1}, x=normal("f2", 1, 3)),
    case({"axis": 1}, x=normal("f4", 7, 5003, scale=3)),
]

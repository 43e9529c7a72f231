from inputs import case, normal

REMARKS = ["ascendc_c24"]
TOLERANCE = {"float32": (1e-5, 1e-6), "float16": (2e-3, 1e-5)}
CASES = [
    case(x=normal("f4", 5, 331), gamma=normal("f4", 331)),
    case(x=normal("f2", 4, 4, 512), gamma=normal("f2", 512)),
    case({"eps": 0.25}, x=normal("f2", 1, 7), gamma=normal("f2", 7)),
    case(x=normal("f4", 3, 4096), gamma=normal("f4", 4096)),
]

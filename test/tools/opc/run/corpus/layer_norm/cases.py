from inputs import case, normal, uniform

REMARKS = ["ascendc_c24"]
TOLERANCE = {"float32": (1e-5, 1e-5), "float16": (2e-3, 2e-3)}
CASES = [
    case(x=normal("f4", 9, 131), gamma=normal("f4", 131), beta=normal("f4", 131, seed=1)),
    case(x=normal("f2", 2, 8, 256), gamma=normal("f2", 256), beta=normal("f2", 256, seed=1)),
    case({"epsilon": 0.5}, x=normal("f2", 2, 5), gamma=normal("f2", 5), beta=normal("f2", 5, seed=1)),
    case(x=uniform("f4", 9, 11, 3, 4001), gamma=normal("f4", 4001), beta=normal("f4", 4001, seed=1)),
]

from inputs import case, integers, normal

CASES = [
    case(x=normal("f4", 50021, scale=2)),
    case({"min_value": -0.5, "max_value": 0.25}, x=normal("f2", 2, 4096)),
    case({"min_value": -100.0, "max_value": 50.0}, x=integers("i4", -500, 500, 7)),
    case({"min_value": 3.0, "max_value": 4.0}, x=integers("i2", -9, 9, 5, 1021)),
]

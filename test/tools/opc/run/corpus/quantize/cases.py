from inputs import case, normal

CASES = [
    case({"scale": 0.1}, x=normal("f4", 20011, scale=5)),
    case({"scale": 0.5, "zero_point": 3}, x=normal("f2", 6, 2048, scale=5)),
    case({"scale": 0.25, "zero_point": -100}, x=normal("f2", 11, scale=5)),
]

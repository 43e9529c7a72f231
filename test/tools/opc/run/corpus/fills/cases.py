from inputs import case, normal

CASES = [
    case({"value": 0.5}, x=normal("f4", 10007)),
    case({"value": -2.25}, x=normal("f2", 4, 4096)),
    case({"value": 7.0}, x=normal("i4", 3)),
    case({"value": -9.0}, x=normal("i2", 5, 7, 401)),
    case({"value": -3.0}, x=normal("i1", 8193)),
]

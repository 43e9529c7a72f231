from inputs import case, normal

CASES = [
    case(x=normal("f4", 7, 131)),
    case({"low": -0.25, "high": 2.0}, x=normal("f4", 1024)),
    case({"low": 0.5}, x=normal("f4", 3)),
]

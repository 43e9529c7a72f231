from inputs import case, integers

CASES = [
    case({"depth": 13}, x=integers("i4", -2, 13, 31)),
    case({"depth": 64, "on_value": 2.0, "off_value": -1.0}, x=integers("i4", 0, 63, 4, 8)),
    case({"depth": 1}, x=integers("i4", 0, 1, 3)),
    case({"depth": 2003, "off_value": 0.5}, x=integers("i4", 0, 2002, 7)),
]

from inputs import case, integers

CASES = [
    case({"bins": 13}, x=integers("i4", -2, 15, 700)),
    case({"bins": 64}, x=integers("i4", 0, 63, 2, 256)),
    case({"bins": 5}, x=integers("i4", 0, 4, 3)),
]

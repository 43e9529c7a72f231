from inputs import case, integers, normal

CASES = [
    case(x=normal("f2", 37, 61)),
    case(x=integers("i2", -999, 999, 2, 32, 48)),
    case(x=normal("f2", 3, 1)),
    case(x=integers("i2", -999, 999, 3, 17, 5)),
]

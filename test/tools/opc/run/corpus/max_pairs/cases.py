from inputs import case, integers, normal

CASES = [
    case(x=normal("f4", 1, 4006)),
    case(x=normal("f2", 4, 1024)),
    case(x=integers("i2", -99, 99, 3, 2)),
    case(x=integers("i2", -999, 999, 9, 1502)),
]

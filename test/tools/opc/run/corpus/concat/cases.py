from inputs import case, integers, normal

CASES = [
    case(x1=integers("i4", -99, 99, 13, 17), x2=integers("i4", -99, 99, 13, 41)),
    case(x1=normal("f2", 4, 6, 64), x2=normal("f2", 4, 6, 128)),
    case(x1=integers("i2", -99, 99, 1, 3), x2=integers("i2", -99, 99, 1, 1)),
    case(x1=normal("f4", 7, 1009), x2=normal("f4", 7, 2)),
]

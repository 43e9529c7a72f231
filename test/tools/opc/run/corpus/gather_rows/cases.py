from inputs import case, integers, normal

CASES = [
    case(x=normal("f4", 11, 37), indices=integers("i4", -11, 10, 17)),
    case(x=normal("f2", 32, 4, 64), indices=integers("i4", 0, 31, 3, 8)),
    case(x=integers("i1", -9, 9, 3, 5), indices=integers("i4", 0, 2, 1)),
    case(x=normal("f4", 5, 2011), indices=integers("i4", -5, 4, 7)),
]

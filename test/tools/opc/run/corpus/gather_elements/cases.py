from inputs import case, integers, normal

CASES = [
    case(x=normal("f4", 5, 97), index=integers("i4", 0, 96, 5, 41)),
    case(x=normal("f2", 2, 4, 128), index=integers("i4", 0, 127, 2, 4, 64)),
    case(x=integers("i4", -99, 99, 1, 3), index=integers("i4", 0, 2, 1, 7)),
    case(x=normal("f4", 3, 4001), index=integers("i4", 0, 4000, 3, 5003)),
]

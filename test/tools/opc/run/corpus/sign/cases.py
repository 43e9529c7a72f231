from inputs import case, integers, normal

CASES = [
    case(x=integers("f4", -2, 2, 5003)),
    case(x=normal("f2", 12, 512)),
    case(x=integers("i4", -2, 2, 17)),
    case(x=integers("i4", -70000, 70000, 61, 83)),
]

from inputs import case, integers, normal

CASES = [
    case(x=normal("f4", 7001)),
    case(x=normal("f2", 20, 512)),
    case(x=integers("i4", -9999999, 9999999, 3)),
    case(x=integers("u1", 0, 255, 6007)),
    case(x=integers("i1", -128, 127, 77, 31)),
    case(x=integers("i2", -2000, 2000, 5120)),
]

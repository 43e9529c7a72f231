from inputs import case, integers, normal

CASES = [
    case(x1=normal("f4", 30011), x2=normal("f4", 30011)),
    case(x1=normal("f2", 64, 1024), x2=normal("f2", 64, 1024)),
    case(x1=normal("f2", 5), x2=normal("f2", 5)),
    case(x1=integers("i4", -9999, 9999, 3, 7, 131), x2=integers("i4", -9999, 9999, 3, 7, 131)),
    case(x1=integers("i2", -999, 999, 43000), x2=integers("i2", -999, 999, 43000)),
    case(x1=integers("i1", -128, 127, 70001), x2=integers("i1", -128, 127, 70001)),
]

from inputs import case, integers, normal

REMARKS = ["ascendc_c24"]
CASES = [
    case(x=normal("f4", 3, 53)),
    case(x=normal("f2", 2, 2, 64)),
    case(x=integers("i1", -9, 9, 1, 1)),
    case(x=integers("i4", -9, 9, 2, 1009)),
]

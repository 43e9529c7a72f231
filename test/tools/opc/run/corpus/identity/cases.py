from inputs import case, integers, normal

CASES = [
    case(x=integers("i8", -(2**40), 2**40, 7001)),
    case(x=normal("f2", 4, 8192)),
    case(x=integers("i1", -128, 127, 5)),
    case(x=normal("f4", 3, 5003)),
]

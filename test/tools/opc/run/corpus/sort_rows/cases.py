from inputs import case, normal

CASES = [
    case(x=normal("f4", 3, 701)),
    case(x=normal("f2", 2, 2, 512)),
    case(x=normal("f2", 1, 5)),
    case(x=normal("f4", 2, 1999)),
]

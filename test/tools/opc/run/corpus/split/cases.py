from inputs import case, normal

CASES = [
    case(x=normal("f4", 11, 74)),
    case(x=normal("f2", 4, 8, 256)),
    case(x=normal("f2", 1, 2)),
    case(x=normal("f4", 3, 5, 2018)),
]

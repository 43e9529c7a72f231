from inputs import case, integers, normal

CASES = [
    case(var=normal("f4", 7, 37), indices=integers("i4", 0, 6, 9), updates=normal("f4", 9, 37, seed=1)),
    case(var=normal("f2", 16, 2, 64), indices=integers("i4", -1, 16, 8), updates=normal("f2", 8, 2, 64, seed=1)),
    case(var=normal("f2", 2, 1), indices=integers("i4", 0, 1, 1), updates=normal("f2", 1, 1, seed=1)),
]

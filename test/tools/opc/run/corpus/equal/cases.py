from inputs import case, integers

CASES = [
    case(x1=integers("f4", 0, 3, 8209), x2=integers("f4", 0, 3, 8209, seed=1)),
    case(x1=integers("f2", 0, 3, 4, 4096), x2=integers("f2", 0, 3, 4, 4096, seed=1)),
    case(x1=integers("f2", 0, 3, 9), x2=integers("f2", 0, 3, 9, seed=1)),
]

from inputs import case, integers

CASES = [
    case(x1=integers("i4", -(2**31), 2**31 - 1, 5003), x2=integers("i4", -(2**31), 2**31 - 1, 5003, seed=1)),
    case(x1=integers("i2", -(2**15), 2**15 - 1, 4, 4096), x2=integers("i2", -(2**15), 2**15 - 1, 4, 4096, seed=1)),
    case(x1=integers("u2", 0, 2**16 - 1, 7), x2=integers("u2", 0, 2**16 - 1, 7, seed=1)),
]

from inputs import case, integers, normal

CASES = [
    case({"begin": [1, 2, 5], "size": [3, 4, 37]}, x=normal("f4", 5, 7, 101)),
    case({"begin": [0, 16], "size": [8, 64]}, x=normal("f2", 8, 128)),
    case({"begin": [3], "size": [1]}, x=integers("i1", -9, 9, 5)),
    case({"begin": [1, 0, 2, 1], "size": [-1, 2, 3, -1]}, x=integers("i4", -9, 9, 6, 3, 5, 211)),
]

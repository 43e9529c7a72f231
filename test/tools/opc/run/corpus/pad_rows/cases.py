from inputs import case, integers, normal

CASES = [
    case({"paddings": [3, 2], "value": -1.5}, x=normal("f4", 5, 64)),
    case({"paddings": [8, 8]}, x=normal("f4", 4, 64)),
    case({"paddings": [0, 1], "value": 7.0}, x=integers("i4", -9, 9, 2, 1)),
    case({"paddings": [5, 0], "value": 2.0}, x=integers("i4", -9, 9, 2, 2, 307)),
]

from inputs import case, distinct

CASES = [
    case({"k": 5}, x=distinct("f4", 3, 101)),
    case({"k": 128}, x=distinct("f4", 2, 4, 128)),
    case({"k": 1}, x=distinct("f4", 2, 1)),
]

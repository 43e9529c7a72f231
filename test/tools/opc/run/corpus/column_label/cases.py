from inputs import case, distinct, normal

CASES = [
    case(x=distinct("f4", 9, 37), table=normal("f4", 9)),
    case(x=distinct("f4", 5, 200), table=normal("f4", 5)),
    case(x=distinct("f4", 70, 64), table=normal("f4", 70)),
    case(x=distinct("f4", 2, 3), table=normal("f4", 2)),
]

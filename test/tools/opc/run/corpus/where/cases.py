from inputs import case, integers, normal

CASES = [
    case(condition=integers("?", 0, 1, 20011), x1=normal("f4", 20011), x2=normal("f4", 20011, seed=1)),
    case(condition=integers("?", 0, 1, 64, 512), x1=normal("f2", 64, 512), x2=normal("f2", 64, 512, seed=1)),
    case(condition=integers("?", 0, 1, 5), x1=normal("f2", 5), x2=normal("f2", 5, seed=1)),
]

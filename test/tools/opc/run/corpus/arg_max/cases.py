from inputs import case, distinct

REMARKS = ["ascendc_c24"]
CASES = [
    case(x=distinct("f4", 6, 211)),
    case(x=distinct("f2", 4, 256)),
    case(x=distinct("f2", 2, 3)),
    case(x=distinct("f4", 2, 3, 5003)),
]

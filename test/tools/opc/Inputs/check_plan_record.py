"""Holds the record of `opc compile --explain-plan` to the planned module: check_plan_record.py RECORD MODULE BODY."""
import json
import re
import sys

record = json.load(open(sys.argv[1]))
module = open(sys.argv[2]).read()
kernels = re.split(r"func\.func @", module)[1:]
width = {"f16": 2, "f32": 4, "i8": 1, "i16": 2, "i32": 4, "ui8": 1}
plans = {plan["kernel"]: plan for plan in record["plans"]}
assert record["schema_version"] == 1 and plans
for text in kernels:
    name = re.match(r"\w+", text).group()
    found = {}
    for buffer, address, slots, size, kind in re.findall(r'aicore\.buffer "(\w+)" at (\d+) : memref<(?:(\d+)x)?(\d+)x(\w+), ', text):
        found[buffer] = (int(address), int(slots or 1) * int(size) * width[kind], int(slots or 1))
    if not found:
        continue  # a tiling function
    plan = plans.pop(name)
    told = {entry["name"]: (entry["address"], entry["bytes"], entry["slots"]) for entry in plan["buffers"]}
    assert told == found, (name, told, found)
    assert plan["ub_bytes"] == max(address + size for address, size, _ in found.values()) <= record["ub_bytes"]
    assert plan["peak_bytes"] == sum(entry["bytes"] for entry in plan["buffers"] if entry["at_peak"]) > 0
    for place in [plan["peak"]] + [entry["place"] for entry in plan["buffers"]]:
        assert place["file"].endswith(sys.argv[3]) and place["line"] > 0, place
assert not plans, plans

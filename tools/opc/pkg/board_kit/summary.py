"""summary.py op_summary.csv TYPE: the times of one operator, in microseconds."""

import csv
import statistics
import sys

path, op_type = sys.argv[1:]
times = {}
with open(path, newline="", encoding="utf-8-sig") as file:
    for row in csv.DictReader(file):
        if row.get("OP Type") == op_type:
            times.setdefault(row.get("Input Shapes", ""), []).append(float(row["Task Duration(us)"]))
if not times:
    sys.exit(f"error: {path} has no task of type {op_type}")
print("input shapes | launches | median us | shortest us")
for shapes, values in sorted(times.items()):
    print(f"{shapes} | {len(values)} | {statistics.median(values):.2f} | {min(values):.2f}")

"""Holds a calibration to the constants that its measurements were made with.

    check_calibration.py TRUTH.json RECORD.json FIGURES.json

Every constant that is told as identifiable lies within four standard errors of the truth; those that were changed come
out nearer to it than to what was assumed; the file holds exactly those that were fitted above 0.
"""
import json
import sys

truth, record, figures = (json.load(open(path)) for path in sys.argv[1:])
true = {entry["name"]: entry["value"] for entry in truth["figures"]}
written = {entry["name"]: entry["value"] for entry in figures["figures"]}
found = {entry["name"]: entry for entry in record["figures"]}
for name, entry in found.items():
    if not entry["identifiable"]:
        assert "fitted" not in entry and name not in written, entry
        continue
    expected = true.get(name, entry["assumed"])
    assert 0 < entry["standard_error"] < 1e3, entry
    assert abs(entry["fitted"] - expected) <= 4 * entry["standard_error"], (entry, expected)
    assert (name in written) == (entry["fitted"] > 0), entry
for name in ("load_rate", "store_rate", "load_start_cycles", "copy_row_cycles", "vector_exp_cycles", "vector_divide_cycles"):
    entry = found[name]
    assert entry["identifiable"] and abs(entry["fitted"] - true[name]) < abs(entry["fitted"] - entry["assumed"]), entry
for name in ("flag_cycles", "barrier_cycles"):
    assert not found[name]["identifiable"], found[name]
assert record["skipped_rows"] == 1 and record["rows"] == 48, record
assert 0.005 < record["relative_residual"] < 0.02, record["relative_residual"]
print(sum(entry["identifiable"] for entry in found.values()), "figures within their error bars")

"""Holds what profile.html says to profile.json, to the vendor's tables and to the trace beside it.

    check_profile_page.py FOLDER [--browser]

The page carries its data; with --browser it is opened in headless Chromium, and every number that it
shows is compared as well. Without a Chromium that part says so and is left out.
"""
import csv
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
profile = json.loads((folder / "profile.json").read_text())
page = (folder / "profile.html").read_text(encoding="utf-8")


class Page(html.parser.HTMLParser):
    """Scripts, numbers and addresses, as a browser sees them."""

    def __init__(self):
        super().__init__()
        self.scripts, self.values, self.addresses, self.names, self.within = [], [], [], [], None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.names.append(tag)
        self.addresses += [attributes[key] for key in ("src", "href") if key in attributes]
        if tag == "script":
            self.within = attributes
            self.scripts.append([attributes, ""])
        if tag == "data":
            self.values.append((attributes["data-path"], attributes["value"]))

    def handle_endtag(self, tag):
        if tag == "script":
            self.within = None

    def handle_data(self, text):
        if self.within is not None:
            self.scripts[-1][1] += text


def look(path):
    at = profile
    for key in path.split("."):
        at = at[int(key)] if isinstance(at, list) else at[key]
    return at


source = Page()
source.feed(page)
# One page: nothing from elsewhere, and a name that ends a script would show as a third one.
assert [entry[0].get("type", "") for entry in source.scripts] == ["application/json", ""], "scripts"
assert source.addresses == ["data:,"], source.addresses
assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page), "the page names an address"
data = json.loads(source.scripts[0][1])
assert data["profile"] == profile, "the page carries other numbers than profile.json"

# The timeline adds up to the sums: nothing is drawn that was not counted, and nothing is missing.
steps, lives = data["steps"], data["lives"]
assert len(steps["start"]) == profile["timeline"]["steps"] and len(lives["start"]) == profile["timeline"]["lives"]
if profile["timeline"]["dropped_steps"] == 0:
    for pipe in profile["pipes"]:
        if pipe["pipe"] == "s":  # its own instructions are no steps
            continue
        of = [i for i, at in enumerate(steps["instruction"]) if data["instructions"][at]["pipe"] == pipe["pipe"]]
        work = [i for i in of if not data["instructions"][steps["instruction"][i]]["sync"]]
        assert sum(steps["cycles"][i] for i in work) == pipe["busy_cycles"], pipe
        assert sum(steps["cycles"][i] for i in of) == pipe["busy_cycles"] + pipe["sync_cycles"], pipe
        assert len(work) == pipe["instructions"], pipe
    moved = {"load": 0, "store": 0}
    for at, amount in zip(steps["instruction"], steps["amount"]):
        name = data["instructions"][at]["name"]
        if name in moved:
            moved[name] += amount
    assert moved["load"] == profile["gm_read_bytes"] and moved["store"] == profile["gm_written_bytes"], moved
# A buffer is held inside its slots, inside the launch, and by one tenure at a time.
for i, buffer in enumerate(lives["buffer"]):
    of = profile["buffers"][buffer]
    end = of["address"] + of["slot_bytes"] * of["slots"]
    assert of["address"] <= lives["address"][i] and lives["address"][i] + lives["bytes"][i] <= end, (i, of)
    assert 0 <= lives["start"][i] < lives["end"][i] <= profile["cycles"], i

# The vendor's tables say the same.
table = lambda name: list(csv.DictReader((folder / name).open(newline="")))
(summary,) = table("op_summary.csv")
assert int(summary["total_cycles"]) == profile["cycles"] and summary["OP Type"] == profile["operator"]
for name, pipe in (("vec", "v"), ("mte2", "mte2"), ("mte3", "mte3"), ("scalar", "s")):
    busy = next(of["busy_cycles"] for of in profile["pipes"] if of["pipe"] == pipe)
    measured = float(summary[name + "_exe_time(us)"]) * profile["clock_mhz"]
    assert abs(measured - busy) <= 1e-4 * busy + 1, (name, measured, busy)
assert sum(int(row["cycles"]) for row in table("code_exe.csv")) == sum(of["cycles"] for of in profile["lines"])
calls = sum(int(row["call_count"]) for row in table("instr_exe.csv"))
assert calls == profile["timeline"]["steps"] + profile["timeline"]["dropped_steps"], calls
(statistic,) = table("op_statistic.csv")
assert statistic["Count"] == "1"
trace = json.loads((folder / "trace.json").read_text())
slices = [event for event in trace["traceEvents"] if event["ph"] == "X"]
assert len(slices) == calls, (len(slices), calls)

# Figures follow from each other.
roof = profile["roofline"]
assert roof["limit"] == ("memory" if roof["memory_cycles"] >= roof["vector_cycles"] else "compute")
assert abs(sum(of["share"] for of in profile["intrinsics"]) - 1) < 1e-9 or not profile["intrinsics"]
assert max(of["busy_cycles"] for of in profile["pipes"]) == next(
    of["busy_cycles"] for of in profile["pipes"] if of["pipe"] == profile["bound"]["pipe"])

if "--browser" not in sys.argv:
    print("page, tables and trace agree")
    sys.exit(0)
browser = next((found for found in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if found), None)
if not browser:
    print("no Chromium here: what the page shows was not looked at")
    sys.exit(0)
shown = Page()
command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", (folder / "profile.html").resolve().as_uri()]
shown.feed(subprocess.run(command, capture_output=True, text=True, timeout=300, check=True).stdout)
assert len(shown.values) > 40, f"the page shows {len(shown.values)} numbers"
for path, value in shown.values:
    expected = look(path)
    same = value == expected if isinstance(expected, str) else abs(float(value) - expected) <= 1e-12 * abs(expected)
    assert same, (path, value, expected)
assert "cycles" in dict(shown.values) and "roofline.flop_per_byte" in dict(shown.values)
print(f"page, tables and trace agree; {len(shown.values)} numbers on the page")

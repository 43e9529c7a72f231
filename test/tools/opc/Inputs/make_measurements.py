"""Writes a table as the vendor's profiler writes it, of launches on a chip whose constants are known.

    make_measurements.py OPC FOLDER INPUT TRUTH.json OUT.csv NOISE SEED

Each launch is profiled on the simulator with the figures of TRUTH.json; its times are then off by a normal part of
NOISE of themselves, as a board's would be.
"""
import csv
import pathlib
import random
import subprocess
import sys
import tempfile

opc, folder, name, truth, out, noise, seed = sys.argv[1:]
source = random.Random(int(seed))
SHAPES = ("8,16", "64,64", "100,100", "64,1000", "16,4096", "200,333", "7,2000", "500,32", "33,777", "1000,100", "3,50000", "1,8192")
rows = []
with tempfile.TemporaryDirectory() as place:
    for shape in SHAPES:
        subprocess.run([opc, "profile", folder, f"--input_shape={name}:{shape}", "--no-effects",
                        f"--target-figures={truth}", f"--output={place}/p"], check=True, capture_output=True)
        (row,) = csv.DictReader((pathlib.Path(place) / "p" / "op_summary.csv").open(newline=""))
        for repeat in range(4):
            rows.append({key: f"{float(value) * (1 + source.gauss(0, float(noise))):.5f}" if key.endswith("exe_time(us)") else value
                         for key, value in row.items()})
    rows.append({**rows[0], "OP Type": "Conv2D", "Input Shapes": "whatever;1"})  # another operator's row is left out
with open(out, "w", newline="") as file:
    writer = csv.DictWriter(file, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
